/* Commands of the streamers: opcode, length and fields as the rows of the ledger give them. */
#include "layouts.h"
#include "tests/proves.h"

/* header: the opcode in bits 28:23. Register offsets have the bits that the video engine gives them
 * (VCS-260, VCS-296): those above lead to no register. */
static const struct expected_layout commands[] = {
    {"RCS-202", HW_IVB, 0x00, "MI_NOOP", 1, "0[22] 0[21:0]"},
    {"RCS-218", HW_IVB, 0x02, "MI_USER_INTERRUPT", 1, ""},
    {"RCS-219", HW_IVB, 0x03, "MI_WAIT_FOR_EVENT", 1,
     "0[22] 0[21] 0[20] 0[19:16] 0[15] 0[14] 0[13] 0[11] 0[10] 0[9] 0[8] 0[5] 0[3] 0[2] 0[1] 0[0]"},
    {"RCS-221", HW_IVB, 0x04, "MI_FLUSH", 1, "0[5] 0[4] 0[3] 0[2] 0[1]"},
    {"RCS-203", HW_IVB, 0x05, "MI_ARB_CHECK", 1, ""},
    {"RCS-214", HW_IVB, 0x07, "MI_REPORT_HEAD", 1, ""},
    {"RCS-204", HW_IVB, 0x08, "MI_ARB_ON_OFF", 1, "0[0]"},
    {"RCS-206", HW_IVB, 0x0a, "MI_BATCH_BUFFER_END", 1, ""},
    {"RCS-216", HW_IVB, 0x0b, "MI_SUSPEND_FLUSH", 1, "0[0]"},
    {"RCS-064", HW_IVB, 0x0c, "MI_PREDICATE", 1, "0[7:6] 0[4:3] 0[1:0]"},
    {"RCS-060", HW_IVB, 0x0d, "MI_TOPOLOGY_FILTER", 1, "0[5:0]"},
    {"CS-020", HW_IVB, 0x12, "MI_LOAD_SCAN_LINES_INCL", 2, "0[21:19] 1[28:16] 1[12:0]"},
    {"CS-020", HW_IVB, 0x13, "MI_LOAD_SCAN_LINES_EXCL", 2, "0[21:19] 1[28:16] 1[12:0]"},
    {"CS-021", HW_HSW, 0x1a, "MI_MATH", 0, "1[31:0]"},
    {"RCS-223", HW_IVB, 0x14, "MI_DISPLAY_FLIP", 3, "0[22] 0[21:19] 1[15:6] 1[0] 2[31:12] 2[1:0]"},
    {"RCS-215", HW_IVB, 0x16, "MI_SEMAPHORE_MBOX", 3,
     "0[22] 0[21] 0[20] 0[18] 0[17:16] 1[31:0] 2[31:2]"},
    {"RCS-059", HW_IVB, 0x18, "MI_SET_CONTEXT", 2, "1[31:12] 1[3] 1[2] 1[1] 1[0]"},
    {"RCS-067", HW_IVB, 0x19, "MI_URB_CLEAR", 2, "1[28:16] 1[13:0]"},
    {"RCS-212", HW_IVB, 0x20, "MI_STORE_DATA_IMM", 0, "0[22] 2[31:2] 3[31:0]"},
    {"RCS-213", HW_IVB, 0x21, "MI_STORE_DATA_INDEX", 0, "1[11:2] 2[31:0]"},
    {"RCS-209", HW_IVB, 0x22, "MI_LOAD_REGISTER_IMM", 0, "0[11:8] 1[22:2] 2[31:0]"},
    {"RCS-217", HW_IVB, 0x23, "MI_UPDATE_GTT", 0, "0[22] 1[31:12]"},
    {"RCS-211", HW_IVB, 0x24, "MI_STORE_REGISTER_MEM", 3, "0[22] 1[22:2] 2[31:2]"},
    {"VCS-225", HW_IVB, 0x26, "MI_FLUSH_DW", 4,
     "0[21] 0[18] 0[17] 0[15:14] 0[8] 0[7] 1[31:3] 1[2] 2[31:0] 3[31:0]"},
    {"RCS-220", HW_IVB, 0x27, "MI_CLFLUSH", 0, "0[22] 1[31:12] 1[11:6] 2[15:0]"},
    {"RCS-222", HW_IVB, 0x28, "MI_REPORT_PERF_COUNT", 3, "1[31:6] 1[0] 2[31:0]"},
    {"RCS-210", HW_IVB, 0x29, "MI_LOAD_REGISTER_MEM", 3, "0[22] 0[21] 1[22:2] 2[31:2]"},
    {"RCS-205", HW_IVB, 0x31, "MI_BATCH_BUFFER_START", 2, "0[22] 0[11] 0[8] 1[31:2]"},
    {"RCS-207", HW_IVB, 0x36, "MI_CONDITIONAL_BATCH_BUFFER_END", 3, "0[22] 0[21] 1[31:0] 2[31:3]"},
};

static void
check_mi(const struct expected_layout *e)
{
   const struct hw_command *c = hw_command_find(e->header << 23, HW_RCS, e->device);
   if (!c)
      c = hw_command_find(e->header << 23, HW_VCS, e->device);
   if (!c)
      fail_msg("no command has opcode 0x%02x (%s)", e->header, e->name);
   assert_string_equal(c->layout.name, e->name);
   assert_string_equal(c->layout.ledger, e->ledger);
   assert_int_equal(c->layout.variable, e->length_dw == 0);
   if (e->length_dw)
      assert_int_equal(c->layout.length_dw, e->length_dw);
   check_ranges(&c->layout, e->fields);
   if (e->length_dw)
      check_reserved_bits(&c->layout, e->header << 23 | (e->length_dw > 1 ? e->length_dw - 2 : 0));
}

int
main(void)
{
   struct CMUnitTest tests[sizeof(commands) / sizeof(commands[0])];
   size_t count = LAYOUT_CASES(tests, commands, check_mi);
   return _cmocka_run_group_tests("mi_layouts", tests, count, NULL, NULL);
}
