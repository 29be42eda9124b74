/* DWord and byte scattered messages. */
#include "shared_functions/dataport/dataport.h"

/* Slots of one message: byte offsets (64 bits: DP-058) and what is enabled. */
struct slots {
   unsigned count;
   uint32_t mask;
   uint64_t offset[16];
};

static void
gather(struct dp *d, struct slots *s, unsigned count, unsigned scale)
{
   uint64_t global = dp_global_offset(d);
   s->count = count;
   s->mask = d->m->exec_mask & DP_ALL_SLOTS(count);
   for (unsigned i = 0; i < count; i++)
      s->offset[i] = (global + dp_in(d, i / 8)[i % 8]) * scale;
   if (__builtin_expect(d->sanitizer != NULL, 0))
      dp_watch_payload(d, 0, count, s->mask, 4, SANITIZE_READ, "its address");
   if (d->r.slm) /* DP-233: addresses wrap */
      for (unsigned i = 0; i < count; i++)
         s->offset[i] &= 0xffff;
}

/* Are all slots enabled, inside and one after the other? Then it is one copy (DP-161). */
static bool
consecutive(const struct dp *d, const struct slots *s)
{
   if (s->mask != DP_ALL_SLOTS(s->count) || d->r.null)
      return false;
   uint64_t bad = 0;
   for (unsigned i = 1; i < s->count; i++)
      bad |= s->offset[i] ^ (s->offset[0] + 4 * i);
   return !bad && s->offset[0] + 4 * s->count <= d->r.size;
}

/* The sanitizer looks at all slots at once, if they are inside. */
static void
watch(struct dp *d, const struct slots *s, unsigned size, enum sanitize_kind kind)
{
   for (unsigned i = 0; i < s->count; i++)
      if (s->mask >> i & 1 && (d->r.null || s->offset[i] + size > d->r.size))
         return;
   dp_watch_slots(d, s->offset, s->count, s->mask, size, kind);
}

static bool
inside(struct dp *d, unsigned slot, uint64_t offset, unsigned size, enum sanitize_kind kind)
{
   d->channel = (uint8_t)slot;
   if (!d->r.null && offset + size <= d->r.size)
      return true;
   dp_outside(d, slot, offset, size, kind);
   return false;
}

static void
read_slots(struct dp *d, const struct slots *s, unsigned size)
{
   uint32_t v[16];
   if (__builtin_expect(d->sanitizer != NULL, 0))
      watch(d, s, size, SANITIZE_READ);
   if (size == 4 && !d->sanitizer && consecutive(d, s)) {
      dp_range_load(d, s->offset[0], v, 4 * s->count);
   } else {
      for (unsigned i = 0; i < s->count; i++) {
         v[i] = 0; /* DP-164, DP-175 */
         if (s->mask >> i & 1 && inside(d, i, s->offset[i], size, SANITIZE_READ))
            dp_range_load(d, s->offset[i], &v[i], size);
      }
   }
   for (unsigned r = 0; r < s->count / 8; r++) {
      uint32_t *out = dp_out(d, r);
      if (size == 4) {
         dp_put(out, v + 8 * r, s->mask >> 8 * r);
         continue;
      }
      for (unsigned i = 0; i < 8; i++) /* DP-181: the bytes above keep their value */
         if (s->mask >> (8 * r + i) & 1)
            memcpy(&out[i], &v[8 * r + i], size);
   }
}

static bool
differ(struct dp *d, unsigned first_reg, unsigned i, unsigned k, unsigned size)
{
   return memcmp(&dp_in(d, first_reg + i / 8)[i % 8], &dp_in(d, first_reg + k / 8)[k % 8], size);
}

/* DP-159, DP-177: told only when someone listens. */
static void
check_overlap(struct dp *d, const struct slots *s, unsigned size, unsigned first_reg,
              const char *rule)
{
   for (unsigned i = 0; i < s->count; i++)
      for (unsigned k = i + 1; k < s->count; k++) {
         uint64_t a = s->offset[i], b = s->offset[k];
         if ((s->mask >> i & 1) && (s->mask >> k & 1) && (a > b ? a - b : b - a) < size) {
            dp_note(d, PERGOLA_WARNING, rule,
                    "slots %u and %u write the same bytes: their order is undefined", i, k);
            if (d->sanitizer && (a != b || differ(d, first_reg, i, k, size)))
               dp_watch_channels(d, a > b ? a : b, size, i, k);
            return;
         }
      }
}

