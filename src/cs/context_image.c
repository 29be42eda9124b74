/* The order of the context image, as the manual's table has it. RCS-155: the register lists are as
 * long as what they hold, and no-ops keep the positions. */
#include "cs/context.h"

/* RCS-140 */
static const uint16_t power_cs[] = {
    0x2038, 0x203c, 0x2040, 0x2044, 0x2050, 0x2054, 0x2058, 0x2094, 0x2098, 0x20a0, 0x20a8,
    0x20b0, 0x20b4, 0x20c4, 0x212c, 0x2134, 0x2148, 0x214c, 0x21a8, 0x21ac, 0x21b0, 0x2214,
    0x229c, 0x222c, 0x2250, 0x2254, 0x2258, 0x225c, 0x2260, 0x2264, 0x2268, 0x226c, 0x2270,
    0x2274, 0x2278, 0x227c, 0x2280, 0x2284, 0x2288, 0x228c, 0x22d0, 0x22d4,
};
/* RCS-142 */
static const uint16_t main_cs[] = {
    0x2028, 0x209c, 0x20c0, 0x2178, 0x217c, 0x2310, 0x2314, 0x2318, 0x231c, 0x2320, 0x2324, 0x2300,
    0x2304, 0x2308, 0x230c, 0x2328, 0x232c, 0x2330, 0x2334, 0x2338, 0x233c, 0x2340, 0x2344, 0x2348,
    0x234c, 0x2350, 0x2354, 0x2470, 0x2358, 0x2500, 0x2504, 0x2508, 0x2400, 0x2404, 0x2408, 0x240c,
    0x2410, 0x2414, 0x2418, 0x2420, 0x2430, 0x2434, 0x2438, 0x243c, 0x2440, 0x2290, 0x2294,
};
/* RCS-144 */
static const uint16_t sarb[] = {0xb004, 0xb008, 0xb00c, 0xb010, 0xb014, 0xb018, 0xb01c,
                                0xb020, 0xb024, 0xb028, 0xb02c, 0xb034, 0xb038};
/* RCS-147 */
static const uint16_t svl[] = {0x7000, 0x7004, 0x7008, 0x7020};
/* RCS-148 */
static const uint16_t tdl[] = {0xe404, 0xe408, 0xe40c, 0xe410, 0xe428, 0xe4b0, 0xe4b4};
/* RCS-149 */
static const uint16_t wm[] = {0x5520};
/* RCS-153 */
static const uint16_t sol[] = {
    0x5200, 0x5204, 0x5208, 0x520c, 0x5210, 0x5214, 0x5218, 0x521c, 0x5240, 0x5244,
    0x5248, 0x524c, 0x5250, 0x5254, 0x5258, 0x525c, 0x5280, 0x5284, 0x5288, 0x528c,
};

#define NOOPS(part, n)                                                                             \
   {                                                                                               \
      ITEM_NOOP, PART_##part, n, 0, 0                                                              \
   }
#define REGISTERS(part, list)                                                                      \
   {                                                                                               \
      ITEM_REGISTER, PART_##part, sizeof(list) / sizeof(list[0]), 0, list                          \
   }
#define COMMAND(part, opcode, size)                                                                \
   {                                                                                               \
      ITEM_COMMAND, PART_##part, size, opcode, 0                                                   \
   }
#define SHADER(opcode, size, table, sampler, constant, urb)                                        \
   COMMAND(MAIN, opcode, size), COMMAND(MAIN, table, 2), COMMAND(MAIN, sampler, 2),                \
       COMMAND(MAIN, constant, 7), COMMAND(MAIN, urb, 2)

