/* A device whose threads are played by actors: functions in C that stand for kernels. The
 * dispatcher and the shared functions are the real ones; an actor calls them as a kernel would. */
#ifndef MEDIA_STAGE_H
#define MEDIA_STAGE_H

#include "../cs/rig.h"
#include "media/ts.h"
#include "shared_functions/sf.h"

#include <string.h>

#define STAGE_GENERAL 0x240000u
#define STAGE_SURFACE 0x250000u
#define STAGE_DYNAMIC 0x210000u
#define STAGE_INDIRECT 0x230000u
#define STAGE_INSTRUCTION 0x200000u
#define STAGE_OUT 0x280000u
#define STAGE_CURBE 0x1000u /* from the dynamic state base */
#define STAGE_ACTORS 16
#define STAGE_RECORDS 16384
#define STAGE_REGS 24 /* registers of a thread that are recorded */

/* step: 0 at first, then what the actor left in stage->step */
struct stage;
typedef enum eu_stop (*actor_fn)(struct stage *s, struct eu_thread *t, unsigned step);

/* A thread as it was when it started. */
struct record {
   uint32_t r[STAGE_REGS][8];
   uint32_t cr0[2], sr0[4], tdr[8], n0[3], mask, kernel, id;
   uint32_t binding_table, sampler_states, scratch_base, scratch_size;
   unsigned half_slice, eu, slot, fftid, ffid;
   uint32_t slm_offset, slm_size;
   bool in_group;
};

struct stage {
   struct rig *rig;
   struct pergola_device *dev;
   struct media *media;
   actor_fn actor[STAGE_ACTORS];
   struct record *record;
   unsigned count; /* threads that started */
   unsigned ended;
   unsigned next_step; /* set by an actor that goes on */
   unsigned value[64]; /* for the actors of a test */
   struct eu_thread *thread[64];
   uint32_t commands;
   enum cs_hand hand; /* of the command given directly: this one */
   uint32_t in_hand[1024];
   unsigned in_hand_count;
};

struct stage *stage_create(const char *sku); /* what is wrong is reported */
struct stage *stage_create_checked(const char *sku, enum pergola_check check);
void stage_destroy(struct stage *s);
int stage_setup(void **state);
int stage_setup_gt1(void **state);
int stage_setup_vlv(void **state);
int stage_teardown(void **state);

/* Commands. State: bases, pipeline, MEDIA_VFE_STATE with a CURBE of 256 rows and 16 entries of 8
 * rows, one descriptor per actor. */
struct hw_media_vfe_state stage_vfe(void);
struct hw_interface_descriptor_data stage_descriptor(unsigned actor);
void stage_bases(struct stage *s, bool gpgpu);
void stage_put_vfe(struct stage *s, const struct hw_media_vfe_state *v);
void stage_put_descriptor(struct stage *s, unsigned index,
                          const struct hw_interface_descriptor_data *d);
void stage_load_descriptors(struct stage *s, unsigned count);
void stage_load_curbe(struct stage *s, uint32_t bytes);
void stage_flush(struct stage *s);
void stage_state_flush(struct stage *s);
/* All of the above with defaults; gives CURBE row i the value i in every dword. */
void stage_standard(struct stage *s, bool gpgpu);
void stage_walker(struct stage *s, const struct hw_gpgpu_walker *w);
/* A media walk of w by h threads, row by row. */
struct hw_media_object_walker stage_raster(unsigned w, unsigned h);
struct hw_gpgpu_walker stage_walk(unsigned descriptor, unsigned simd, unsigned threads, unsigned x,
                                  unsigned y, unsigned z);
void stage_object(struct stage *s, const struct hw_media_object *o, const uint32_t *data,
                  unsigned dwords);
void stage_submit(struct stage *s, const uint32_t *dw, unsigned count);
enum pergola_run_result stage_run(struct stage *s);
/* One command straight to the pipeline, with a budget of its own. */
enum cs_result stage_direct(struct stage *s, const uint32_t *dw, unsigned count, uint64_t budget);
enum cs_result stage_direct_all(struct stage *s, const uint32_t *dw, unsigned count);
uint32_t *stage_memory(struct stage *s, uint32_t address);
/* A kernel, this far behind the instruction base. */
void stage_assemble(struct stage *s, const char *text, uint32_t offset);
#define END_OF_THREAD                                                                              \
   "mov(8) g127<1>UD g0<8,8,1>UD { align1 WE_all 1Q };\n"                                          \
   "send(8) null<1>UW g127<8,8,1>UD 0x02000010 thread_spawner MsgDesc: mlen 1 rlen 0 { align1 "    \
   "WE_all 1Q EOT };\n"

/* Messages, as actors send them. Payload in `dw` (8 dwords); the response register is `response`.
 */
void stage_message(struct eu_thread *t, unsigned sfid, uint32_t desc, const uint32_t *dw, bool eot,
                   uint32_t *response);
enum eu_stop stage_end(struct eu_thread *t); /* end of thread, as drivers send it */
enum eu_stop stage_end_child(struct eu_thread *t);
enum eu_stop stage_wait(struct stage *s, struct eu_thread *t, unsigned sub, unsigned step);
enum eu_stop actor_ends(struct stage *s, struct eu_thread *t, unsigned step);
/* Passes value[0] barriers; value[1 + n] counts who has come to the n-th. */
enum eu_stop actor_meets_at_barrier(struct stage *s, struct eu_thread *t, unsigned step);

static inline uint32_t
stage_field(uint32_t v, unsigned hi, unsigned lo)
{
   return v >> lo & (uint32_t)((UINT64_C(1) << (hi - lo + 1)) - 1);
}

#define assert_said(s, rule) rig_expect((s)->rig, rule)
#define assert_quiet(s) rig_clean((s)->rig)
#define IDS(...) ((const uint32_t[]){__VA_ARGS__})

#endif
