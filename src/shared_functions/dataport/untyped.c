/* Untyped surface read, write and atomic: raw and structured buffers, SLM, stateless. */
#include "shared_functions/dataport/atomic.h"
#include "shared_functions/dataport/dataport.h"

enum { /* DP-244 */
       SIMD4X2 = GEN7_DP_UNTYPED_SURFACE_DESCRIPTOR_SIMD_MODE_SIMD4X2,
       SIMD16 = GEN7_DP_UNTYPED_SURFACE_DESCRIPTOR_SIMD_MODE_SIMD16,
       SIMD8 = GEN7_DP_UNTYPED_SURFACE_DESCRIPTOR_SIMD_MODE_SIMD8,
};

/* Where the slots of a message are: a byte offset each, and how many dwords from there are inside.
 */
struct place {
   unsigned slots, regs; /* regs: registers that one value of all slots takes */
   uint32_t exec;        /* slots that the send enables: they get an answer */
   uint32_t mask;        /* slots that touch memory to write */
   unsigned params;      /* address parameters sent */
   uint64_t offset[16];
   uint64_t end[16]; /* first byte outside, for the dwords of this slot */
};

/* DP-213, DP-214, DP-423, SMP-408, SMP-478 */
static void
check_surface(struct dp *d)
{
   if (d->s.type != SURFTYPE_BUFFER && d->s.type != SURFTYPE_STRBUF)
      dp_note(d, PERGOLA_ERROR, "DP-214", "surface %u is neither a buffer nor a structured buffer",
              d->bti);
   if (d->s.info->layout != FORMAT_RAW)
      dp_note(d, PERGOLA_ERROR, "DP-214", "format of surface %u is %s, not RAW", d->bti,
              d->s.info->name[0] ? d->s.info->name : "reserved");
   if (d->s.tiling != MEM_LINEAR)
      dp_note(d, PERGOLA_ERROR, "DP-213", "surface %u is tiled", d->bti);
   if (d->s.rules & (SURFACE_BAD_BASE | SURFACE_BAD_PITCH | SURFACE_BAD_SIZE))
      dp_note(d, PERGOLA_ERROR, "DP-423", "surface %u breaks the base, pitch or size rule", d->bti);
   if (d->s.rules & SURFACE_BAD_RAW_SIZE)
      dp_note(d, PERGOLA_ERROR, "DP-417", "size of raw buffer %u is no multiple of 4", d->bti);
}

static bool
open_surface(struct dp *d)
{
   if (d->bti >= DP_BTI_SLM)
      return dp_open_range(d, 1, 1, DP_ALLOW_SLM | DP_STATELESS_DOUBTFUL, "DP-214");
   if (!dp_bind(d, true))
      return false;
   if (d->s.type == SURFTYPE_NULL) {
      d->r = (struct dp_range){.null = true};
      return true;
   }
   if (__builtin_expect(d->s.rules || d->s.type > SURFTYPE_STRBUF || d->s.type < SURFTYPE_BUFFER ||
                            d->s.info->layout != FORMAT_RAW || d->s.tiling != MEM_LINEAR,
                        0))
      check_surface(d);
   uint64_t size = d->s.entries, room = (UINT64_C(1) << 32) - d->s.base;
   if (d->s.type == SURFTYPE_STRBUF)
      size = (size + d->s.min_array_element) * d->s.pitch_B;
   else if (d->s.type != SURFTYPE_BUFFER)
      size = 0;
   else if (d->s.info->layout != FORMAT_RAW)
      size *= d->s.pitch_B;
   /* Atomics need whole dwords: a base that is not aligned has been named, and loses its low bits.
    */
   d->r =
       (struct dp_range){.base = d->s.base & ~3u, .size = size < room ? size : room, .null = !size};
   return true;
}

/* DP-222: the data cache never sees the two low address bits. */
static uint64_t
aligned(struct dp *d, uint64_t offset, const char *rule)
{
   if (__builtin_expect((offset & 3) != 0, 0))
      dp_note(d, PERGOLA_WARNING, rule, "byte offset 0x%llx is not dword aligned",
              (unsigned long long)offset);
   return offset & ~UINT64_C(3);
}

