// Per-channel choice: g4 = g2 < 3 ? g2 * 10 : -g2, with if, else and endif.
cmp.l.f0.0(8)   null<1>D        g2<8,8,1>D      3D              { align1 1Q };
(+f0.0) if(8)   JIP: otherwise        UIP: done                 { align1 1Q };
mul(8)          g4<1>D          g2<8,8,1>D      10W             { align1 1Q };
else(8)         JIP: done                                       { align1 1Q };
otherwise:
mov(8)          g4<1>D          -g2<8,8,1>D                     { align1 1Q };
done:
endif(8)        JIP: after                                      { align1 1Q };
after:
mov(8)          g127<1>UD       g0<8,8,1>UD                     { align1 WE_all 1Q };
send(8)         null<1>UW       g127<8,8,1>UD   0x82000010
                            thread_spawner MsgDesc: mlen 1 rlen 0 { align1 WE_all 1Q EOT };
