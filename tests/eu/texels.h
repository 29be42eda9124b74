/* Cases of test_native.c about typed messages. */
#ifndef PERGOLA_TESTS_EU_TEXELS_H
#define PERGOLA_TESTS_EU_TEXELS_H

void texels(void **state);
void texels_with_rules(void **state);

#endif
