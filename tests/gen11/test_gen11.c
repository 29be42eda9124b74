/* Ice Lake's system interface: one program, a file per subject. */
#include "gen11_test.h"

int
main(void)
{
   struct CMUnitTest all[64];
   size_t count = 0;
   const struct {
      const struct CMUnitTest *tests;
      size_t count;
   } groups[] = {{pci_tests, pci_test_count},     {interrupt_tests, interrupt_test_count},
                 {range_tests, range_test_count}, {engine_tests, engine_test_count},
                 {oa_tests, oa_test_count},       {spec_tests, spec_test_count}};
   for (unsigned g = 0; g < sizeof(groups) / sizeof(groups[0]); g++)
      for (size_t i = 0; i < groups[g].count; i++) {
         if (count == sizeof(all) / sizeof(all[0]))
            return 1; /* make room: no case is left out silently */
         all[count++] = groups[g].tests[i];
      }
   return _cmocka_run_group_tests("gen11", all, count, NULL, NULL);
}