static void
place_slot(struct dp *d, struct place *p, unsigned i, uint32_t u, uint32_t v)
{
   if (d->r.slm) {
      p->offset[i] = aligned(d, u, "DP-221") & 0xffff;
      p->end[i] = d->r.size;
   } else if (d->bti < DP_BTI_SLM && d->s.type == SURFTYPE_STRBUF) {
      uint32_t byte = (uint32_t)aligned(d, v, "DP-220");
      uint64_t element = ((uint64_t)u + d->s.min_array_element) * d->s.pitch_B; /* DP-189 */
      bool in = u < d->s.entries && byte < d->s.pitch_B;                        /* DP-233 */
      p->offset[i] = element + byte;
      p->end[i] = in ? element + d->s.pitch_B : 0;
      if (p->end[i] > d->r.size)
         p->end[i] = d->r.size;
   } else {
      p->offset[i] = aligned(d, u, "DP-221"); /* DP-188 */
      p->end[i] = d->r.size;
   }
   if (d->r.null)
      p->end[i] = 0;
}

/* DP-226, DP-227: the header's mask drops slots of writes; the send's own mask drops answers too.
 */
static void
place_masks(struct dp *d, struct place *p)
{
   p->exec = d->m->exec_mask & DP_ALL_SLOTS(p->slots);
   p->mask = p->exec;
   if (d->header)
      p->mask &= d->header[GEN7_DP_SURFACE_HEADER__PIXEL_SAMPLE_MASK_DW];
}

/* DP-259: what is neither header nor data is address. */
static void
place_slots(struct dp *d, struct place *p, unsigned simd, unsigned other_regs)
{
   p->slots = simd == SIMD16 ? 16 : 8;
   p->regs = p->slots / 8;
   p->params = d->data_regs > other_regs ? (d->data_regs - other_regs) / p->regs : 0;
   if (__builtin_expect(p->params < 1 || p->params > 4, 0))
      dp_note(d, PERGOLA_ERROR, "DP-259", "the message carries %u address parameters", p->params);
   place_masks(d, p);
   if (__builtin_expect(d->sanitizer != NULL, 0))
      dp_watch_payload(d, 0, p->slots, p->exec, 4, SANITIZE_READ, "its address");
   if (__builtin_expect(d->bti < DP_BTI_SLM && d->s.type == SURFTYPE_STRBUF, 0) || d->r.slm ||
       d->r.null) {
      for (unsigned i = 0; i < p->slots; i++) {
         uint32_t u = p->params >= 1 ? dp_in(d, i / 8)[i % 8] : 0;
         uint32_t v = p->params >= 2 ? dp_in(d, p->regs + i / 8)[i % 8] : 0; /* DP-265 */
         if (p->exec >> i & 1)
            place_slot(d, p, i, u, v);
      }
      return;
   }
   for (unsigned i = 0; i < p->slots; i++) {
      p->offset[i] = p->params >= 1 ? dp_in(d, i / 8)[i % 8] : 0;
      p->end[i] = d->r.size;
   }
   uint64_t low = 0;
   for (unsigned i = 0; i < p->slots; i++)
      low |= p->offset[i];
   if (__builtin_expect((low & 3) != 0, 0))
      for (unsigned i = 0; i < p->slots; i++)
         if (p->exec >> i & 1)
            p->offset[i] = aligned(d, p->offset[i], "DP-221");
}

/* One run of bytes: slot after slot, `stride` bytes each, all inside. */
static bool
one_run(const struct place *p, uint32_t mask, unsigned stride)
{
   if (mask != DP_ALL_SLOTS(p->slots))
      return false;
   uint64_t bad = 0;
   for (unsigned i = 1; i < p->slots; i++)
      bad |= p->offset[i] ^ (p->offset[0] + i * stride);
   return !bad && p->offset[0] + p->slots * stride <= p->end[0] &&
          p->end[0] == p->end[p->slots - 1];
}

/* The sanitizer looks at all slots at once, if they are inside. */
static void
watch(struct dp *d, const struct place *p, uint32_t mask, unsigned size, enum sanitize_kind kind)
{
   for (unsigned i = 0; i < p->slots; i++)
      if (mask >> i & 1 && p->offset[i] + size > p->end[i])
         return;
   dp_watch_slots(d, p->offset, p->slots, mask, size, kind);
}

static bool
dword_inside(struct dp *d, const struct place *p, unsigned i, uint64_t offset,
             enum sanitize_kind kind)
{
   d->channel = (uint8_t)i;
   if (offset + 4 <= p->end[i])
      return true;
   dp_outside(d, i, offset, 4, kind);
   return false;
}

