// One thread for each macroblock of a picture: asks VME and stores the six registers of its answer.
//
// g0      header; g0.1 has the macroblock's column (bits 8:0) and row (24:16)
// g1-g5   M0 to M4 of the request, from the CURBE: all that is the same for every macroblock
// g6.0    macroblocks in a row
// Surfaces: 0 source, 1 and 2 references (MEDIA_SURFACE_STATE), 3 answers, 4 source as bytes.

// Source position in pixels: SrcX and SrcY lie in one dword as column and row do.
and(1)          g7<1>UD         g0.1<0,1,0>UD   0x01ff01ffUD    { align1 WE_all 1N };
shl(1)          g1.2<1>UD       g7<0,1,0>UD     4UD             { align1 WE_all 1N };
and(1)          g8<1>UD         g7<0,1,0>UD     0x000001ffUD    { align1 WE_all 1N };
shr(1)          g8.1<1>UD       g7<0,1,0>UD     16UD            { align1 WE_all 1N };
shl(2)          g8.2<1>D        g8<2,2,1>D      4D              { align1 WE_all 1N };

// Neighbours for intra prediction: 32 bytes of the row above from x - 4 on, …
mov(8)          g9<1>UD         g0<8,8,1>UD                     { align1 WE_all 1Q };
add(1)          g9<1>D          g8.2<0,1,0>D    -4D             { align1 WE_all 1N };
add(1)          g9.1<1>D        g8.3<0,1,0>D    -1D             { align1 WE_all 1N };
mov(1)          g9.2<1>UD       0x0000001fUD                    { align1 WE_all 1N };
send(8)         g20<1>UW        g9<8,8,1>UD     0x02190004
                            render MsgDesc: mlen 1 rlen 1 { align1 WE_all 1Q };
// … and four columns of sixteen rows to the left.
mov(1)          g9.1<1>D        g8.3<0,1,0>D                    { align1 WE_all 1N };
mov(1)          g9.2<1>UD       0x000f0003UD                    { align1 WE_all 1N };
send(8)         g21<1>UW        g9<8,8,1>UD     0x02290004
                            render MsgDesc: mlen 1 rlen 2 { align1 WE_all 1Q };
// The row goes to M3 as it is: its first dword has the corner pixel on top.
and(1)          g10<1>UD        g20<0,1,0>UD    0xff000000UD    { align1 WE_all 1N };
or(1)           g4.1<1>UD       g4.1<0,1,0>UD   g10<0,1,0>UD    { align1 WE_all 1N };
mov(2)          g4.2<1>UD       g20.1<2,2,1>UD                  { align1 WE_all 1N };
mov(4)          g4.4<1>UD       g20.3<4,4,1>UD                  { align1 WE_all 1N };
mov(16)         g5<1>UB         g21.3<32,8,4>UB                 { align1 WE_all 1H };

// Which of them exist: MbIntraStruct in M1.7.
mov(1)          g11<1>UD        0UD                             { align1 WE_all 1N };
cmp.nz.f0.0(1)  null<1>D        g8<0,1,0>D      0D              { align1 WE_all 1N };
(+f0.0) or(1)   g11<1>UD        g11<0,1,0>UD    0x6000UD        { align1 WE_all 1N };
cmp.nz.f0.0(1)  null<1>D        g8.1<0,1,0>D    0D              { align1 WE_all 1N };
(+f0.0) or(1)   g11<1>UD        g11<0,1,0>UD    0x1000UD        { align1 WE_all 1N };
sel.l(1)        g12<1>D         g8<0,1,0>D      g8.1<0,1,0>D    { align1 WE_all 1N };
cmp.nz.f0.0(1)  null<1>D        g12<0,1,0>D     0D              { align1 WE_all 1N };
(+f0.0) or(1)   g11<1>UD        g11<0,1,0>UD    0x0400UD        { align1 WE_all 1N };
add(1)          g12.1<1>D       g6<0,1,0>D      -1D             { align1 WE_all 1N };
add(1)          g12.1<1>D       g12.1<0,1,0>D   -g8<0,1,0>D     { align1 WE_all 1N };
sel.l(1)        g12.2<1>D       g12.1<0,1,0>D   g8.1<0,1,0>D    { align1 WE_all 1N };
cmp.nz.f0.0(1)  null<1>D        g12.2<0,1,0>D   0D              { align1 WE_all 1N };
(+f0.0) or(1)   g11<1>UD        g11<0,1,0>UD    0x0800UD        { align1 WE_all 1N };
or(1)           g2.7<1>UD       g2.7<0,1,0>UD   g11<0,1,0>UD    { align1 WE_all 1N };

// The search: inter and intra, state 0, cost set 0, surfaces from 0 on.
send(8)         g41<1>UW        g1<8,8,1>UD     0x0a686000
                            vme MsgDesc: mlen 5 rlen 6 { align1 WE_all 1Q };

// The answer of macroblock n goes to 192 n: 12 owords each, written as eight and four. A channel
// stands for a dword: sixteen of them let two registers pass, and again two.
mul(1)          g13<1>D         g8.1<0,1,0>D    g6<0,1,0>W      { align1 WE_all 1N };
add(1)          g13<1>D         g13<0,1,0>D     g8<0,1,0>D      { align1 WE_all 1N };
mul(1)          g13<1>D         g13<0,1,0>D     12W             { align1 WE_all 1N };
mov(8)          g40<1>UD        g0<8,8,1>UD                     { align1 WE_all 1Q };
mov(1)          g40.2<1>UD      g13<0,1,0>UD                    { align1 WE_all 1N };
send(16)        null<1>UW       g40<8,8,1>UD    0x0a0a0403
                            data MsgDesc: mlen 5 rlen 0 { align1 WE_all 1H };
mov(8)          g44<1>UD        g40<8,8,1>UD                    { align1 WE_all 1Q };
add(1)          g44.2<1>D       g13<0,1,0>D     8D              { align1 WE_all 1N };
send(16)        null<1>UW       g44<8,8,1>UD    0x060a0303
                            data MsgDesc: mlen 3 rlen 0 { align1 WE_all 1H };

mov(8)          g127<1>UD       g0<8,8,1>UD                     { align1 WE_all 1Q };
send(8)         null<1>UW       g127<8,8,1>UD   0x82000010
                            thread_spawner MsgDesc: mlen 1 rlen 0 { align1 WE_all 1Q EOT };
