/* Cases of test_native.c about vertices side by side. */
#ifndef PERGOLA_TESTS_EU_WIDE_H
#define PERGOLA_TESTS_EU_WIDE_H

void side_by_side(void **state);
void not_side_by_side(void **state);

#endif
