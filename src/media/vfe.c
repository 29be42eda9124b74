/* Video Front End: media state, the URB that it manages, constants and descriptors in it. */
#include "media/media_internal.h"
#include "media/ts.h"
#include "rules/plural.h"

#include <string.h>

/* MEDIA-288: scoreboard fields may change behind a MEDIA_STATE_FLUSH alone. */
static bool
only_scoreboard_differs(const struct vfe *v, const uint32_t *dw)
{
   return v->programmed && !memcmp(v->vfe_dw, dw, 5 * sizeof(uint32_t));
}

static void
check_flush_before_state(struct media *m, const struct cs_command *c, bool state_flush_enough)
{
   struct vfe *v = &m->vfe;
   if (!v->primitive_since_flush || (state_flush_enough && v->state_flush_since_primitive))
      return;
   media_report(m, c, PERGOLA_ERROR, "MEDIA-030", "",
                "media state changes after a primitive command with no flush in between");
}

/* MEDIA-353: root threads and their children share constants and descriptors. */
static void
check_children_before_state(struct media *m, const struct cs_command *c)
{
   if (ts_parents_run(m))
      media_report(m, c, PERGOLA_WARNING, "MEDIA-353", "",
                   "state changes that children of a thread which still runs may use");
}

/* MEDIA-020: entry i starts behind descriptors and CURBE; start and pitch are whole 512-bit units,
 * so that every entry has a handle. */
static void
make_handles(struct media *m, const struct cs_command *c)
{
   struct vfe *v = &m->vfe;
   uint32_t rows = v->state.urb_entry_allocation_size + 1;
   uint32_t start = VFE_DESCRIPTOR_ROWS + v->state.curbe_allocation_size;
   uint32_t asked = v->state.number_of_urb_entries;
   uint32_t total = urb_rows(m->dev->urb);
   start += start & 1;
   v->entry_rows = rows + (rows & 1);
   v->handle_head = 0;
   v->handle_count = 0;
   memset(v->handle_busy, 0, sizeof(v->handle_busy));
   if (asked > VFE_MAX_HANDLES)
      asked = VFE_MAX_HANDLES;
   for (uint32_t i = 0; i < asked; i++) {
      uint32_t row = start + i * v->entry_rows;
      if (row + rows > total || row / 2 > UINT16_MAX)
         break;
      v->handle[v->handle_count++] = (uint16_t)(row / 2);
   }
   /* MEDIA-301 counts the entry rows without the bias; MEDIA-124: the sum, not the difference. */
   uint64_t need = (uint64_t)v->state.urb_entry_allocation_size * v->state.number_of_urb_entries +
                   v->state.curbe_allocation_size + VFE_DESCRIPTOR_ROWS;
   if (need > total)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-301", "URB Entry Allocation Size",
                   "entries of %u row%s each (%u), a CURBE of %u row%s and 32 descriptor rows do "
                   "not fit the "
                   "URB of %u rows; usable entries: %u",
                   rows, plural(rows), v->state.number_of_urb_entries,
                   v->state.curbe_allocation_size, plural(v->state.curbe_allocation_size), total,
                   v->handle_count);
}

static void
check_vfe_limits(struct media *m, const struct cs_command *c)
{
   const struct hw_media_vfe_state *s = &m->vfe.state;
   unsigned machine = dispatch_hardware_threads(m->dev->dispatcher);
   if (s->maximum_number_of_threads >= machine)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-292", "Maximum Number of Threads",
                   "%u threads are allowed, this part has %u", s->maximum_number_of_threads + 1,
                   machine);
   uint32_t rows = urb_rows(m->dev->urb);
   if (s->curbe_allocation_size > rows - VFE_DESCRIPTOR_ROWS)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-306", "CURBE Allocation Size",
                   "%u rows; the URB has %u beside the descriptors", s->curbe_allocation_size,
                   rows - VFE_DESCRIPTOR_ROWS);
}

uint64_t
vfe_entry_end(void *data, uint16_t handle)
{
   const struct media *m = data;
   int entry = vfe_handle_find(m, handle);
   if (entry < 0)
      return 0;
   return (uint64_t)m->vfe.handle[entry] * URB_HANDLE_UNIT +
          (m->vfe.state.urb_entry_allocation_size + 1) * URB_ROW_SIZE;
}

void
vfe_tell_gateway(const struct media *m)
{
   struct gateway *g = m->dev->gateway;
   g->bypass = m->vfe.state.bypass_gateway_control;
   g->mmio = m->vfe.state.gateway_mmio_access_control ==
             GEN7_MEDIA_VFE_STATE_GATEWAY_MMIO_ACCESS_CONTROL_ANY_ADDRESS;
}

