// Steps of the Collatz sequence until 1, for eight starting numbers at once: g3 counts.
mov(8)          g3<1>D          0D                              { align1 1Q };
again:
cmp.le.f0.0(8)  null<1>D        g2<8,8,1>D      1D              { align1 1Q };
(+f0.0) break(8) JIP: bottom          UIP: bottom               { align1 1Q };
and.nz.f0.1(8)  null<1>UD       g2<8,8,1>UD     1UD             { align1 1Q };
shr(8)          g5<1>UD         g2<8,8,1>UD     1UD             { align1 1Q };
mul(8)          g6<1>D          g2<8,8,1>D      3W              { align1 1Q };
add(8)          g6<1>D          g6<8,8,1>D      1D              { align1 1Q };
(+f0.1) sel(8)  g2<1>D          g6<8,8,1>D      g5<8,8,1>D      { align1 1Q };
add(8)          g3<1>D          g3<8,8,1>D      1D              { align1 1Q };
bottom:
while(8)        JIP: again                                      { align1 1Q };
mov(8)          g127<1>UD       g0<8,8,1>UD                     { align1 WE_all 1Q };
send(8)         null<1>UW       g127<8,8,1>UD   0x82000010
                            thread_spawner MsgDesc: mlen 1 rlen 0 { align1 WE_all 1Q EOT };
