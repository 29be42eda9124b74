#include "hang/replay_aub.h"

#include "hang/aub.h"
#include "hang/page_hash.h"
#include "hang/replay_memory.h"
#include "hw/header.h"
#include "machine/device.h"
#include "pergola/pergola_runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_BUDGET UINT64_C(20000000000)
#define HUNG_BUDGET 1000000u /* of a ring that is known to hang */
#define HOST_BUDGET 4000000u /* of one that may wait for what the host writes */
#define CONTEXTS (1u << 14)
#define WORDS (REPLAY_TABLE / 64) /* of a bit for every page */
#define IMAGE_PAGES 2u
/* Pages of our own: a ring and a status page an engine, then images of two contexts. */
#define OWN_RING 0u
#define OWN_STATUS CAPTURE_ENGINES
#define OWN_IMAGES (2 * CAPTURE_ENGINES)
#define OWN_PAGES (OWN_IMAGES + 2 * IMAGE_PAGES)

struct aub_context {
   uint64_t number;
   uint8_t image[IMAGE_PAGES * REPLAY_PAGE];
};

struct aub_replay {
   const struct capture *capture;
   struct replay_options options;
   struct pergola_device *dev;
   struct replay_memory memory;
   uint64_t sum;                        /* of the hashes of all pages */
   const struct capture_block *objects; /* what the last ring has written; NULL: it is not said */
   uint32_t tail[CAPTURE_ENGINES];      /* behind what is written */
   uint32_t sent[CAPTURE_ENGINES];      /* as the engine knows it */
   struct aub_context *context[CONTEXTS], *current; /* NULL: one that the file does not name */
   unsigned contexts, place;
   uint8_t untouched[IMAGE_PAGES * REPLAY_PAGE]; /* the image of a context that nobody has used */
   uint64_t begin_ns; /* when the next ring began; 0: the file does not say */
   bool stuck;        /* an engine does not go on */
   bool ran;          /* a ring, since memory was last compared */
   struct aub_replay_outcome outcome;
};

static void
put(struct aub_replay *r, unsigned engine, uint32_t offset, uint32_t value)
{
   pergola_mmio_write(r->dev, engine_base[engine] + offset, 4, value);
}

static uint32_t
own_address(const struct aub_replay *r, unsigned page)
{
   return r->memory.own + page * REPLAY_PAGE;
}

static void
load_directory(struct aub_replay *r, unsigned engine)
{
   put(r, engine, ENGINE_PP_DCLV, ~0u);
   put(r, engine, ENGINE_PP_DCLV + 4, ~0u);
   put(r, engine, ENGINE_PP_DIR_BASE,
       hw_put(r->memory.directory / 16, REG_RCS_PP_DIR_BASE__PAGE_DIRECTORY_BASE_OFFSET));
}

static void
start_engine(struct aub_replay *r, unsigned engine)
{
   static const uint32_t status[] = {REG_RCS_HWS_PGA, REG_VCS_HWS_PGA, REG_BCS_HWS_PGA};
   const uint32_t ppgtt = REG_RCS_GFX_MODE__PER_PROCESS_GTT_ENABLE;
   pergola_mmio_write(r->dev, status[engine], 4, own_address(r, OWN_STATUS + engine));
   put(r, engine, ENGINE_RING_BUFFER_START, own_address(r, OWN_RING + engine));
   load_directory(r, engine);
   put(r, engine, ENGINE_GFX_MODE, ppgtt << 16 | ppgtt);
   put(r, engine, ENGINE_RING_BUFFER_CTL, 1);
}

static bool
is_idle(struct aub_replay *r, unsigned engine)
{
   return pergola_mmio_read(r->dev, engine_base[engine] + ENGINE_INSTDONE, 4) & 1;
}

static enum pergola_run_result
run_for(struct aub_replay *r, uint64_t budget)
{
   enum pergola_run_result result;
   for (unsigned e = 0; e < CAPTURE_ENGINES; e++)
      put(r, e, ENGINE_RING_BUFFER_TAIL, r->sent[e] = r->tail[e]);
   do {
      result = pergola_run_turn(r->dev);
      budget -= budget < PERGOLA_TURN ? budget : PERGOLA_TURN;
   } while (result == PERGOLA_RUN_BUDGET && budget);
   return result;
}