void
vfe_unpack(struct media *m)
{
   struct vfe *v = &m->vfe;
   gen7_media_vfe_state_unpack(&v->state, v->vfe_dw);
   unsigned most = 0; /* 1 KiB, doubled so often */
   while (2u << most <= m->dev->sku.max_scratch_kib)
      most++;
   if (v->state.per_thread_scratch_space > most)
      v->state.per_thread_scratch_space = most;
   vfe_tell_gateway(m);
}

enum cs_result
vfe_state(struct media *m, const struct cs_command *c)
{
   struct vfe *v = &m->vfe;
   unsigned machine = dispatch_hardware_threads(m->dev->dispatcher);
   check_flush_before_state(m, c, only_scoreboard_differs(v, c->dw));
   memcpy(v->vfe_dw, c->dw, sizeof(v->vfe_dw));
   vfe_unpack(m);
   v->programmed = true;
   /* MEDIA-180: the field is the count minus one. */
   v->max_threads = v->state.maximum_number_of_threads + 1;
   if (v->max_threads > machine)
      v->max_threads = machine;
   v->dispatch_key = 0; /* MEDIA-255 */
   check_vfe_limits(m, c);
   /* MEDIA-041: all handles are made anew. */
   make_handles(m, c);
   if (v->state.reset_gateway_timer) /* MEDIA-295 */
      m->dev->gateway->timer_start_ns = m->dev->gateway->absolute_start_ns = m->dev->time_ns;
   return CS_DONE;
}

/* Copies graphics memory into URB rows. MEDIA-038: the dynamic state bound applies. */
static void
load_rows(struct media *m, const struct cs_command *c, uint32_t offset, uint32_t size_B,
          uint32_t row, const char *rule)
{
   const struct state_bases *b = cs_state_bases(m->dev);
   uint8_t line[URB_ROW_SIZE];
   for (uint32_t done = 0; done < size_B; done += URB_ROW_SIZE) {
      uint32_t n = size_B - done < URB_ROW_SIZE ? size_B - done : URB_ROW_SIZE;
      uint32_t address = b->dynamic + offset + done;
      memset(line, 0, sizeof(line));
      if (b->dynamic_end && address >= b->dynamic_end)
         media_report(m, c, PERGOLA_ERROR, "MEDIA-038", "Start Address",
                      "%#x lies at or past the dynamic state bound %#x; zeros are loaded", address,
                      b->dynamic_end);
      else if (!mem_read(c->space, address, line, n))
         media_report(m, c, PERGOLA_ERROR, rule, "Start Address", "%#x is not mapped", address);
      urb_write(m->dev->urb, (uint64_t)(row + done / URB_ROW_SIZE) * URB_ROW_SIZE, line, n);
   }
}

enum cs_result
vfe_curbe_load(struct media *m, const struct cs_command *c)
{
   struct vfe *v = &m->vfe;
   struct hw_media_curbe_load l;
   gen7_media_curbe_load_unpack(&l, c->dw);
   if (!v->programmed) {
      media_report(m, c, PERGOLA_ERROR, "MEDIA-041", "",
                   "no MEDIA_VFE_STATE has given CURBE its space; nothing is loaded");
      return CS_DONE;
   }
   check_flush_before_state(m, c, true);
   check_children_before_state(m, c);
   uint32_t size = l.curbe_total_data_length, room = v->state.curbe_allocation_size * URB_ROW_SIZE;
   if (size % 32)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-315", "CURBE Total Data Length",
                   "%u is not a multiple of 32 bytes", size);
   if (l.curbe_data_start_address % 32)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-316", "CURBE Data Start Address",
                   "%#x is not 32-byte aligned", l.curbe_data_start_address);
   if (size > room) { /* MEDIA-318 */
      media_report(m, c, PERGOLA_ERROR, "MEDIA-318", "CURBE Total Data Length",
                   "%u byte%s into a CURBE of %u; the rest is not loaded", size, plural(size),
                   room);
      size = room;
   }
   memcpy(v->curbe_dw, c->dw, sizeof(v->curbe_dw));
   v->has_curbe = true;
   /* MEDIA-314: from entry 32. */
   load_rows(m, c, l.curbe_data_start_address, size, VFE_DESCRIPTOR_ROWS, "MEDIA-316");
   return CS_DONE;
}

