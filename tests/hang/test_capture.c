/* Files of hung GPUs: what they hold is found, what they lie about is refused. */
#include "hang/aub_write.h"
#include "hang/capture_build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include <zlib.h>

static char error[160];

static struct capture *
parse(const void *bytes, size_t size)
{
   return capture_parse(bytes, size, error);
}

static void
has(const struct capture_registers *r, const char *name, uint64_t value)
{
   uint64_t got;
   assert_true(capture_register(r, name, &got));
   assert_int_equal(got, value);
}

static void
holds(const struct capture *c, enum capture_kind kind, int engine, uint64_t address,
      const uint32_t *dwords, unsigned count)
{
   const struct capture_block *b = capture_find(c, kind, engine);
   assert_non_null(b);
   assert_int_equal(b->address, address);
   assert_int_equal(b->size, 4 * count);
   assert_memory_equal(b->bytes, dwords, 4 * count);
   assert_false(b->cut);
}

static const uint32_t batch[6] = {0x7a000003, 0x00101001, 0, 0, 0, 0x05000000};

static void
hex_of_an_old_kernel(void **state)
{
   static const char text[] = "GPU HANG: ecode 7:0:0x85fdfffd, in Xorg [812], reason: Ring hung\n"
                              "Time: 1400000000 s 123456 us\n"
                              "Kernel: 3.19.0\n"
                              "PCI ID: 0x0166\n"
                              "EIR: 0x00000001\n"
                              "  fence[0] = 12345678000001\n"
                              "  fence[31] = 0000000f\n"
                              "render command stream:\n"
                              "  HEAD: 0x00000040\n"
                              "  ACTHD: 0x00000000 01234010\n"
                              "  IPEHR: 0x7a000003\n"
                              "  INSTDONE: 0xfffdfffe\n"
                              "blt command stream:\n"
                              "  IPEHR: 0x00000000\n"
                              "  INSTDONE: 0xffffffff\n"
                              "vm[0]\n"
                              "  Active [1]:\n"
                              "    00000000_02000000    65536 02 02 [ 5 ] 00 dirty\n"
                              "render ring --- gtt_offset = 0x01234000\n"
                              "00000000 :  7a000003\n00000004 :  00101001\n00000008 :  00000000\n"
                              "0000000c :  00000000\n00000010 :  00000000\n00000014 :  05000000\n"
                              "render ring --- HW Status = 0x00003000\n"
                              "[0000] 00000001 00000002 00000003 00000004\n";
   struct capture *c = parse(text, sizeof(text) - 1);
   assert_non_null(c);
   assert_true(c->has_ecode);
   assert_int_equal(c->ecode, 0x85fdfffd);
   assert_int_equal(c->pci_id, 0x166);
   assert_string_equal(c->kernel, "3.19.0");
   assert_int_equal(c->fences, 32);
   assert_int_equal(c->fence[0], 0x12345678000001);
   assert_int_equal(c->fence[31], 15);
   has(&c->registers, "EIR", 1);
   has(&c->engine[0].registers, "ACTHD", 0x01234010);
   has(&c->engine[2].registers, "INSTDONE", 0xffffffff);
   assert_false(c->engine[1].present);
   assert_int_equal(capture_hung_engine(c), 0);
   holds(c, CAPTURE_BATCH, 0, 0x01234000, batch, 6);
   holds(c, CAPTURE_STATUS_PAGE, 0, 0x3000, (const uint32_t[]){1, 2, 3, 4}, 4);
   assert_int_equal(c->objects, 1);
   assert_int_equal(c->object[0].address, 0x02000000);
   assert_int_equal(c->object[0].size, 65536);
   capture_free(c);
}

/* Dwords in base 85. */
static size_t
pack85(char *out, const void *bytes, size_t size)
{
   char *at = out;
   for (size_t i = 0; i < size; i += 4) {
      uint32_t v = 0;
      memcpy(&v, (const char *)bytes + i, size - i < 4 ? size - i : 4);
      if (!v) {
         *at++ = 'z';
         continue;
      }
      for (int k = 4; k >= 0; k--, v /= 85)
         at[k] = (char)('!' + v % 85);
      at += 5;
   }
   return (size_t)(at - out);
}