static uint64_t
at_most(const struct aub_replay *r, uint64_t budget)
{
   return r->options.budget && r->options.budget < budget ? r->options.budget : budget;
}

static enum pergola_run_result
run(struct aub_replay *r)
{
   return run_for(r, r->options.budget ? r->options.budget : DEFAULT_BUDGET);
}

/* An idle ring begins anew, when all that was written into it has been done. */
static void
make_room(struct aub_replay *r, unsigned engine)
{
   if (is_idle(r, engine) && r->sent[engine] != r->tail[engine])
      run(r);
   if (!is_idle(r, engine))
      return;
   put(r, engine, ENGINE_RING_BUFFER_CTL, 0);
   put(r, engine, ENGINE_RING_BUFFER_TAIL, 0);
   put(r, engine, ENGINE_RING_BUFFER_HEAD, 0);
   put(r, engine, ENGINE_RING_BUFFER_CTL, 1);
   r->tail[engine] = r->sent[engine] = 0;
}

/* Behind what the ring has. False: too long. */
static bool
append(struct aub_replay *r, unsigned engine, const uint32_t *dw, unsigned count)
{
   unsigned padded = count + (count & 1);
   if (r->tail[engine] + 4 * padded >= REPLAY_PAGE)
      make_room(r, engine);
   if (padded > REPLAY_PAGE / 4 || r->tail[engine] + 4 * padded >= REPLAY_PAGE)
      return false;
   uint8_t *to = replay_memory_own(&r->memory, OWN_RING + engine) + r->tail[engine];
   memset(to, 0, 4 * padded);
   memcpy(to, dw, 4 * count);
   r->tail[engine] += 4 * padded;
   return true;
}

/* ---- contexts -------------------------------------------------------------------------------
 *
 * The image of the context that the engine has lies in one of two places, by turns: the switch to
 * another saves it there, and from there it goes to those that are kept. */

static void
copy_image(struct aub_replay *r, unsigned place, uint8_t *image, bool save)
{
   for (unsigned page = 0; page < IMAGE_PAGES; page++) {
      uint8_t *there = replay_memory_own(&r->memory, OWN_IMAGES + place * IMAGE_PAGES + page);
      uint8_t *kept = image + page * REPLAY_PAGE;
      memcpy(save ? kept : there, save ? there : kept, REPLAY_PAGE);
   }
}

/* To the context whose image lies in the other place. */
static bool
switch_place(struct aub_replay *r, bool inhibit)
{
   uint32_t dw[GEN7_MI_SET_CONTEXT_LENGTH + 2] = {0}; /* RCS-166: MI_NOOP follows */
   r->place = !r->place;
   gen7_mi_set_context_pack(
       dw, &(struct hw_mi_set_context){.logical_context_address =
                                           own_address(r, OWN_IMAGES + r->place * IMAGE_PAGES),
                                       .extended_state_save_enable = true,
                                       .extended_state_restore_enable = true,
                                       .restore_inhibit = inhibit});
   const uint32_t off = GEN7_MI_ARB_ON_OFF_HEADER, on = GEN7_MI_ARB_ON_OFF_HEADER | 1;
   return append(r, 0, &off, 1) && append(r, 0, dw, GEN7_MI_SET_CONTEXT_LENGTH + 2) &&
          append(r, 0, &on, 1) && run(r) == PERGOLA_RUN_IDLE;
}

/* A context that nothing has touched, saved by the switch to the next one. */
static bool
record_default(struct aub_replay *r)
{
   if (!switch_place(r, true) || !switch_place(r, true))
      return false;
   copy_image(r, !r->place, r->untouched, true);
   return true;
}

static struct aub_context *
find_context(struct aub_replay *r, uint64_t number)
{
   for (unsigned i = 0; i < r->contexts; i++)
      if (r->context[i]->number == number)
         return r->context[i];
   struct aub_context *c = r->contexts < CONTEXTS ? malloc(sizeof(*c)) : NULL;
   if (!c)
      return NULL;
   c->number = number;
   memcpy(c->image, r->untouched, sizeof(c->image));
   return r->context[r->contexts++] = c;
}

