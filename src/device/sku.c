#include "pergola/pergola.h"

#include <string.h>

/* spec/facts/memory-and-blitter.md section 8. */
static const struct pergola_sku skus[] = {
    {"ivb-gt1", "Ivy Bridge GT1 (HD Graphics 2500)", 0x0152, 9, 1, 6, 6, 36, 256, 128, true},
    {"ivb-gt2", "Ivy Bridge GT2 (HD Graphics 4000)", 0x0166, 9, 2, 8, 8, 64, 512, 256, true},
    {"vlv", "Valleyview (Bay Trail)", 0x0f31, 9, 1, 4, 8, 32, 192, 128, false},
};

const struct pergola_sku *
pergola_sku_at(size_t index)
{
   return index < sizeof(skus) / sizeof(skus[0]) ? &skus[index] : NULL;
}

const struct pergola_sku *
pergola_sku_find(const char *name)
{
   for (size_t i = 0; i < sizeof(skus) / sizeof(skus[0]); i++)
      if (!strcmp(skus[i].name, name))
         return &skus[i];
   return NULL;
}
