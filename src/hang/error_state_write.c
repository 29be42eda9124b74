#include "hang/error_state_write.h"

#include "gen7_hw.h"
#include "hang/error_state_tail.h"
#include "machine/device.h"

#include <string.h>
#include <time.h>
#include <zlib.h>

#define PAGE 4096u
#define TICKS_PER_SECOND 250u /* jiffies of Debian's kernel */

static const char *const names[ERROR_STATE_ENGINES] = {"rcs0", "vcs0", "bcs0"};

/* ---- memory: zlib, then base 85 ------------------------------------------------------------- */

/* Five characters for a dword, one for a zero. */
static void
print_dword(FILE *f, uint32_t v)
{
   char text[6] = "";
   if (!v) {
      putc_unlocked('z', f);
      return;
   }
   for (int i = 4; i >= 0; i--) {
      text[i] = (char)('!' + v % 85);
      v /= 85;
   }
   fputs(text, f);
}

/* The last dword of the stream is filled up with zeros. */
static void
print_packed(FILE *f, const uint8_t *bytes, size_t size)
{
   for (size_t i = 0; i < size; i += 4) {
      uint32_t v = 0;
      memcpy(&v, bytes + i, size - i < 4 ? size - i : 4);
      print_dword(f, v);
   }
}

/* Of chunks whose size is a multiple of a dword all but the last are whole. */
static bool
print_deflated(FILE *f, z_stream *z)
{
   uint8_t out[4 * PAGE];
   int state;
   do {
      z->next_out = out;
      z->avail_out = sizeof(out);
      state = deflate(z, Z_FINISH);
      print_packed(f, out, sizeof(out) - z->avail_out);
   } while (state == Z_OK);
   return state == Z_STREAM_END;
}

static bool
print_memory(FILE *f, const struct error_state_memory *m)
{
   z_stream z = {0};
   fprintf(f, "%s --- %s = 0x%08x %08x\n", names[m->engine], m->name, (uint32_t)(m->address >> 32),
           (uint32_t)m->address);
   if (m->size > UINT32_MAX || deflateInit(&z, Z_DEFAULT_COMPRESSION) != Z_OK)
      return false;
   z.next_in = (Bytef *)m->bytes;
   z.avail_in = (uInt)m->size;
   fputc(':', f);
   bool ok = print_deflated(f, &z);
   fputc('\n', f);
   deflateEnd(&z);
   return ok;
}

/* ---- registers ------------------------------------------------------------------------------ */

static uint32_t
get(const struct error_state *s, uint32_t offset)
{
   return s->read(s->data, offset);
}

static const struct error_state_memory *
batch_of(const struct error_state *s, unsigned engine)
{
   for (unsigned i = 0; i < s->memories; i++)
      if (s->memory[i].engine == engine && !strcmp(s->memory[i].name, "batch"))
         return &s->memory[i];
   return NULL;
}

static void
print_units(FILE *f, const struct error_state *s, unsigned engine)
{
   fprintf(f, "  INSTDONE: 0x%08x\n", get(s, engine_base[engine] + ENGINE_INSTDONE));
   /* Linux 6.1 knows no half-slices of this part: it asks no sampler and no row. */
   if (!engine)
      fprintf(f, "  SC_INSTDONE: 0x%08x\n", get(s, REG_SC_INSTDONE));
}

