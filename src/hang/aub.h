/* Private to src/hang: AUB packets, as libdrm, IGT and Mesa write them for Gen7. */
#ifndef PERGOLA_HANG_AUB_H
#define PERGOLA_HANG_AUB_H

#define AUB_HEADER 0xe0850000u
#define AUB_BLOCK 0xe0c10000u
#define AUB_BITMAP 0xe09e0000u
#define AUB_MEMORY_WRITE 0xf7060000u
#define AUB_MASK 0xffff0000u

/* Dword 1 of a block: 7:0 */
enum { AUB_OP_COMMENT, AUB_OP_DATA, AUB_OP_COMMAND, AUB_OP_MMIO };
/* 15:8 */
enum { AUB_TYPE_BATCH = 1, AUB_TYPE_GENERAL = 14, AUB_TYPE_RING = 2 /* of commands: the first */ };
/* 23:16 */
enum { AUB_SPACE_GTT, AUB_SPACE_GTT_ENTRY = 4 };

/* Remarks of Pergola's writer: a word and a number; of objects, and of what is unbound, addresses
 * and sizes. */
#define AUB_WORD_CONTEXT "Pergola: context"
#define AUB_WORD_TIME "Pergola: time"
#define AUB_WORD_OBJECTS "Pergola: objects"
#define AUB_WORD_MEMORY "Pergola: memory"
#define AUB_WORD_LOST "Pergola: lost"
#define AUB_WORD_HUNG "Pergola: hung"
#define AUB_WORD_SPACE "Pergola: space"
#define AUB_WORD_UNBOUND "Pergola: unbound"

#endif