static void
write_slots(struct dp *d, const struct slots *s, unsigned size, unsigned first_reg,
            const char *rule)
{
   unsigned regs = s->count / 8;
   bool run = size == 4 && consecutive(d, s) && d->data_regs >= first_reg + regs;
   if (!run && (rules_on(d->t->env->dev) || d->sanitizer))
      check_overlap(d, s, size, first_reg, rule);
   if (__builtin_expect(d->sanitizer != NULL, 0)) {
      dp_watch_payload(d, first_reg, s->count, s->mask, size, SANITIZE_WRITE, "what it stores");
      watch(d, s, size, SANITIZE_WRITE);
   }
   if (run && !d->sanitizer) {
      dp_range_store(d, s->offset[0], dp_in(d, first_reg), 4 * s->count);
      return;
   }
   for (unsigned i = 0; i < s->count; i++)
      /* DP-176: whole or not at all */
      if (s->mask >> i & 1 && inside(d, i, s->offset[i], size, SANITIZE_WRITE))
         dp_range_store(d, s->offset[i], &dp_in(d, first_reg + i / 8)[i % 8], size);
}

/* DP-165: slots by Block Size; 0: reserved. */
static const uint8_t dword_slots[4] = {0, 0, 8, 16};

enum sf_status
dp_dword_scattered_read(struct dp *d)
{
   unsigned code = hw_get(d->m->desc, GEN7_DP_DWORD_SCATTERED_DESCRIPTOR__BLOCK_SIZE),
            count = dword_slots[code];
   struct slots s;
   if (!count)
      return dp_reject(d, "DP-165", "block size %u is reserved", code);
   dp_expect(d, count / 8, count / 8, "DP-166");
   if (!dp_open_range(d, 16, 4, 0, "DP-162"))
      return SF_OK;
   gather(d, &s, count, 4); /* DP-056 */
   read_slots(d, &s, 4);
   return SF_OK;
}

enum sf_status
dp_dword_scattered_write(struct dp *d)
{
   unsigned code = hw_get(d->m->desc, GEN7_DP_DWORD_SCATTERED_DESCRIPTOR__BLOCK_SIZE),
            count = dword_slots[code];
   struct slots s;
   if (!count)
      return dp_reject(d, "DP-165", "block size %u is reserved", code);
   dp_expect(d, count / 4, d->m->rlen == 1, "DP-168");
   if (!dp_open_range(d, 16, 4, 0, "DP-162"))
      return SF_OK;
   gather(d, &s, count, 4);
   write_slots(d, &s, 4, count / 8, "DP-159");
   return SF_OK;
}

static bool
byte_form(struct dp *d, unsigned *size, unsigned *count)
{
   struct hw_dp_byte_scattered_descriptor desc; /* DP-178 */
   gen7_dp_byte_scattered_descriptor_unpack(&desc, &d->m->desc);
   *size = 1u << desc.data_size;
   *count = desc.simd_mode == GEN7_DP_BYTE_SCATTERED_DESCRIPTOR_SIMD_MODE_SIMD16 ? 16 : 8;
   if (desc.data_size > GEN7_DP_BYTE_SCATTERED_DESCRIPTOR_DATA_SIZE_4_BYTES) {
      dp_reject(d, "DP-178", "data size 3 is reserved");
      return false;
   }
   return true;
}

enum sf_status
dp_byte_scattered_read(struct dp *d)
{
   unsigned size, count;
   struct slots s;
   if (!byte_form(d, &size, &count))
      return SF_OK;
   dp_expect(d, count / 8, count / 8, "DP-179");
   if (!dp_open_range(d, 4, 4, DP_ALLOW_SLM | DP_STATELESS_DOUBTFUL, "DP-171"))
      return SF_OK;
   gather(d, &s, count, 1);
   read_slots(d, &s, size);
   return SF_OK;
}

enum sf_status
dp_byte_scattered_write(struct dp *d)
{
   unsigned size, count;
   struct slots s;
   if (!byte_form(d, &size, &count))
      return SF_OK;
   dp_expect(d, count / 4, d->m->rlen == 1, "DP-180");
   if (!dp_open_range(d, 4, 4, DP_ALLOW_SLM | DP_STATELESS_DOUBTFUL, "DP-171"))
      return SF_OK;
   gather(d, &s, count, 1);
   write_slots(d, &s, size, count / 8, "DP-177");
   return SF_OK;
}
