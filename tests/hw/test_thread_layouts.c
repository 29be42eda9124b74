/* What threads see of themselves and say to others: architecture registers, R0, descriptors. */
#include "gen7_hw.h"
#include "tests/proves.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/places.h"

/* These are all that have a name. */
static void
check(const char *name, const struct place *p, size_t count)
{
   const struct hw_layout *l = hw_struct_by_name(name);
   check_places(l, p, count);
   size_t named = 0;
   for (unsigned i = 0; i < l->field_count; i++)
      named += l->fields[i].type < HW_MBZ;
   assert_int_equal(named, count);
}
#define CHECK(name, p) check(name, p, N(p))

static void
architecture_registers(void **state)
{
   proves("EU-027", "EU-028", "EU-029", "EU-030", "EU-031", "EU-032", "EU-035");
   (void)state;
   static const struct place control[] = {{"System Routine", 0, 31, 31, NULL},
                                          {"Breakpoint Suppress", 0, 15, 15, NULL},
                                          {"Keep Double Denormals", 0, 6, 6, NULL},
                                          {"Rounding Mode", 0, 5, 4, "EU-030"},
                                          {"Vector Mask Enable", 0, 3, 3, NULL},
                                          {"Single Program Flow", 0, 2, 2, NULL},
                                          {"Accumulator Disable", 0, 1, 1, NULL},
                                          {"ALT Mode", 0, 0, 0, NULL},
                                          {"Breakpoint", 1, 31, 31, "EU-031"},
                                          {"External Halt", 1, 30, 30, "EU-031"},
                                          {"Software Exception", 1, 29, 29, "EU-031"},
                                          {"Illegal Opcode", 1, 28, 28, "EU-031"},
                                          {"Stack Overflow", 1, 27, 27, "EU-031"},
                                          {"Forced Exception", 1, 26, 26, "EU-031"},
                                          {"Breakpoint Enable", 1, 15, 15, "EU-031"},
                                          {"Software Exception Enable", 1, 13, 13, "EU-031"},
                                          {"Illegal Opcode Enable", 1, 12, 12, "EU-031"},
                                          {"Stack Overflow Enable", 1, 11, 11, "EU-031"},
                                          {"Application IP", 2, 31, 3, "EU-032"}};
   CHECK("CONTROL_REGISTER", control);
   static const struct place thread[] = {{"FFID", 0, 27, 24, NULL},
                                         {"Priority Class", 0, 23, 23, NULL},
                                         {"Half Slice ID", 0, 12, 12, NULL},
                                         {"EUID", 0, 11, 8, NULL},
                                         {"TID", 0, 2, 0, NULL},
                                         {"FFTID", 1, 31, 24, NULL},
                                         {"Dispatch Mask", 2, 31, 0, NULL},
                                         {"Vector Mask", 3, 31, 0, "EU-028"}};
   check_places(hw_struct_by_name("STATE_REGISTER"), thread, N(thread));
   static const struct place dependency[] = {{"Valid", 0, 15, 15, NULL}, {"FFTID", 0, 7, 0, NULL}};
   CHECK("THREAD_DEPENDENCY", dependency);
}

static void
message_descriptor(void **state)
{
   proves("EU-189");
   (void)state;
   static const struct place p[] = {{"End Of Thread", 0, 31, 31, NULL},
                                    {"Message Length", 0, 28, 25, NULL},
                                    {"Response Length", 0, 24, 20, NULL},
                                    {"Header Present", 0, 19, 19, NULL},
                                    {"Function Control", 0, 18, 0, NULL}};
   CHECK("MESSAGE_DESCRIPTOR", p);
}

/* What R0 of all stages has in dwords 3 to 6. */
#define COMMON                                                                                     \
   {"Sampler State Pointer", 3, 31, 5, NULL}, {"Per Thread Scratch Space", 3, 3, 0, NULL},         \
       {"Binding Table Pointer", 4, 31, 5, NULL}, {"Scratch Space Pointer", 5, 31, 10, NULL},      \
       {"FFTID", 5, 8, 0, NULL},                                                                   \
   {                                                                                               \
      "Thread ID", 6, 23, 0, NULL                                                                  \
   }

