/* Recording: Ice Lake's unit counts what the model does; a report is written behind each dispatch.
 */
#include "oa/record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void
no_write(void *data, uint64_t address, bool ggtt, const void *bytes, size_t size)
{
}
static void
no_interrupt(void *data)
{
}
static void
no_rule(void *data, const char *row, const char *reg, const char *text)
{
}
static const struct oa11_host nobody = {no_write, no_interrupt, no_rule};

/* Format 101, counting in every context. */
static void
program(struct oa11 *o)
{
   oa11_init(o, &nobody, NULL);
   for (unsigned i = 0; i < OA11_CTL; i++)
      oa11_write(o, oa11_ctl[i], oa_file_ctl[i]);
   oa11_write(o, REG_ICL_OACTXCONTROL, REG_ICL_OACTXCONTROL__COUNTER_RESUME);
   oa11_write(o, REG_ICL_OACONTROL,
              hw_put(5, REG_ICL_OACONTROL__COUNTER_SELECT) | REG_ICL_OACONTROL__COUNTER_ENABLE);
}

static void
put(struct oa_record *r)
{
   oa11_command_report(&r->unit, (uint32_t)r->next.number, r->next.report);
   fwrite(&r->next, sizeof(r->next), 1, r->file);
}

struct oa_record *
oa_record_open(const char *path, const char *part, unsigned eus, unsigned threads_per_eu)
{
   struct oa_record *r = calloc(1, sizeof(*r));
   if (!r)
      return NULL;
   r->file = fopen(path, "wbe");
   if (!r->file) {
      int error = errno;
      free(r);
      errno = error;
      return NULL;
   }
   setvbuf(r->file, NULL, _IONBF, 0); /* nothing is left behind in a fork, or by a sudden end */
   program(&r->unit);
   struct oa_file_header h = {.eus = eus, .threads_per_eu = threads_per_eu};
   memcpy(h.magic, OA_FILE_MAGIC, sizeof(h.magic));
   snprintf(h.part, sizeof(h.part), "%s", part);
   memcpy(h.ctl, oa_file_ctl, sizeof(h.ctl));
   fwrite(&h, sizeof(h), 1, r->file);
   put(r);
   return r;
}

void
oa_record_events(struct oa_record *r, uint64_t clocks, uint64_t timestamp,
                 const struct oa_events *e)
{
   oa11_advance(&r->unit, clocks, timestamp, true, e);
}

static void
end_dispatch(struct oa_record *r)
{
   if (r->open)
      put(r);
   r->open = false;
}

void
oa_record_dispatch(struct oa_record *r, const char *command, uint64_t address)
{
   end_dispatch(r);
   memset(r->next.command, 0, sizeof(r->next.command));
   snprintf(r->next.command, sizeof(r->next.command), "%s", command);
   r->next.number++;
   r->next.address = address;
   r->open = true;
}

bool
oa_record_failed(const struct oa_record *r)
{
   return ferror(r->file);
}

bool
oa_record_close(struct oa_record *r)
{
   end_dispatch(r);
   bool failed = ferror(r->file);
   failed |= fclose(r->file) != 0;
   free(r);
   return !failed;
}
