// The math box: reciprocal, square root, power, and integer division with remainder.
math inv(8)     g4<1>F          g2<8,8,1>F      null<8,8,1>F    { align1 1Q };
math sqrt(8)    g5<1>F          g2<8,8,1>F      null<8,8,1>F    { align1 1Q };
math pow(8)     g6<1>F          g2<8,8,1>F      g2<8,8,1>F      { align1 1Q };
mov(8)          g8<1>D          g2<8,8,1>F                      { align1 1Q };
mov(8)          g9<1>D          3D                              { align1 1Q };
math intdivmod(8) g10<1>D       g8<8,8,1>D      g9<8,8,1>D      { align1 1Q };
mov(8)          g127<1>UD       g0<8,8,1>UD                     { align1 WE_all 1Q };
send(8)         null<1>UW       g127<8,8,1>UD   0x82000010
                            thread_spawner MsgDesc: mlen 1 rlen 0 { align1 WE_all 1Q EOT };