static void
r0_of_geometry(void **state)
{
   proves("P3D-086", "P3D-094", "P3D-100", "P3D-101", "P3D-102", "P3D-138", "P3D-141");
   (void)state;
   static const struct place vertices[] = {
       {"URB Handle 0", 0, 15, 0, "P3D-094"}, {"URB Handle 1", 1, 15, 0, "P3D-094"}, COMMON};
   CHECK("R0 Vertices", vertices);
   static const struct place hull[] = {{"Patch Handle", 0, 15, 0, "P3D-101"},
                                       {"Primitive ID", 1, 31, 0, "P3D-101"},
                                       {"Instance Number", 2, 22, 16, "P3D-100"},
                                       {"BarrierID", 2, 15, 12, "P3D-102"},
                                       COMMON};
   CHECK("R0 HS", hull);
   static const struct place geometry[] = {{"Instance ID 0", 0, 31, 27, "P3D-138"},
                                           {"URB Handle 0", 0, 15, 0, NULL},
                                           {"Instance ID 1", 1, 31, 27, "P3D-138"},
                                           {"URB Handle 1", 1, 15, 0, NULL},
                                           {"Hint", 2, 22, 22, "P3D-141"},
                                           {"Topology", 2, 21, 16, "P3D-141"},
                                           COMMON};
   CHECK("R0 GS", geometry);
}

/* The places of the render target's header, which R0 becomes, are those of DP-376. */
static void
r0_of_pixels(void **state)
{
   proves("P3D-086", "P3D-280", "P3D-318", "P3D-319");
   (void)state;
   static const struct place p[] = {{"Viewport Index", 0, 30, 27, "P3D-318"},
                                    {"Render Target Array Index", 0, 26, 16, "P3D-318"},
                                    {"Back Facing", 0, 15, 15, "P3D-319"},
                                    {"Source Depth to Render Target", 0, 13, 13, "P3D-318"},
                                    {"oMask to Render Target", 0, 12, 12, "P3D-318"},
                                    {"Starting Sample Pair Index", 0, 8, 6, "P3D-280"},
                                    {"Topology", 0, 5, 0, "P3D-318"},
                                    {"Color Calc State Pointer", 1, 31, 6, "P3D-318"},
                                    COMMON};
   CHECK("R0 PS", p);
}

static void
pixel_interpolator(void **state)
{
   proves("SF-149", "SF-150", "SF-155", "SF-157", "SF-158");
   (void)state;
   static const struct place descriptor[] = {
       {"End Of Thread", 0, 31, 31, NULL},          {"Message Length", 0, 28, 25, NULL},
       {"Response Length", 0, 24, 20, NULL},        {"SIMD Mode", 0, 16, 16, NULL},
       {"Interpolation Mode", 0, 14, 14, "SF-150"}, {"Message Type", 0, 13, 12, NULL},
       {"Slot Group Select", 0, 11, 11, "SF-155"},  {"Message Specific Control", 0, 7, 0, NULL}};
   CHECK("PIXEL_INTERPOLATOR_DESCRIPTOR", descriptor);
   assert_int_equal(hw_struct_by_name("PIXEL_INTERPOLATOR_DESCRIPTOR")->mbz[0] >> 19 & 1, 1);
   static const struct place offset[] = {{"Y Pixel Offset", 0, 7, 4, NULL},
                                         {"X Pixel Offset", 0, 3, 0, NULL}};
   CHECK("PIXEL_INTERPOLATOR_OFFSET", offset);
   static const struct place sample[] = {{"Sample Index", 0, 7, 4, NULL}};
   CHECK("PIXEL_INTERPOLATOR_SAMPLE", sample);
   const struct hw_field *f = find(hw_struct_by_name("PIXEL_INTERPOLATOR_SAMPLE"), "Sample Index");
   assert_true(f->has_max && f->max == 7);
}

static void
gateway_answers(void **state)
{
   proves("SF-033", "SF-062");
   (void)state;
   static const struct place acknowledge[] = {{"Shared Function ID", 0, 19, 16, NULL},
                                              {"Error Code", 0, 2, 0, NULL}};
   CHECK("Gateway Acknowledge", acknowledge);
   static const struct place time[] = {{"Low", 0, 31, 20, NULL}, {"High", 1, 31, 0, NULL}};
   CHECK("Time Lap", time);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(architecture_registers), cmocka_unit_test(message_descriptor),
       cmocka_unit_test(r0_of_geometry),         cmocka_unit_test(r0_of_pixels),
       cmocka_unit_test(pixel_interpolator),     cmocka_unit_test(gateway_answers),
   };
   return cmocka_run_group_tests_name("thread_layouts", tests, NULL, NULL);
}