static bool
use_context(struct aub_replay *r, uint64_t number)
{
   struct aub_context *old = r->current, *c = find_context(r, number);
   if (!c || c == old)
      return c != NULL;
   copy_image(r, !r->place, c->image, false);
   r->current = c;
   if (!switch_place(r, false))
      return false;
   if (old)
      copy_image(r, !r->place, old->image, true);
   return true;
}

/* ---- packets -------------------------------------------------------------------------------- */

/* The file writes pages; the ring has written those that the file has; or nobody knows what is in
 * them any more, and they do not count until the file writes them again. */
enum mark { FILE_WRITES, RING_WRITES, FORGOTTEN };

static void
mark_word(struct aub_replay *r, struct replay_table *t, unsigned word, uint64_t bits, enum mark how)
{
   if (how == FILE_WRITES)
      t->seen[word] |= bits;
   bits &= t->seen[word];
   t->stale[word] = how == FORGOTTEN ? t->stale[word] & ~bits : t->stale[word] | bits;
   if (how != FORGOTTEN)
      return;
   t->seen[word] &= ~bits;
   for (; bits; bits &= bits - 1) {
      uint64_t *hash = &t->hash[64 * word + (unsigned)__builtin_ctzll(bits)];
      r->sum -= *hash;
      *hash = 0;
   }
}

static void
mark(struct aub_replay *r, uint64_t address, uint64_t size, enum mark how)
{
   uint64_t page = address / REPLAY_PAGE, end = (address + size + REPLAY_PAGE - 1) / REPLAY_PAGE;
   end = end < REPLAY_PAGES ? end : REPLAY_PAGES;
   for (uint64_t n; size && page < end; page += n) {
      n = 64 - page % 64; /* of this word */
      n = n < end - page ? n : end - page;
      uint64_t bits = (n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX) << page % 64;
      struct replay_table *t = r->memory.space->table[page / REPLAY_TABLE];
      if (t)
         mark_word(r, t, page % REPLAY_TABLE / 64, bits, how);
   }
}

static void
write_memory(struct aub_replay *r, const struct capture_block *b)
{
   if (!replay_memory_write(&r->memory, b))
      r->outcome.error = "it has more memory at a time than can be taken in";
   else if (b->address < (uint64_t)REPLAY_PAGES * REPLAY_PAGE)
      mark(r, b->address, b->size, FILE_WRITES);
}

static void
hash_table(struct aub_replay *r, const struct replay_space *s, unsigned table)
{
   struct replay_table *t = s->table[table];
   for (unsigned i = 0; i < WORDS; i++)
      for (; t->stale[i]; t->stale[i] &= t->stale[i] - 1) {
         unsigned at = 64 * i + (unsigned)__builtin_ctzll(t->stale[i]);
         uint64_t page = (uint64_t)table * REPLAY_TABLE + at;
         uint64_t now = t->place[at] ? page_hash(page * REPLAY_PAGE,
                                                 replay_memory_bytes(&r->memory, t->place[at]))
                                     : 0;
         r->sum += now - t->hash[at];
         t->hash[at] = now;
      }
}

static void
hash_space(struct aub_replay *r, const struct replay_space *s, bool all)
{
   for (unsigned i = 0; i < REPLAY_TABLES; i++)
      if (s->table[i]) {
         if (all)
            memcpy(s->table[i]->stale, s->table[i]->seen, sizeof(s->table[i]->stale));
         hash_table(r, s, i);
      }
}

/* Pairs of numbers, up to the end of the text; one without that end, or with more than all of
 * memory, is not believed. The ring has written there; or they are lost, or even gone. */
