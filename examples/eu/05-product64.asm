// The whole 64-bit product of two dwords: the low half in g4, the high half in g5.
mul(8)          acc0<1>D        g2<8,8,1>D      g3<8,8,1>D      { align1 1Q };
mach(8)         g5<1>D          g2<8,8,1>D      g3<8,8,1>D      { align1 1Q AccWrEnable };
mov(8)          g4<1>D          acc0<8,8,1>D                    { align1 1Q };
mov(8)          g127<1>UD       g0<8,8,1>UD                     { align1 WE_all 1Q };
send(8)         null<1>UW       g127<8,8,1>UD   0x82000010
                            thread_spawner MsgDesc: mlen 1 rlen 0 { align1 WE_all 1Q EOT };
