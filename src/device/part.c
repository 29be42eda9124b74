#include "device/part.h"

#include <string.h>

#define ALL_ENGINES (1u << PERGOLA_RCS | 1u << PERGOLA_VCS | 1u << PERGOLA_BCS)

/* spec/facts/memory-and-blitter.md section 8. */
static const struct part parts[] = {
    {{.name = "ivb-gt1",
      .description = "Ivy Bridge GT1 (HD Graphics 2500)",
      .generation = 70,
      .pci_device_id = 0x0152,
      .pci_revision = 9,
      .half_slices = 1,
      .eus_per_half_slice = 6,
      .threads_per_eu = 6,
      .max_compute_threads_per_half_slice = 36,
      .l3_kib = 256,
      .urb_kib = 128,
      .fences = 32,
      .engines = ALL_ENGINES,
      .max_scratch_kib = 2048,
      .has_llc = true},
     HW_IVB,
     {4096, 2048}},
    {{.name = "ivb-gt2",
      .description = "Ivy Bridge GT2 (HD Graphics 4000)",
      .generation = 70,
      .pci_device_id = 0x0166,
      .pci_revision = 9,
      .half_slices = 2,
      .eus_per_half_slice = 8,
      .threads_per_eu = 8,
      .max_compute_threads_per_half_slice = 64,
      .l3_kib = 512,
      .urb_kib = 256,
      .fences = 32,
      .engines = ALL_ENGINES,
      .max_scratch_kib = 2048,
      .has_llc = true},
     HW_IVB,
     {8192, 4096}},
    {{.name = "vlv",
      .description = "Valleyview (Bay Trail)",
      .generation = 70,
      .pci_device_id = 0x0f31,
      .pci_revision = 9,
      .half_slices = 1,
      .eus_per_half_slice = 4,
      .threads_per_eu = 8,
      .max_compute_threads_per_half_slice = 32,
      .l3_kib = 192,
      .urb_kib = 128,
      .fences = 16,
      .engines = ALL_ENGINES,
      .max_scratch_kib = 2048,
      .has_llc = false},
     HW_VLV,
     {3072, 1024}},
    /* SYS-082, SYS-160, SYS-224 */
    {{.name = "icl",
      .description = "Ice Lake (system interface only)",
      .generation = 110,
      .pci_device_id = 0x8a52,
      .pci_revision = 7,
      .half_slices = 8,
      .eus_per_half_slice = 8,
      .threads_per_eu = 7,
      .max_compute_threads_per_half_slice = 56,
      .l3_kib = 3072,
      .urb_kib = 1024,
      .fences = 32,
      .engines = ALL_ENGINES,
      .max_scratch_kib = 2048,
      .has_llc = true},
     HW_ICL,
     {32768, 32768}},
};
#define PART_COUNT (sizeof(parts) / sizeof(parts[0]))

const struct part *
part_find(const char *name)
{
   if (!name)
      name = "ivb-gt2";
   for (size_t i = 0; i < PART_COUNT; i++)
      if (!strcmp(parts[i].sku.name, name))
         return &parts[i];
   return NULL;
}

const struct pergola_sku *
pergola_sku_at(size_t index)
{
   return index < PART_COUNT ? &parts[index].sku : NULL;
}

const struct pergola_sku *
pergola_sku_find(const char *name)
{
   const struct part *p = part_find(name);
   return p ? &p->sku : NULL;
}