static bool
take_pages(struct aub_replay *r, const struct capture_block *b, const char *word, enum mark how,
           bool gone)
{
   if (b->bytes[b->size - 1])
      return false;
   const char *at = (const char *)b->bytes + strlen(word);
   uint64_t total = 0;
   while (*at == ' ') {
      char *end;
      uint32_t address = (uint32_t)strtoull(at, &end, 16);
      uint32_t size = (uint32_t)strtoull(end, &end, 16);
      total += size;
      if (end == at || total > (uint64_t)REPLAY_PAGES * REPLAY_PAGE)
         return false;
      mark(r, address, size, how);
      if (gone)
         replay_memory_drop(&r->memory, address, size);
      at = end;
   }
   return true;
}

static void
compare(struct aub_replay *r, uint64_t recorded)
{
   struct aub_replay_outcome *o = &r->outcome;
   bool told = r->objects && take_pages(r, r->objects, AUB_WORD_OBJECTS, RING_WRITES, false);
   hash_space(r, r->memory.space, !told && r->ran); /* if it is not told, it may be anything */
   r->objects = NULL;
   r->ran = false;
   o->compared++;
   if (r->sum == recorded)
      return;
   o->first = o->different ? o->first : o->rings;
   o->different++;
}

/* What lay outside the objects of a batch has not changed either. */
static void
compare_rest(struct aub_replay *r)
{
   for (unsigned i = 0; i < r->memory.spaces; i++)
      hash_space(r, r->memory.all[i], false);
   uint64_t before = r->sum;
   for (unsigned i = 0; i < r->memory.spaces; i++)
      hash_space(r, r->memory.all[i], true);
   if (r->outcome.compared && !r->outcome.hangs && r->sum != before)
      compare(r, before);
}

/* Does it begin with this word? Then also the number behind it. */
static bool
says(const struct capture_block *b, const char *word, uint64_t *number)
{
   char text[64] = "";
   size_t length = strlen(word);
   memcpy(text, b->bytes, b->size < sizeof(text) - 1 ? b->size : sizeof(text) - 1);
   if (strncmp(text, word, length) || (text[length] && text[length] != ' '))
      return false;
   *number = strtoull(text + length, NULL, 16);
   return true;
}

/* The engines load the directory again: its entries are others now. */
static void
use_space(struct aub_replay *r, uint64_t number)
{
   hash_space(r, r->memory.space, false); /* it is looked at while it is in use */
   if (!replay_memory_use(&r->memory, number)) {
      r->outcome.error = "it has more address spaces than can be kept";
      return;
   }
   for (unsigned e = 0; e < CAPTURE_ENGINES; e++)
      load_directory(r, e);
}

static void
remark(struct aub_replay *r, const struct capture_block *b)
{
   uint64_t number;
   if (says(b, AUB_WORD_CONTEXT, &number) && !use_context(r, number))
      r->outcome.error = "it has more contexts than can be kept";
   else if (says(b, AUB_WORD_TIME, &number))
      r->begin_ns = number;
   else if (says(b, AUB_WORD_OBJECTS, &number))
      r->objects = b;
   else if (says(b, AUB_WORD_MEMORY, &number))
      compare(r, number);
   else if (says(b, AUB_WORD_SPACE, &number))
      use_space(r, number);
   else if (says(b, AUB_WORD_UNBOUND, &number))
      take_pages(r, b, AUB_WORD_UNBOUND, FORGOTTEN, true);
   else if ((says(b, AUB_WORD_LOST, &number) || says(b, AUB_WORD_HUNG, &number)) && r->objects) {
      take_pages(r, r->objects, AUB_WORD_OBJECTS, FORGOTTEN, false);
      r->objects = NULL;
   }
}

/* What the kernel puts before a batch: caches do not know what the host has written. A post-sync
 * write goes with the invalidation of translations. */
