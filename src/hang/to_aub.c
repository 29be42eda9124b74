/* What an error state or a hang dump holds, as an AUB file: memory, and a ring that starts the
 * batch that hung. */
#include "hang/to_aub.h"

#include "gen7_hw.h"
#include "hang/aub_write.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* There is one address space in such a file: what the program saw comes last. */
static void
put_blocks(struct aub_writer *w, const struct capture *c, bool program)
{
   for (unsigned i = 0; i < c->blocks; i++) {
      const struct capture_block *b = &c->block[i];
      bool of_program =
          b->kind == CAPTURE_BATCH || b->kind == CAPTURE_USER || b->kind == CAPTURE_MEMORY;
      if (of_program == program && b->kind != CAPTURE_REMARK && b->kind != CAPTURE_REGISTER &&
          b->address + b->size <= UINT32_MAX)
         aub_memory(w, (uint32_t)b->address, b->bytes, b->size & ~(size_t)3);
   }
}

bool
capture_to_aub(const struct capture *c, const char *path, char error[160])
{
   unsigned engine = capture_hung_engine(c);
   const struct capture_block *batch = capture_find(c, CAPTURE_BATCH, (int)engine);
   batch = batch ? batch : capture_find(c, CAPTURE_BATCH, -1);
   if (!batch && !c->has_exec) {
      snprintf(error, 160, "no batch was captured that an AUB file could start");
      return false;
   }
   struct aub_writer *w = aub_open(path, c->pci_id);
   if (!w) {
      snprintf(error, 160, "%s", strerror(errno));
      return false;
   }
   uint64_t state;
   bool secure = capture_register(&c->engine[engine].registers, "BB_STATE", &state) &&
                 !(state & REG_RCS_BB_STATE__ADDRESS_SPACE_INDICATOR);
   put_blocks(w, c, false);
   put_blocks(w, c, true);
   const uint32_t dw[2] = {GEN7_MI_BATCH_BUFFER_START_HEADER |
                               (secure ? 0 : GEN7_MI_BATCH_BUFFER_START__ADDRESS_SPACE_INDICATOR),
                           (uint32_t)(batch ? batch->address : c->exec)};
   aub_commands(w, engine, dw, 2);
   snprintf(error, 160, "it cannot be written");
   return aub_close(w);
}
