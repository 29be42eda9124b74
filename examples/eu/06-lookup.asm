// A table lookup in registers: g5[i] = g8-g9 as sixteen dwords, indexed by g2.
// The address of each channel goes to a0; <VxH,1,0> reads one address per channel.
mov(8)          g3<2>UW         g2<8,8,1>UD                     { align1 1Q };
shl(8)          a0<1>UW         g3<16,8,2>UW    2UW             { align1 1Q };
add(8)          a0<1>UW         a0<8,8,1>UW     256UW           { align1 1Q };
mov(8)          g5<1>UD         g[a0]<VxH,1,0>UD                { align1 1Q };
mov(8)          g127<1>UD       g0<8,8,1>UD                     { align1 WE_all 1Q };
send(8)         null<1>UW       g127<8,8,1>UD   0x82000010
                            thread_spawner MsgDesc: mlen 1 rlen 0 { align1 WE_all 1Q EOT };