static bool
invalidate(struct aub_replay *r, unsigned engine)
{
   uint32_t dw[8];
   if (engine) {
      gen7_mi_flush_dw_pack(
          dw, &(struct hw_mi_flush_dw){
                  .tlb_invalidate = true,
                  .post_sync_operation = GEN7_MI_FLUSH_DW_POST_SYNC_OPERATION_WRITE_IMMEDIATE_DATA,
                  .address = own_address(r, OWN_STATUS + engine),
                  .destination_address_type = true});
      return append(r, engine, dw, GEN7_MI_FLUSH_DW_LENGTH);
   }
   gen7_pipe_control_pack(dw, &(struct hw_pipe_control){.command_streamer_stall_enable = true,
                                                        .stall_at_pixel_scoreboard = true});
   bool ok = append(r, engine, dw, GEN7_PIPE_CONTROL_LENGTH);
   gen7_pipe_control_pack(
       dw, &(struct hw_pipe_control){.command_streamer_stall_enable = true,
                                     .stall_at_pixel_scoreboard = true,
                                     .tlb_invalidate = true,
                                     .instruction_cache_invalidate_enable = true,
                                     .texture_cache_invalidation_enable = true,
                                     .vf_cache_invalidation_enable = true,
                                     .constant_cache_invalidation_enable = true,
                                     .state_cache_invalidation_enable = true,
                                     .generic_media_state_clear = true,
                                     .post_sync_operation =
                                         GEN7_PIPE_CONTROL_POST_SYNC_OPERATION_WRITE_IMMEDIATE_DATA,
                                     .destination_address_type = true,
                                     .address = own_address(r, OWN_STATUS)});
   return ok && append(r, engine, dw, GEN7_PIPE_CONTROL_LENGTH);
}

/* Batches may write the time to memory. */
static void
wait_until(struct aub_replay *r)
{
   uint64_t now = pergola_time_ns(r->dev);
   if (r->begin_ns > now && r->begin_ns - now < UINT64_C(1) << 62)
      clock_advance(r->dev, r->begin_ns - now);
   r->begin_ns = 0;
}

/* Is the ring that comes at this place recorded as one that hung? Remarks on it follow. */
static bool
hung_then(const struct capture *c, unsigned ring)
{
   uint64_t number;
   for (unsigned i = ring + 1; i < c->blocks && c->block[i].kind != CAPTURE_RING; i++)
      if (c->block[i].kind == CAPTURE_REMARK && says(&c->block[i], AUB_WORD_HUNG, &number))
         return true;
   return false;
}

/* As the kernel does it; the context that the engine had is not saved. */
static void
reset_engine(struct aub_replay *r, unsigned engine)
{
   static const uint32_t domain[] = {REG_GDRST__RENDER_DOMAIN_RESET, REG_GDRST__MEDIA_DOMAIN_RESET,
                                     REG_GDRST__BLITTER_DOMAIN_RESET};
   pergola_mmio_write(r->dev, REG_GDRST, 4, domain[engine]);
   r->tail[engine] = r->sent[engine] = 0;
   start_engine(r, engine);
   if (!engine)
      r->current = NULL;
}

static void
run_hung(struct aub_replay *r, unsigned engine)
{
   if (run_for(r, at_most(r, HUNG_BUDGET)) == PERGOLA_RUN_IDLE) {
      r->outcome.error = "a batch ends that hung when it was recorded";
      return;
   }
   r->outcome.hung++;
   reset_engine(r, engine);
}

/* What the host has written while the ring was run follows it, before the remarks on its end: the
 * ring may wait for that. False: there is nothing. */
static bool
write_meanwhile(struct aub_replay *r, unsigned first)
{
   const struct capture *c = r->capture;
   unsigned end = first;
   while (end < c->blocks && c->block[end].kind == CAPTURE_MEMORY)
      end++;
   if (end == first || end == c->blocks || c->block[end].kind != CAPTURE_REMARK)
      return false;
   for (unsigned i = first; i < end; i++)
      write_memory(r, &c->block[i]);
   return true;
}

/* Does it start a batch through the GGTT? */
static bool
is_secure(const struct capture_block *ring)
{
   for (size_t at = 0; at + 4 <= ring->size; at += 4) {
      uint32_t dw;
      memcpy(&dw, ring->bytes + at, 4);
      if ((dw & HW_MI_HEADER) == GEN7_MI_BATCH_BUFFER_START_HEADER &&
          !(dw & GEN7_MI_BATCH_BUFFER_START__ADDRESS_SPACE_INDICATOR))
         return true;
   }
   return false;
}