/* DP-270, DP-279: two slots, one register. */
static enum sf_status
read_simd4x2(struct dp *d, unsigned channels)
{
   struct place p = {.slots = 2};
   dp_expect(d, 1, 1, "DP-270");
   const uint32_t *a = dp_in(d, 0);
   uint32_t address[2][2] = {{a[0], a[1]}, {a[4], a[5]}};
   uint32_t *out = dp_out(d, 0);
   for (unsigned i = 0; i < 2; i++) {
      if (!(d->m->exec_mask >> 4 * i & 15)) /* DP-229 */
         continue;
      place_slot(d, &p, i, address[i][0], address[i][1]);
      for (unsigned c = 0; c < 4; c++) {
         uint32_t v = 0;
         if (!(channels >> c & 1))
            continue;
         if (dword_inside(d, &p, i, p.offset[i] + 4 * c, SANITIZE_READ))
            dp_range_load(d, p.offset[i] + 4 * c, &v, 4);
         out[4 * i + c] = v;
      }
   }
   return SF_OK;
}

static void
read_run(struct dp *d, const struct place *p, unsigned count)
{
   uint32_t v[64];
   if (count == 1 && !d->r.slm && d->m->rlen >= p->regs) {
      dp_load(d, d->r.base + (uint32_t)p->offset[0], d->m->response, 4 * p->slots);
      return;
   }
   dp_range_load(d, p->offset[0], v, 4 * count * p->slots);
   for (unsigned c = 0; c < count; c++)
      for (unsigned r = 0; r < p->regs; r++) {
         uint32_t *out = dp_out(d, c * p->regs + r);
         for (unsigned i = 0; i < 8; i++)
            out[i] = v[(8 * r + i) * count + c];
      }
}

enum sf_status
dp_untyped_read(struct dp *d)
{
   unsigned simd = hw_get(d->m->desc, GEN7_DP_UNTYPED_SURFACE_DESCRIPTOR__SIMD_MODE),
            channels = hw_get(~d->m->desc, GEN7_DP_UNTYPED_SURFACE_DESCRIPTOR__CHANNEL_MASK);
   struct place p;
   if (simd == 3)
      return dp_reject(d, "DP-244", "SIMD mode 3 is reserved");
   if (!channels)
      return dp_reject(d, "DP-246", "the message reads no channel");
   if (!open_surface(d))
      return SF_OK;
   if (simd == SIMD4X2)
      return read_simd4x2(d, channels);
   unsigned count = dp_count4(channels);
   place_slots(d, &p, simd, 0);
   if (__builtin_expect(d->m->rlen != count * p.regs, 0))
      dp_expect(d, 0, count * p.regs, "DP-276");
   bool gapless = channels == DP_ALL_SLOTS(count);
   if (__builtin_expect(d->sanitizer != NULL, 0) && gapless)
      watch(d, &p, p.exec, 4 * count, SANITIZE_READ);
   if (gapless && !d->sanitizer && one_run(&p, p.exec, 4 * count)) {
      read_run(d, &p, count);
      return SF_OK;
   }
   /* DP-190: red is the lowest dword; DP-276, DP-277: masked channels take no register. */
   for (unsigned c = 0, at = 0; c < 4; c++) {
      uint32_t v[16] = {0};
      if (!(channels >> c & 1))
         continue;
      for (unsigned i = 0; i < p.slots; i++)
         /* DP-228, DP-230 */
         if (p.exec >> i & 1 && dword_inside(d, &p, i, p.offset[i] + 4 * c, SANITIZE_READ))
            dp_range_load(d, p.offset[i] + 4 * c, &v[i], 4);
      for (unsigned r = 0; r < p.regs; r++)
         dp_put(dp_out(d, at++), v + 8 * r, p.exec >> 8 * r);
   }
   return SF_OK;
}

static void
write_run(struct dp *d, const struct place *p, unsigned count, unsigned first)
{
   uint32_t v[64];
   if (count == 1) {
      dp_range_store(d, p->offset[0], dp_in(d, first), 4 * p->slots);
      return;
   }
   for (unsigned c = 0; c < count; c++)
      for (unsigned r = 0; r < p->regs; r++) {
         const uint32_t *in = dp_in(d, first + c * p->regs + r);
         for (unsigned i = 0; i < 8; i++)
            v[(8 * r + i) * count + c] = in[i];
      }
   dp_range_store(d, p->offset[0], v, 4 * count * p->slots);
}

