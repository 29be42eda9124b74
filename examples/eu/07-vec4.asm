// Two vec4 in Align16: the dot product, the cross product's shuffle, and a write mask.
dp4(8)          g4<1>F          g2<4>F          g3<4>F          { align16 1Q };
mul(8)          g5<1>F          g2<4>.yzxwF     g3<4>.zxywF     { align16 1Q };
mov(8)          g6<1>.xzF       g2<4>.wwwwF                     { align16 1Q };
mov(8)          g127<1>UD       g0<8,8,1>UD                     { align1 WE_all 1Q };
send(8)         null<1>UW       g127<8,8,1>UD   0x82000010
                            thread_spawner MsgDesc: mlen 1 rlen 0 { align1 WE_all 1Q EOT };