/* One that waits may wait for another engine's. A file that does not tell address spaces has one
 * flat memory, in both. */
static void
run_ring(struct aub_replay *r, unsigned at)
{
   const struct capture_block *b = &r->capture->block[at];
   unsigned engine = b->engine >= 0 && b->engine < (int)CAPTURE_ENGINES ? (unsigned)b->engine : 0;
   if (!r->memory.space->number || is_secure(b))
      replay_memory_show(&r->memory);
   replay_memory_settle(&r->memory);
   bool fits = b->size <= REPLAY_PAGE / 2 && invalidate(r, engine);
   if (fits && r->begin_ns) {
      run(r);
      wait_until(r);
   }
   if (!fits ||
       !append(r, engine, (const uint32_t *)(const void *)b->bytes, (unsigned)b->size / 4)) {
      r->outcome.error = "a ring has more commands than a page";
      return;
   }
   r->outcome.rings++;
   r->ran = true;
   if (hung_then(r->capture, at)) {
      run_hung(r, engine);
      return;
   }
   enum pergola_run_result result = run_for(r, at_most(r, HOST_BUDGET));
   if (result != PERGOLA_RUN_IDLE && result != PERGOLA_RUN_STOPPED && write_meanwhile(r, at + 1))
      result = PERGOLA_RUN_BUDGET;
   if (result == PERGOLA_RUN_BUDGET)
      result = run(r);
   r->outcome.hangs = result != PERGOLA_RUN_IDLE;
   r->stuck = result != PERGOLA_RUN_IDLE && result != PERGOLA_RUN_WAITING;
}

void
aub_replay_run(struct aub_replay *r, struct aub_replay_outcome *out)
{
   for (unsigned i = 0; !r->outcome.error && !r->stuck && i < r->capture->blocks; i++) {
      const struct capture_block *b = &r->capture->block[i];
      switch (b->kind) {
      case CAPTURE_RING:
         run_ring(r, i);
         break;
      case CAPTURE_REMARK:
         remark(r, b);
         break;
      case CAPTURE_REGISTER:
         if (b->size >= 4)
            pergola_mmio_write(r->dev, (uint32_t)b->address, 4,
                               *(const uint32_t *)(const void *)b->bytes);
         break;
      default:
         write_memory(r, b);
      }
   }
   compare_rest(r);
   *out = r->outcome;
}

/* ---- setting up ----------------------------------------------------------------------------- */

bool
aub_replay_is(const struct capture *c)
{
   return !strcmp(c->format, "AUB") && capture_find(c, CAPTURE_RING, -1);
}

struct aub_replay *
aub_replay_create(const struct capture *c, const struct replay_options *o, char error[160])
{
   struct aub_replay *r = calloc(1, sizeof(*r));
   const char *why = NULL;
   struct pergola_config config = {.sku = o->part ? o->part : replay_part(c),
                                   .check = PERGOLA_CHECK_REPORT,
                                   .deterministic = o->deterministic,
                                   .deadlocks_hang = true};
   const struct replay_layout layout = {.ppgtt = true, .in_order = true, .own_pages = OWN_PAGES};
   snprintf(error, 160, "out of memory");
   if (!r)
      return NULL;
   r->capture = c;
   r->options = *o;
   r->dev = pergola_device_create(&config, &why);
   if (!r->dev)
      snprintf(error, 160, "%s", why);
   bool ok = r->dev && replay_memory_create(&r->memory, c, &layout) &&
             replay_memory_bind(&r->memory, r->dev, o);
   for (unsigned e = 0; ok && e < CAPTURE_ENGINES; e++)
      start_engine(r, e);
   if (ok && record_default(r))
      return r;
   aub_replay_destroy(r);
   return NULL;
}

void
aub_replay_destroy(struct aub_replay *r)
{
   if (r->dev)
      pergola_device_destroy(r->dev);
   replay_memory_destroy(&r->memory);
   for (unsigned i = 0; i < r->contexts; i++)
      free(r->context[i]);
   free(r);
}

struct pergola_device *
aub_replay_device(struct aub_replay *r)
{
   return r->dev;
}