static void
print_ring(FILE *f, const struct error_state *s, unsigned engine)
{
   static const uint32_t status[] = {REG_RCS_HWS_PGA, REG_VCS_HWS_PGA, REG_BCS_HWS_PGA};
   const struct error_state_engine *e = &s->engine[engine];
   uint32_t base = engine_base[engine];
   fprintf(f, "  CCID:  0x%08x\n", engine ? 0 : get(s, REG_CCID));
   fprintf(f, "  START: 0x%08x\n", get(s, base + ENGINE_RING_BUFFER_START));
   fprintf(f, "  HEAD:  0x%08x [0x%08x]\n", get(s, base + ENGINE_RING_BUFFER_HEAD), e->head);
   fprintf(f, "  TAIL:  0x%08x [0x%08x, 0x%08x]\n", get(s, base + ENGINE_RING_BUFFER_TAIL),
           e->postfix, e->tail);
   fprintf(f, "  CTL:   0x%08x\n", get(s, base + ENGINE_RING_BUFFER_CTL));
   fprintf(f, "  MODE:  0x%08x\n", get(s, base + ENGINE_MI_MODE));
   fprintf(f, "  HWS:   0x%08x\n", get(s, status[engine]));
   fprintf(f, "  ACTHD: 0x%08x %08x\n", 0, get(s, base + ENGINE_ACTHD));
   fprintf(f, "  IPEIR: 0x%08x\n", get(s, base + ENGINE_IPEIR));
   fprintf(f, "  IPEHR: 0x%08x\n", get(s, base + ENGINE_IPEHR));
   fprintf(f, "  ESR:   0x%08x\n", get(s, base + ENGINE_ESR));
}

static void
print_batch(FILE *f, const struct error_state *s, unsigned engine)
{
   const struct error_state_memory *batch = batch_of(s, engine);
   uint32_t base = engine_base[engine];
   if (batch) {
      uint64_t end = batch->address + batch->size;
      fprintf(f, "  batch: [0x%08x_%08x, 0x%08x_%08x]\n", (uint32_t)(batch->address >> 32),
              (uint32_t)batch->address, (uint32_t)(end >> 32), (uint32_t)end);
   }
   fprintf(f, "  BBADDR: 0x%08x_%08x\n", 0, get(s, base + ENGINE_BB_ADDR));
   fprintf(f, "  BB_STATE: 0x%08x\n", get(s, base + ENGINE_BB_STATE));
   fprintf(f, "  INSTPS: 0x%08x\n", get(s, base + ENGINE_INSTPS));
   fprintf(f, "  INSTPM: 0x%08x\n", get(s, base + ENGINE_INSTPM));
   fprintf(f, "  FADDR: 0x%08x %08x\n", 0, get(s, base + ENGINE_DMA_FADD));
   fprintf(f, "  RC PSMI: 0x%08x\n", get(s, base + ENGINE_PSMI_CTL));
   fprintf(f, "  FAULT_REG: 0x%08x\n", get(s, engine_fault[engine]));
   fprintf(f, "  GFX_MODE: 0x%08x\n", get(s, base + ENGINE_GFX_MODE));
   fprintf(f, "  PP_DIR_BASE: 0x%08x\n", get(s, base + ENGINE_PP_DIR_BASE));
}

static bool
print_engine(FILE *f, const struct error_state *s, unsigned engine)
{
   const struct error_state_engine *e = &s->engine[engine];
   bool ok = true;
   fprintf(f, "%s command stream:\n", names[engine]);
   print_ring(f, s, engine);
   print_units(f, s, engine);
   print_batch(f, s, engine);
   fprintf(f, "  hung: %u\n  engine reset count: 0\n", e->hung);
   fprintf(f, "  Active context: %s[%d] prio 0, guilty 0 active 0, runtime total 0ns, avg 0ns\n",
           s->process, s->pid);
   for (unsigned i = 0; i < s->memories; i++)
      if (s->memory[i].engine == engine)
         ok &= print_memory(f, &s->memory[i]);
   return ok;
}

/* ---- the head ------------------------------------------------------------------------------- */

/* The code is that of the first engine that hung. */
static void
print_message(FILE *f, const struct error_state *s)
{
   unsigned mask = 0, first = ERROR_STATE_ENGINES;
   for (unsigned i = ERROR_STATE_ENGINES; i-- > 0;)
      if (s->engine[i].hung) {
         mask |= 1u << i;
         first = i;
      }
   bool any = first < ERROR_STATE_ENGINES; /* else somebody has asked for a reset */
   uint32_t code = any ? get(s, engine_base[first] + ENGINE_IPEHR) ^
                             get(s, engine_base[first] + ENGINE_INSTDONE)
                       : 0;
   fprintf(f, "GPU HANG: ecode 7:%x:%08x", mask, code);
   if (any && s->pid)
      fprintf(f, ", in %s [%d]", s->process, s->pid);
   fputc('\n', f);
}