static size_t
new_kernel(char *text, bool packed)
{
   uint8_t small[256];
   uLongf size = sizeof(small);
   size_t n = (size_t)sprintf(text,
                              "GPU HANG: ecode 7:4:85fffffe, in a [1]\n"
                              "Kernel: 6.1.0-18-amd64 x86_64\n"
                              "PCI ID: 0x0152\n"
                              "bcs0 command stream:\n"
                              "  HEAD:  0x00000040 [0x00000018]\n"
                              "  BBADDR: 0x00000000_01234010\n"
                              "  batch: [0x00000000_01234000, 0x00000000_01235000]\n"
                              "  hung: 1\n"
                              "bcs0 --- batch = 0x00000000 01234000\ngtt_page_sizes = 0x1000\n%c",
                              packed ? ':' : '~');
   if (packed)
      assert_int_equal(compress(small, &size, (const Bytef *)batch, sizeof(batch)), Z_OK);
   n += packed ? pack85(text + n, small, size) : pack85(text + n, batch, sizeof(batch));
   text[n++] = '\n';
   return n;
}

static void
base85_of_a_new_kernel(void **state)
{
   for (unsigned packed = 0; packed < 2; packed++) {
      char text[2048];
      struct capture *c = parse(text, new_kernel(text, packed));
      assert_non_null(c);
      assert_int_equal(capture_hung_engine(c), 2);
      has(&c->engine[2].registers, "HEAD", 0x40);
      has(&c->engine[2].registers, "HEAD request", 0x18);
      has(&c->engine[2].registers, "BBADDR", 0x01234010);
      has(&c->engine[2].registers, "batch", 0x01234000);
      holds(c, CAPTURE_BATCH, 2, 0x01234000, batch, 6);
      capture_free(c);
   }
}

/* Cut off anywhere: nothing is invented, nothing is read outside (the sanitizers watch). */
static void
every_prefix_is_survived(void **state)
{
   char text[2048];
   size_t size = new_kernel(text, true);
   for (size_t n = 0; n < size; n++) {
      char *copy = malloc(n ? n : 1);
      memcpy(copy, text, n);
      struct capture *c = parse(copy, n);
      for (unsigned i = 0; c && i < c->blocks; i++)
         assert_true(c->block[i].cut || c->block[i].size == sizeof(batch));
      assert_true(c || error[0]);
      capture_free(c);
      free(copy);
   }
}

static void
a_bomb_is_refused(void **state)
{
   /* 2 GiB of zeros in 2 MiB: more than a capture may hold. */
   enum { CHUNK = 1 << 20 };
   uint8_t *zeros = calloc(1, CHUNK);
   size_t room = 4u << 20;
   uint8_t *packed = malloc(room);
   z_stream z = {0};
   assert_int_equal(deflateInit(&z, 9), Z_OK);
   z.next_out = packed;
   z.avail_out = (uInt)room;
   for (unsigned i = 0; i < 2048; i++) {
      z.next_in = zeros;
      z.avail_in = CHUNK;
      assert_int_equal(deflate(&z, i == 2047 ? Z_FINISH : Z_NO_FLUSH), i == 2047 ? 1 : Z_OK);
   }
   char *text = malloc(8u << 20);
   size_t n =
       (size_t)sprintf(text, "rcs0 command stream:\nrcs0 --- batch = 0x00000000 01234000\n:");
   n += pack85(text + n, packed, z.total_out);
   struct capture *c = parse(text, n);
   assert_non_null(c);
   assert_true(c->block[0].cut);
   assert_true(c->bytes <= CAPTURE_BYTES);
   capture_free(c);
   deflateEnd(&z);
   free(text);
   free(packed);
   free(zeros);
}

static void
aub_blocks(void **state)
{
   uint32_t aub[64] = {0xe085000b, 4u << 24};
   aub[12] = 16; /* comment */
   memcpy(&aub[13], "PCI-ID=0x166", 13);
   unsigned at = 17;
   const uint32_t data[] = {0xe0c10003, 0x0101, 0, 0x01234000, 24};
   memcpy(&aub[at], data, sizeof(data));
   memcpy(&aub[at + 5], batch, sizeof(batch));
   at += 11;
   const uint32_t ring[] = {0xe0c10003, 0x0202, 0, 0x10000, 8, 0x18800000, 0x01234000};
   memcpy(&aub[at], ring, sizeof(ring));
   at += 7;
   struct capture *c = parse(aub, 4 * at);
   assert_non_null(c);
   assert_int_equal(c->pci_id, 0x166);
   holds(c, CAPTURE_BATCH, -1, 0x01234000, batch, 6);
   holds(c, CAPTURE_RING, 0, 0x10000, &ring[5], 2);
   capture_free(c);
   for (unsigned cut = 18; cut < at; cut++) {
      c = parse(aub, 4 * cut);
      assert_int_equal(c != NULL, cut >= 28);
      if (!c)
         continue;
      assert_int_equal(c->cut, cut > 28);
      assert_int_equal(c->blocks, 1);
      holds(c, CAPTURE_BATCH, -1, 0x01234000, batch, 6);
      capture_free(c);
   }
   aub[21] = UINT32_MAX; /* a size that lies */
   assert_null(parse(aub, 4 * at));
   assert_non_null(strstr(error, "ends inside"));
}

