// The example before it without its barrier: each thread reads what another one may not have written yet.
mul(1)          g4<1>D          g2<0,1,0>D      g2<0,1,0>W      { align1 WE_all 1N };
shl(1)          g3<1>D          g2<0,1,0>D      2D              { align1 WE_all 1N };
mov(8)          g10<1>UD        g3<0,1,0>UD                     { align1 WE_all 1Q };
mov(8)          g11<1>UD        g4<0,1,0>UD                     { align1 WE_all 1Q };
send(8)         null<1>UW       g10<8,8,1>UD    0x04036efe
                            data MsgDesc: (untyped surface write) mlen 2 rlen 0 { align1 1Q };
add(8)          g13<1>D         -g10<8,8,1>D    12D             { align1 WE_all 1Q };
send(8)         g14<1>UW        g13<8,8,1>UD    0x02116efe
                            data MsgDesc: (untyped surface read) mlen 1 rlen 1 { align1 1Q };
mov(8)          g127<1>UD       g0<8,8,1>UD                     { align1 WE_all 1Q };
send(8)         null<1>UW       g127<8,8,1>UD   0x82000010
                            thread_spawner MsgDesc: mlen 1 rlen 0 { align1 WE_all 1Q EOT };