static void
print_times(FILE *f)
{
   static const struct {
      const char *name;
      clockid_t clock;
   } rows[] = {{"Time", CLOCK_REALTIME}, {"Boottime", CLOCK_BOOTTIME}, {"Uptime", CLOCK_MONOTONIC}};
   struct timespec t = {0};
   for (unsigned i = 0; i < 3; i++) {
      clock_gettime(rows[i].clock, &t);
      fprintf(f, "%s: %lld s %ld us\n", rows[i].name, (long long)t.tv_sec, t.tv_nsec / 1000);
   }
   fprintf(f, "Capture: %lld jiffies; 0 ms ago\n", (long long)t.tv_sec * TICKS_PER_SECOND);
}

static void
print_part(FILE *f, const struct error_state *s)
{
   fprintf(f, "Reset count: %u\nSuspend count: 0\n", s->resets);
   fprintf(f, "Platform: %s\nSubplatform: 0x0\n", s->sku->has_llc ? "IVYBRIDGE" : "VALLEYVIEW");
   fprintf(f, "PCI ID: 0x%04x\nPCI Revision: 0x%02x\nPCI Subsystem: 0000:0000\n",
           s->sku->pci_device_id, s->sku->pci_revision);
   fputs("IOMMU enabled?: 0\nRPM wakelock: yes\nPM suspended: no\n", f);
}

static void
print_globals(FILE *f, const struct error_state *s)
{
   bool ivb = s->sku->has_llc; /* Valleyview's display has other registers */
   fprintf(f, "IER: 0x%08x\nDERRMR: 0x%08x\nGT awake: yes\n", get(s, ivb ? REG_DEIER : REG_VLV_IER),
           ivb ? get(s, REG_DE_RRMR) : 0);
   fputs("CS timestamp frequency: 12500000 Hz, 80 ns\n", f);
   fprintf(f, "EIR: 0x%08x\nPGTBL_ER: 0x%08x\nGTIER[0]: 0x%08x\n", get(s, REG_RCS_EIR),
           get(s, REG_PGTBL_ER), get(s, REG_GTIER));
   for (unsigned i = 0; i < s->sku->fences; i++)
      fprintf(f, "  fence[%u] = %08llx\n", i,
              (unsigned long long)get(s, REG_FENCE_0 + 8 * i + 4) << 32 |
                  get(s, REG_FENCE_0 + 8 * i));
   /* This kernel looks at the request for force wake on Valleyview alone. */
   fprintf(f, "FORCEWAKE: 0x%08x\nERROR: 0x%08x\nDONE_REG: 0x%08x\nERR_INT: 0x%08x\n",
           ivb ? 0 : get(s, REG_FORCEWAKE_VLV), get(s, REG_ERROR), get(s, REG_DONE_REG),
           ivb ? get(s, REG_ERR_INT) : 0);
}

bool
error_state_write(FILE *f, const struct error_state *s)
{
   bool ok = true;
   print_message(f, s);
   fputs("Kernel: 6.1.0-pergola x86_64\nDriver: 20201103\n", f);
   print_times(f);
   for (unsigned i = 0; i < ERROR_STATE_ENGINES; i++)
      if (s->engine[i].active)
         fprintf(f, "Active process (on ring %s): %s [%d]\n", names[i], s->process, s->pid);
   print_part(f, s);
   print_globals(f, s);
   for (unsigned i = 0; i < ERROR_STATE_ENGINES; i++)
      if (s->engine[i].active)
         ok &= print_engine(f, s, i);
   error_state_write_tail(f, s->sku);
   return ok && !ferror(f);
}