const struct context_item context_items[] = {
    /* power context, RCS-140, RCS-141 */
    NOOPS(POWER, 1),
    REGISTERS(POWER, power_cs),
    NOOPS(POWER, 12 + 16),
    /* main context: command streamer, RCS-142, RCS-143 */
    NOOPS(MAIN, 1),
    REGISTERS(MAIN, main_cs),
    COMMAND(MAIN, 0x0680, 1), /* MI_TOPOLOGY_FILTER */
    COMMAND(MAIN, 0x0c80, 2), /* MI_URB_CLEAR */
    COMMAND(MAIN, 0x6904, 1), /* PIPELINE_SELECT */
    COMMAND(MAIN, 0x6101, 10),
    COMMAND(MAIN, 0x7912, 2),
    COMMAND(MAIN, 0x7913, 2),
    COMMAND(MAIN, 0x7914, 2),
    COMMAND(MAIN, 0x7915, 2),
    COMMAND(MAIN, 0x7916, 2),
    NOOPS(MAIN, 5),
    /* SARB, RCS-144 */
    NOOPS(MAIN, 1),
    REGISTERS(MAIN, sarb),
    NOOPS(MAIN, 64),
    /* SVG, RCS-146 */
    SHADER(0x7810, 6, 0x7826, 0x782b, 0x7815, 0x7830),
    SHADER(0x781b, 7, 0x7827, 0x782c, 0x7819, 0x7831),
    COMMAND(MAIN, 0x781c, 4), /* TE */
    SHADER(0x781d, 6, 0x7828, 0x782d, 0x781a, 0x7832),
    SHADER(0x7811, 7, 0x7829, 0x782e, 0x7816, 0x7833),
    COMMAND(MAIN, 0x781e, 3),
    COMMAND(MAIN, 0x7812, 4),
    COMMAND(MAIN, 0x7821, 2),
    COMMAND(MAIN, 0x7813, 7),
    COMMAND(MAIN, 0x780f, 2),
    COMMAND(MAIN, 0x790d, 4),
    COMMAND(MAIN, 0x7900, 4),
    COMMAND(MAIN, 0x6103, 2),
    NOOPS(MAIN, 2),
    /* SVL, RCS-147 */
    COMMAND(MAIN, 0x7814, 3),
    COMMAND(MAIN, 0x7823, 2),
    COMMAND(MAIN, 0x780e, 2),
    COMMAND(MAIN, 0x7825, 2),
    COMMAND(MAIN, 0x7818, 2),
    COMMAND(MAIN, 0x781f, 14),
    COMMAND(MAIN, 0x7817, 7),
    COMMAND(MAIN, 0x7820, 8),
    COMMAND(MAIN, 0x782a, 2),
    COMMAND(MAIN, 0x782f, 2),
    COMMAND(MAIN, 0x7824, 2),
    REGISTERS(MAIN, svl),
    COMMAND(MAIN, 0x6102, 2),
    COMMAND(MAIN, 0x7805, 7),
    COMMAND(MAIN, 0x7806, 3),
    COMMAND(MAIN, 0x7807, 3),
    COMMAND(MAIN, 0x7804, 3),
    NOOPS(MAIN, 3),
    /* TDL0, RCS-148 */
    NOOPS(MAIN, 1),
    REGISTERS(MAIN, tdl),
    NOOPS(MAIN, 12),
    /* WM, RCS-149 */
    NOOPS(MAIN, 1),
    REGISTERS(MAIN, wm),
    COMMAND(MAIN, 0x7907, 33),
    COMMAND(MAIN, 0x790a, 3),
    COMMAND(MAIN, 0x7906, 2),
    COMMAND(MAIN, 0x7908, 3),
    NOOPS(MAIN, 1),
    /* SC0, RCS-150: its register list is empty */
    NOOPS(MAIN, 12),
    COMMAND(MAIN, 0x7911, 2),
    COMMAND(MAIN, 0x7904, 16),
    NOOPS(MAIN, 6),
    /* VFE, RCS-151 */
    {ITEM_MEDIA, PART_MAIN, 40, 0, 0},
    /* extended context: DM0, RCS-152 */
    COMMAND(EXTENDED, 0x7902, 257),
    COMMAND(EXTENDED, 0x790c, 257),
    NOOPS(EXTENDED, 14),
    /* SOL, RCS-153 */
    NOOPS(EXTENDED, 1),
    REGISTERS(EXTENDED, sol),
    COMMAND(EXTENDED, 0x7918, 16),
    NOOPS(EXTENDED, 3),
    COMMAND(EXTENDED, 0x7917, 259),
    /* VF, RCS-154 */
    COMMAND(EXTENDED, 0x780a, 3),
    COMMAND(EXTENDED, 0x7808, 133),
    COMMAND(EXTENDED, 0x7809, 69),
    COMMAND(EXTENDED, 0x680b, 1),
    NOOPS(EXTENDED, 2),
};
const size_t context_item_count = sizeof(context_items) / sizeof(context_items[0]);