static uint32_t
written(struct dp *d, const struct place *p, unsigned first, unsigned channel, unsigned slot)
{
   return dp_in(d, first + channel * p->regs + slot / 8)[slot % 8];
}

/* Do two slots have different values for a dword that both write? Slot `k` begins `apart` dwords
 * behind slot `i`. */
static bool
disagree(struct dp *d, const struct place *p, unsigned first, unsigned count, unsigned i,
         unsigned k, int apart)
{
   for (int c = 0; c < (int)count; c++) {
      int other = c - apart;
      if (other >= 0 && other < (int)count &&
          written(d, p, first, (unsigned)c, i) != written(d, p, first, (unsigned)other, k))
         return true;
   }
   return false;
}

/* False: no two slots write the same dword, by a set of their addresses' low bits. */
static bool
may_overlap(const struct place *p, unsigned count)
{
   uint64_t seen = 0;
   for (unsigned i = 0; i < p->slots; i++) {
      unsigned at = p->offset[i] >> 2 & 63;
      uint64_t dwords = (UINT64_C(1) << count) - 1;
      uint64_t mine = dwords << at | (at ? dwords >> (64 - at) : 0);
      if (!(p->mask >> i & 1))
         continue;
      if (seen & mine || p->offset[i] & 3)
         return true;
      seen |= mine;
   }
   return false;
}

/* DP-235: with equal values no order can be seen, and shaders whose channels all store one result
 * are common. */
static void
check_overlap(struct dp *d, const struct place *p, unsigned first, unsigned count)
{
   for (unsigned i = 0; i < p->slots; i++)
      for (unsigned k = i + 1; k < p->slots; k++) {
         if (!(p->mask >> i & p->mask >> k & 1))
            continue;
         int64_t apart = (int64_t)(p->offset[k] - p->offset[i]), size = 4 * (int64_t)count;
         if (apart > -size && apart < size &&
             (apart & 3 || disagree(d, p, first, count, i, k, (int)(apart / 4)))) {
            dp_note(d, PERGOLA_WARNING, "DP-235",
                    "slots %u and %u write different values to the same bytes: their order is "
                    "undefined",
                    i, k);
            if (d->sanitizer && p->offset[i] + 4 * count <= p->end[i])
               dp_watch_channels(d, p->offset[apart > 0 ? k : i], 4, i, k);
            return;
         }
      }
}

enum sf_status
dp_untyped_write(struct dp *d)
{
   unsigned simd = hw_get(d->m->desc, GEN7_DP_UNTYPED_SURFACE_DESCRIPTOR__SIMD_MODE),
            channels = hw_get(~d->m->desc, GEN7_DP_UNTYPED_SURFACE_DESCRIPTOR__CHANNEL_MASK);
   unsigned count = dp_count4(channels);
   struct place p;
   if (simd == SIMD4X2 || simd == 3)
      return dp_reject(d, "DP-244", "SIMD mode %u is not for writes", simd); /* DP-025 */
   if (!channels || (channels & (channels + 1)))
      return dp_reject(d, "DP-245",
                       "channel mask 0x%x leaves out a channel below one that is written",
                       ~channels & 15);
   if (!open_surface(d))
      return SF_OK;
   unsigned regs = simd == SIMD16 ? 2 : 1, data = count * regs;
   place_slots(d, &p, simd, data);
   dp_expect(d, data + p.regs, d->m->rlen == 1, "DP-263");
   unsigned first = p.params * p.regs;
   bool run = d->data_regs >= first + data && one_run(&p, p.mask, 4 * count);
   if (!run && (rules_on(d->t->env->dev) || d->sanitizer) && may_overlap(&p, count))
      check_overlap(d, &p, first, count);
   if (__builtin_expect(d->sanitizer != NULL, 0)) {
      for (unsigned c = 0; c < count; c++)
         dp_watch_payload(d, first + c * p.regs, p.slots, p.mask, 4, SANITIZE_WRITE,
                          "what it stores");
      watch(d, &p, p.mask, 4 * count, SANITIZE_WRITE);
   }
   if (run && !d->sanitizer) {
      write_run(d, &p, count, first);
      return SF_OK;
   }
   for (unsigned c = 0; c < count; c++)
      for (unsigned i = 0; i < p.slots; i++)
         /* DP-231 */
         if (p.mask >> i & 1 && dword_inside(d, &p, i, p.offset[i] + 4 * c, SANITIZE_WRITE))
            dp_range_store(d, p.offset[i] + 4 * c, &dp_in(d, first + c * p.regs + i / 8)[i % 8], 4);
   return SF_OK;
}