enum cs_result
vfe_descriptor_load(struct media *m, const struct cs_command *c)
{
   struct vfe *v = &m->vfe;
   struct hw_media_interface_descriptor_load l;
   gen7_media_interface_descriptor_load_unpack(&l, c->dw);
   check_flush_before_state(m, c, true);
   check_children_before_state(m, c);
   uint32_t size = l.interface_descriptor_total_length;
   if (size % 32 || size < 32 || size > 1024)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-323", "Interface Descriptor Total Length",
                   "%u byte%s; 32 to 1024 in steps of 32 are possible", size, plural(size));
   if (l.interface_descriptor_data_start_address % 32)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-324", "Interface Descriptor Data Start Address",
                   "%#x is not 32-byte aligned", l.interface_descriptor_data_start_address);
   if (size > VFE_DESCRIPTOR_ROWS * URB_ROW_SIZE)
      size = VFE_DESCRIPTOR_ROWS * URB_ROW_SIZE;
   memcpy(v->descriptors_dw, c->dw, sizeof(v->descriptors_dw));
   v->has_descriptors = true;
   unsigned count = (size + 31) / 32;
   v->descriptors_loaded |= count == 32 ? ~0u : (1u << count) - 1;
   load_rows(m, c, l.interface_descriptor_data_start_address, size, 0, "MEDIA-324");
   return CS_DONE;
}

int
vfe_handle_take(struct media *m)
{
   struct vfe *v = &m->vfe;
   if (!v->handle_count || v->handle_busy[v->handle_head])
      return -1;
   unsigned index = v->handle_head;
   v->handle_busy[index] = true;
   v->handle_head = (index + 1) % v->handle_count;
   return (int)index;
}

void
vfe_handle_release(struct media *m, unsigned index)
{
   if (index < m->vfe.handle_count)
      m->vfe.handle_busy[index] = false;
}

/* The entry that a handle lies in: kernels do arithmetic on handles (MEDIA-020). */
int
vfe_handle_find(const struct media *m, uint16_t handle)
{
   const struct vfe *v = &m->vfe;
   for (unsigned i = 0; i < v->handle_count; i++)
      if (handle >= v->handle[i] && handle < v->handle[i] + v->entry_rows / 2)
         return (int)i;
   return -1;
}

bool
vfe_ready(struct media *m, const struct cs_command *c)
{
   if (!m->vfe.programmed) {
      media_report(m, c, PERGOLA_ERROR, "MEDIA-041", "",
                   "no MEDIA_VFE_STATE in this context; nothing is dispatched");
      return false;
   }
   if (!m->vfe.has_descriptors)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-043", "",
                   "no MEDIA_INTERFACE_DESCRIPTOR_LOAD in this context");
   if (!cs_state_command(m->dev, GEN7_STATE_BASE_ADDRESS_ID, NULL))
      media_report(m, c, PERGOLA_WARNING, "MEDIA-036", "",
                   "no STATE_BASE_ADDRESS in this context: every base is 0");
   return true;
}

void
vfe_primitive_issued(struct media *m, const struct cs_command *c, bool gpgpu)
{
   struct vfe *v = &m->vfe;
   if (gpgpu ? v->media_since_flush : v->gpgpu_since_flush)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-049", "",
                   "GPGPU and media primitives follow each other with no flush in between");
   v->primitive_since_flush = true;
   v->state_flush_since_primitive = false;
   if (gpgpu)
      v->gpgpu_since_flush = true;
   else
      v->media_since_flush = true;
}

void
vfe_read_indirect(struct media *m, const struct cs_command *c, uint32_t offset, uint32_t size_B,
                  void *data)
{
   const struct state_bases *b = cs_state_bases(m->dev);
   uint32_t address = b->indirect + offset, inside = size_B;
   /* MEDIA-452: 0 and FFFFFh switch the check off. */
   bool bounded = b->indirect_end && b->indirect_end != 0xfffff000u;
   memset(data, 0, size_B);
   if (bounded && address >= b->indirect_end)
      inside = 0;
   else if (bounded && b->indirect_end - address < size_B)
      inside = b->indirect_end - address;
   if (inside < size_B)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-037", "Indirect Data Start Address",
                   "data of %u byte%s at %#x reach the bound %#x; what lies past it is zero",
                   size_B, plural(size_B), address, b->indirect_end);
   if (inside && !mem_read(c->space, address, data, inside))
      media_report(m, c, PERGOLA_ERROR, "MEDIA-372", "Indirect Data Start Address",
                   "data of %u byte%s at %#x are not all mapped", inside, plural(inside), address);
}
