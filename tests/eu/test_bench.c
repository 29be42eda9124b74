/* The public interface for kernels by themselves, and threads on several host threads. */
#include "machine.h"

#include "pergola/pergola_eu.h"

#include <errno.h>
#include <pthread.h>

static const char doubled[] =
    "mov(8) g10<1>UW 0x76543210UV { align1 WE_all 1Q };\n"
    "mov(8) g11<1>UD g10<8,8,1>UW { align1 1Q };\n"
    "shl(8) g11<1>UD g11<8,8,1>UD 2UD { align1 1Q };\n"
    "read:\n"
    "send(8) g12<1>UW g11<8,8,1>UD 0x02116e00 data { align1 1Q };\n"
    "add(8) g12<1>UD g12<8,8,1>UD g12<8,8,1>UD { align1 1Q };\n"
    "send(8) null<1>UW g11<8,8,1>UD 0x04036e01 data { align1 1Q };\n" EOT_TEXT;

static unsigned traced;

static void
count_trace(void *data, unsigned thread, uint32_t offset, const char *text, uint32_t channels)
{
   (void)data;
   assert_int_equal(thread, 0);
   assert_true(offset < 0x80);
   assert_true(strlen(text) > 4);
   assert_int_equal(channels & ~0xffu, 0);
   traced++;
}

static void
a_kernel_from_c(void **state)
{
   (void)state;
   const char *error = NULL;
   struct pergola_eu_error e;
   struct pergola_eu_view v;
   struct pergola_eu_bench *b = pergola_eu_create(NULL, &error);
   assert_non_null(b);
   assert_int_equal(pergola_eu_start(b, 1, 0xff), -EINVAL); /* nothing is loaded */
   assert_int_equal(pergola_eu_load_text(b, "nop", 3, &e), -EINVAL);
   assert_int_equal(e.line, 1);
   assert_int_equal(pergola_eu_load_binary(b, "", 0), -EINVAL);
   assert_int_equal(pergola_eu_load_text(b, doubled, strlen(doubled), &e), 0);
   uint32_t *in = pergola_eu_buffer(b, 0, 32), *out = pergola_eu_buffer(b, 1, 32);
   assert_non_null(in);
   assert_non_null(out);
   assert_null(pergola_eu_buffer(b, 1, 32)); /* in use */
   assert_null(pergola_eu_buffer(b, PERGOLA_EU_MAX_BUFFERS, 32));
   assert_null(pergola_eu_buffer(b, 2, 0));
   for (unsigned i = 0; i < 8; i++)
      in[i] = i + 1;
   assert_int_equal(pergola_eu_start(b, 1, 0xff), 0);
   pergola_eu_set_trace(b, count_trace, NULL);
   uint32_t at;
   assert_int_equal(pergola_eu_label(b, "read", &at), 0);
   assert_int_equal(at, 0x30);
   assert_int_equal(pergola_eu_label(b, "write", &at), -ENOENT);
   assert_int_equal(pergola_eu_line(b, 3, &at), 0);
   assert_int_equal(at, 0x20);
   assert_int_equal(pergola_eu_line_of(b, 0x20), 3);
   assert_int_equal(pergola_eu_break(b, 3), -EINVAL);
   assert_int_equal(pergola_eu_break(b, 0x40), 0);
   assert_int_equal(pergola_eu_run(b, 1000), PERGOLA_EU_BREAK);
   pergola_eu_view(b, 0, &v);
   assert_int_equal(v.ip, 0x40);
   assert_int_equal(v.instructions, 4);
   assert_int_equal(v.active_mask, 0xff);
   assert_int_equal(((uint32_t *)pergola_eu_grf(b, 0))[12 * 8 + 3], 4);
   assert_int_equal(out[0], 0);
   assert_int_equal(pergola_eu_run(b, 1000), PERGOLA_EU_ENDED);
   assert_int_equal(traced, 7);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(out[i], 2 * (i + 1));
   pergola_eu_destroy(b);
}

#define HOST_THREADS 4

struct job {
   struct machine *m;
   struct eu_thread *t;
   uint32_t seed;
};

static void *
work(void *data)
{
   struct job *j = data;
   for (unsigned round = 0; round < 50; round++) {
      eu_thread_init(j->t, &j->m->env, 0, 0xff);
      for (unsigned i = 0; i < 8; i++)
         eu_grf(j->t, 2)[i] = j->seed + i;
      if (eu_run(j->t, 100000) != EU_STOP_EOT)
         return "did not end";
      for (unsigned i = 0; i < 8; i++)
         if (eu_grf(j->t, 3)[i] != (j->seed + i) * 200)
            return "wrong sum";
      eu_invalidate_instructions(j->m->dev->eu);
   }
   return NULL;
}

/* One kernel, decoded and invalidated under the feet of four host threads. */
static void
host_threads(void **state)
{
   (void)state;
   struct machine m;
   pthread_t host[HOST_THREADS];
   struct job job[HOST_THREADS];
   machine_open(&m, PERGOLA_CHECK_OFF);
   machine_load(&m,
                "mov(8) g3<1>UD 0UD { align1 1Q };\nmov(1) g4<1>UD 200UD { align1 WE_all 1N };\n"
                "L:\nadd(8) g3<1>UD g3<8,8,1>UD g2<8,8,1>UD { align1 1Q };\n"
                "add.nz.f0.0(1) g4<1>UD g4<0,1,0>UD -1W { align1 WE_all 1N };\n"
                "(+f0.0) jmpi(1) JIP: L { align1 WE_all 1N };\n" EOT_TEXT);
   for (unsigned i = 0; i < HOST_THREADS; i++) {
      struct eu_thread *t = aligned_alloc(64, (sizeof(*t) + 63) & ~(size_t)63);
      memset(t, 0, sizeof(*t));
      job[i] = (struct job){&m, t, i * 1000};
      assert_int_equal(pthread_create(&host[i], NULL, work, &job[i]), 0);
   }
   for (unsigned i = 0; i < HOST_THREADS; i++) {
      void *why;
      pthread_join(host[i], &why);
      assert_null(why);
      free(job[i].t);
   }
   machine_close(&m);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(a_kernel_from_c),
                                      cmocka_unit_test(host_threads)};
   return cmocka_run_group_tests_name("eu_bench", tests, NULL, NULL);
}