/* DP-209: 64 bits at once; DP-222: the address loses its low three bits. */
static void
cmpwr8b(struct dp *d, struct place *p, unsigned first, uint32_t result[2][16])
{
   for (unsigned i = 0; i < p->slots; i++) {
      uint64_t value[2];
      if (!(p->mask >> i & 1))
         continue;
      if (p->offset[i] & 7)
         dp_note(d, PERGOLA_ERROR, "DP-211", "byte offset 0x%llx is not qword aligned",
                 (unsigned long long)p->offset[i]);
      uint64_t offset = p->offset[i] & ~UINT64_C(7);
      if (offset + 8 > p->end[i])
         continue;
      for (unsigned s = 0; s < 2; s++) { /* DP-262, DP-267: low then high dword of each source */
         uint32_t lo = dp_in(d, first + 2 * s * p->regs + i / 8)[i % 8];
         uint32_t hi = dp_in(d, first + (2 * s + 1) * p->regs + i / 8)[i % 8];
         value[s] = (uint64_t)hi << 32 | lo;
      }
      uint64_t *host = (uint64_t *)(void *)dp_atomic_host(d, offset);
      if (!host || (uintptr_t)host & 7)
         continue;
      __atomic_compare_exchange_n(host, &value[0], value[1], false, __ATOMIC_RELAXED,
                                  __ATOMIC_RELAXED);
      result[0][i] = (uint32_t)value[0];
      result[1][i] = (uint32_t)(value[0] >> 32);
   }
}

static void
atomic32(struct dp *d, struct place *p, unsigned op, unsigned first, uint32_t *result)
{
   unsigned sources = dp_atomic_sources(op);
   for (unsigned i = 0; i < p->slots; i++) {
      if (!(p->mask >> i & 1) || !dword_inside(d, p, i, p->offset[i], SANITIZE_ATOMIC))
         continue;
      uint32_t src0 = sources > 0 ? dp_in(d, first + i / 8)[i % 8] : 0;
      uint32_t src1 = sources > 1 ? dp_in(d, first + p->regs + i / 8)[i % 8] : 0;
      uint32_t *host = dp_atomic_host(d, p->offset[i]); /* DP-191 */
      if (host)
         result[i] = dp_atomic(host, op, src0, src1);
   }
}

enum sf_status
dp_untyped_atomic(struct dp *d)
{
   struct hw_dp_untyped_atomic_descriptor desc; /* DP-249 */
   gen7_dp_untyped_atomic_descriptor_unpack(&desc, &d->m->desc);
   unsigned op = desc.atomic_operation_type, sources = dp_atomic_sources(op);
   bool simd8 = desc.simd_mode == GEN7_DP_UNTYPED_ATOMIC_DESCRIPTOR_SIMD_MODE_SIMD8,
        returns = desc.return_data_control;
   unsigned words = op == 0 ? 2 : 1;
   struct place p;
   uint32_t result[2][16] = {{0}};
   if (!open_surface(d))
      return SF_OK;
   if (d->r.slm && op == 0)
      return dp_reject(d, "DP-210",
                       "a 64-bit compare and write cannot be done in shared local memory");
   unsigned data = sources * (simd8 ? 1 : 2);
   place_slots(d, &p, simd8 ? SIMD8 : SIMD16, data);
   dp_expect(d, data + p.regs, returns ? words * p.regs : 0, "DP-261");
   d->exchanges = op == OP_MOV;
   if (__builtin_expect(d->sanitizer != NULL, 0) && op)
      watch(d, &p, p.mask, 4, SANITIZE_ATOMIC);
   if (op == 0)
      cmpwr8b(d, &p, p.params * p.regs, result);
   else
      atomic32(d, &p, op, p.params * p.regs, result[0]);
   if (!returns) /* DP-280 */
      return SF_OK;
   for (unsigned w = 0; w < words; w++) /* DP-281, DP-282, DP-283, DP-284 */
      for (unsigned r = 0; r < p.regs; r++)
         dp_put(dp_out(d, w * p.regs + r), result[w] + 8 * r, p.exec >> 8 * r);
   dp_watch_exchanged(d, 0);
   return SF_OK;
}