static void
hang_dump_blocks(void **state)
{
   struct {
      uint32_t type, pad;
      uint64_t magic;
      uint32_t version, pad2;
      uint32_t buffer, pad3;
      char name[64];
      uint64_t address, size;
      uint32_t data[6];
      uint32_t exec, pad4;
      uint64_t start;
   } dump = {.type = 1,
             .magic = UINT64_C(0x4245012345676463),
             .version = 1,
             .buffer = 2,
             .address = 0x01234000,
             .size = 24,
             .exec = 4,
             .start = 0x01234000};
   memcpy(dump.data, batch, 24);
   struct capture *c = parse(&dump, sizeof(dump));
   assert_non_null(c);
   assert_true(c->has_exec);
   assert_int_equal(c->exec, 0x01234000);
   holds(c, CAPTURE_MEMORY, -1, 0x01234000, batch, 6);
   capture_free(c);
   assert_null(parse(&dump, sizeof(dump) - 4));
   dump.size = UINT64_MAX;
   assert_null(parse(&dump, sizeof(dump)));
   dump.size = 24;
   dump.exec = 77;
   assert_null(parse(&dump, sizeof(dump)));
   assert_non_null(strstr(error, "unknown type 77"));
}

/* What was written before a batch is, in this order, its memory; also for who passes over the
 * remarks on address spaces. */
static void
aub_files_are_flat_too(void **state)
{
   char path[] = "/tmp/pergola-aub-XXXXXX";
   int fd = mkstemp(path);
   assert_true(fd >= 0);
   close(fd);
   struct aub_writer *w = aub_open(path, 0x166);
   assert_non_null(w);
   static const uint32_t page[3][1024] = {{1}, {2}, {3}};
   const struct {
      uint64_t space;
      unsigned page;
   } wrote[] = {{1, 0}, {2, 1}, {1, 0}, {1, 0}, {2, 1}, {2, 2}};
   const uint32_t expected[] = {1, 2, 1, 2, 3}; /* the fourth is there already */
   for (unsigned i = 0; i < 6; i++) {
      aub_space(w, wrote[i].space);
      aub_pages(w, 0x5000, page[wrote[i].page], 4096);
   }
   assert_true(aub_close(w));
   struct capture *c = capture_read(path, error);
   assert_non_null(c);
   unsigned n = 0;
   for (unsigned i = 0; i < c->blocks; i++)
      if (c->block[i].kind == CAPTURE_MEMORY) {
         assert_int_equal(c->block[i].address, 0x5000);
         assert_true(n < 5);
         assert_memory_equal(c->block[i].bytes, &expected[n++], 4);
      }
   assert_int_equal(n, 5);
   capture_free(c);
   unlink(path);
}

static void
other_files_are_refused(void **state)
{
   assert_null(parse("hello\n", 6));
   assert_non_null(strstr(error, "neither"));
   assert_null(parse("no error state collected\n", 25));
   assert_non_null(strstr(error, "none was collected"));
   assert_null(capture_read("/", error));
   assert_non_null(strstr(error, "directory"));
   assert_null(capture_read("/does/not/exist", error));
   assert_non_null(strstr(error, "No such file"));
}

/* A letter that stands for four bytes is a bomb too. */
static void
letters_have_a_limit(void **state)
{
   size_t size;
   bool cut;
   uint8_t *bytes = ascii85_decode("zzz", 3, 12, &size, &cut);
   assert_non_null(bytes);
   assert_int_equal(size, 12);
   assert_false(cut);
   free(bytes);
   assert_null(ascii85_decode("zzzz", 4, 12, &size, &cut));
   assert_int_equal(size, 0);
   assert_true(cut);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(hex_of_an_old_kernel),     cmocka_unit_test(base85_of_a_new_kernel),
       cmocka_unit_test(every_prefix_is_survived), cmocka_unit_test(a_bomb_is_refused),
       cmocka_unit_test(letters_have_a_limit),     cmocka_unit_test(aub_blocks),
       cmocka_unit_test(hang_dump_blocks),         cmocka_unit_test(aub_files_are_flat_too),
       cmocka_unit_test(other_files_are_refused),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
