/* Native code against the interpreter: the first 12 bytes choose masks, budgets and contents, the
 * rest makes a kernel, by choices (kernels.h, loops.h) or as it is. */
#include "loops.h"
#include "twins.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
complain(struct twins *w, const struct twins_input *in, const char *why)
{
   fprintf(stderr, "%s\nmask %x, marked %u, budgets %u, routine %d, rules %d\n", why, in->mask,
           in->marked, in->budgets, in->routine, w->check != PERGOLA_CHECK_OFF);
   for (uint32_t at = 0, n; at < in->size; at += n) {
      char text[256];
      n = pergola_eu_text(w->twin[0].bench, at, text, sizeof(text));
      fprintf(stderr, "%4x %s\n", at, n ? text : "");
      n = n ? n : 8;
   }
   abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   static struct twins *pairs;
   static uint8_t kernel[65536];
   if (!pairs) {
      pairs = calloc(2, sizeof(*pairs));
      if (!pairs || !twins_open(&pairs[0], PERGOLA_CHECK_OFF) ||
          !twins_open(&pairs[1], PERGOLA_CHECK_REPORT))
         abort();
   }
   if (size < 20)
      return 0;
   struct twins_input in = {.marked = data[4] & 1 ? 8 : data[4] >> 1 & 7,
                            .budgets = data[5] % 40,
                            .routine = data[6] >> 5 == 7,
                            .series = data[10] & 1};
   memcpy(&in.seed, data, 4);
   in.mask = data[7] & 3 ? (data[7] & 4 ? 0xff : 0xffff) : (uint32_t)(data[8] | data[9] << 8);
   in.kernel = kernel;
   struct twins *w = &pairs[data[6] & 1];
   struct choices c = {.p = data + 12, .end = data + size, .device = w->twin[0].dev->hw_device};
   if ((data[6] & 31) == 31) {
      in.size = size - 12 < sizeof(kernel) ? size - 12 : sizeof(kernel);
      memcpy(kernel, data + 12, in.size);
   } else if (data[11] >> 5 == 7) {
      in.size = loops_make(&c, kernel, sizeof(kernel));
   } else {
      in.size = kernels_make(&c, kernel, sizeof(kernel));
   }
   const char *why = twins_run(w, &in);
   if (why)
      complain(w, &in, why);
   return 0;
}
