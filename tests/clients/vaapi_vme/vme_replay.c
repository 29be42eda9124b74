/* Requests of a client once more, by the independent reference: reads the words of the messages,
 * states and answers that a vme trace tells, and compares every word of every answer.
 *
 * usage: vme_replay WIDTH HEIGHT SOURCE [REFERENCE0 [REFERENCE1]] < words
 * SOURCE, REFERENCE: luma, WIDTH * HEIGHT bytes. */
#include "tests/vme/reference/reference.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of state and binding table: which state and pictures they are is settled here. */
#define INDICES 0x7ffu

static const uint8_t *
load(const char *path, size_t size)
{
   uint8_t *px = malloc(size);
   FILE *f = fopen(path, "rb");
   if (!px || !f || fread(px, 1, size, f) != size) {
      fprintf(stderr, "%s: not %zu bytes\n", path, size);
      exit(2);
   }
   fclose(f);
   return px;
}

static unsigned
words(const char *text, uint32_t *out, unsigned most)
{
   unsigned n = 0;
   char *end;
   for (; n < most; n++, text = end) {
      out[n] = (uint32_t)strtoul(text, &end, 16);
      if (end == text)
         break;
   }
   return n;
}

/* How many words differ. */
static unsigned
compare(const struct vme_request *q, unsigned regs, uint32_t answer[10][8])
{
   uint32_t expected[10][8] = {{0}};
   unsigned differ = 0, n = vme_reference_run(q, expected);
   if (n != regs) {
      printf("# %u registers, the reference has %u\n", regs, n);
      return 1;
   }
   for (unsigned r = 0; r < n; r++)
      for (unsigned d = 0; d < 8; d++)
         if (answer[r][d] != expected[r][d]) {
            printf("# block (%u, %u): W%u.%u is %08" PRIx32 ", the reference has %08" PRIx32 "\n",
                   q->in[0][2] & 0xffff, q->in[0][2] >> 16, r, d, answer[r][d], expected[r][d]);
            differ++;
         }
   return differ;
}

int
main(int argc, char **argv)
{
   char line[1024];
   struct vme_request q = {0};
   uint32_t answer[10][8];
   unsigned regs = 0, requests = 0, compared = 0, differ = 0;
   if (argc < 4 || argc > 6)
      return 2;
   uint32_t w = (uint32_t)strtoul(argv[1], NULL, 10), h = (uint32_t)strtoul(argv[2], NULL, 10);
   struct vme_picture *pictures[3] = {&q.source, &q.reference[0], &q.reference[1]};
   for (int i = 0; i < 3; i++)
      *pictures[i] =
          (struct vme_picture){w, h, load(argv[3 + i < argc ? 3 + i : 3], (size_t)w * h)};
   while (fgets(line, sizeof(line), stdin)) {
      unsigned i;
      if (!strncmp(line, "descriptor ", 11)) {
         memset(q.in, 0, sizeof(q.in));
         words(line + 11, &q.descriptor, 1);
         q.descriptor &= 0xfffffu & ~INDICES;
         regs = 0;
      } else if (sscanf(line, "M%u ", &i) == 1 && i < 9)
         words(line + 2, q.in[i], 8);
      else if (!strncmp(line, "state ", 6)) {
         uint32_t state[32] = {0};
         words(line + 6, state, 32);
         memcpy(q.state, state, sizeof(q.state));
      } else if (sscanf(line, "W%u ", &i) == 1 && i < 10)
         words(line + 2, answer[regs++ % 10], 8);
      else if (!strncmp(line, "end", 3)) {
         differ += compare(&q, regs, answer);
         compared += regs * 8;
         requests++;
      }
   }
   printf("%u requests, %u words, %u differ\n", requests, compared, differ);
   return differ != 0;
}
