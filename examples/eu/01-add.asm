// Adds two vectors of eight floats: g4 = g2 + g3.
add(8)          g4<1>F          g2<8,8,1>F      g3<8,8,1>F      { align1 1Q };
mov(8)          g127<1>UD       g0<8,8,1>UD                     { align1 WE_all 1Q };
send(8)         null<1>UW       g127<8,8,1>UD   0x82000010
                            thread_spawner MsgDesc: mlen 1 rlen 0 { align1 WE_all 1Q EOT };
