// Regions: <vertical stride; width, horizontal stride>. g2 holds 0 to 7.
mov(8)          g10<1>D         g2<8,8,1>D                      { align1 1Q };
mov(8)          g11<1>D         g2<0,1,0>D                      { align1 1Q };
mov(8)          g12<1>D         g2.3<0,1,0>D                    { align1 1Q };
mov(4)          g13<1>D         g2<8,4,2>D                      { align1 1N };
mov(8)          g14<1>D         g2<4,4,1>D                      { align1 1Q };
mov(8)          g15<1>D         g2<0,4,1>D                      { align1 1Q };
mov(4)          g16<2>D         g2<4,4,1>D                      { align1 1N };
mov(8)          g127<1>UD       g0<8,8,1>UD                     { align1 WE_all 1Q };
send(8)         null<1>UW       g127<8,8,1>UD   0x82000010
                            thread_spawner MsgDesc: mlen 1 rlen 0 { align1 WE_all 1Q EOT };
