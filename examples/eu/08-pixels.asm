// Blends two rows of sixteen pixels of one byte: the rounded average, and a saturated sum.
avg(16)         g4<2>UB         g2<16,16,1>UB   g3<16,16,1>UB   { align1 1H };
add.sat(16)     g5<2>UB         g2<16,16,1>UB   g3<16,16,1>UB   { align1 1H };
mov(16)         g6<1>UB         g4<32,16,2>UB                   { align1 1H };
mov(16)         g7<1>UB         g5<32,16,2>UB                   { align1 1H };
mov(8)          g127<1>UD       g0<8,8,1>UD                     { align1 WE_all 1Q };
send(8)         null<1>UW       g127<8,8,1>UD   0x82000010
                            thread_spawner MsgDesc: mlen 1 rlen 0 { align1 WE_all 1Q EOT };
