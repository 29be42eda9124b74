// Reads eight floats from surface 0, doubles them, writes them to surface 1.
// Messages: untyped surface read and write through the data cache, SIMD8, red channel.
mov(8)          g10<1>UW        0x76543210UV                    { align1 WE_all 1Q };
mov(8)          g11<1>UD        g10<8,8,1>UW                    { align1 1Q };
shl(8)          g11<1>UD        g11<8,8,1>UD    2UD             { align1 1Q };
send(8)         g12<1>UW        g11<8,8,1>UD    0x02116e00
                            data MsgDesc: (untyped surface read) mlen 1 rlen 1 { align1 1Q };
mul(8)          g21<1>F         g12<8,8,1>F     0x40000000F     { align1 1Q };
mov(8)          g20<1>UD        g11<8,8,1>UD                    { align1 1Q };
send(8)         null<1>UW       g20<8,8,1>UD    0x04036e01
                            data MsgDesc: (untyped surface write) mlen 2 rlen 0 { align1 1Q };
mov(8)          g127<1>UD       g0<8,8,1>UD                     { align1 WE_all 1Q };
send(8)         null<1>UW       g127<8,8,1>UD   0x82000010
                            thread_spawner MsgDesc: mlen 1 rlen 0 { align1 WE_all 1Q EOT };
