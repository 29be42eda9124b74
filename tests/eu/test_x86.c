/* The encoder of native code: every form that src/eu/jit uses, with low and high registers and near
 * and far memory, read back by objdump, which knows nothing of it. */
#include "eu/jit/translate.h"
#include "eu/jit/x86_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define ROOM (2u << 20)
#define LINES 100000u
#define TEXT 96

static uint8_t code[ROOM];
static char (*expected)[TEXT];
static size_t count;
static struct x86 a = {.code = code, .room = ROOM};

static const char *const name64[16] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
                                       "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
static const char *const name32[16] = {"eax",  "ecx",  "edx",  "ebx", "esp",  "ebp",
                                       "esi",  "edi",  "r8d",  "r9d", "r10d", "r11d",
                                       "r12d", "r13d", "r14d", "r15d"};
static const uint8_t registers[] = {RAX, RBX, RDI, R8, R12, R15};
static const uint8_t bases[] = {RAX, RBX, RSP, RBP, RSI, R12, R13, R15};
static const int32_t distances[] = {0, 8, 127, -128, 128, -129, 0x12345};
#define EACH(i, list) for (unsigned i = 0; i < sizeof(list) / sizeof((list)[0]); i++)

__attribute__((format(printf, 1, 2))) static void
expect(const char *format, ...)
{
   va_list list;
   va_start(list, format);
   assert_true(count < LINES);
   vsnprintf(expected[count++], TEXT, format, list);
   va_end(list);
}

/* ---- operands as text ----------------------------------------------------------------------- */

static const char *
memory(const char *size, struct x86_rm rm)
{
   static char text[64];
   int32_t d = rm.disp;
   snprintf(text, sizeof(text), "%s PTR [%s%c0x%x]", size, name64[rm.reg], d < 0 ? '-' : '+',
            (unsigned)(d < 0 ? -d : d));
   return text;
}

static const char *
integer(bool wide, struct x86_rm rm)
{
   if (rm.memory)
      return memory(wide ? "QWORD" : "DWORD", rm);
   return (wide ? name64 : name32)[rm.reg];
}

/* Registers, then every base with every distance. */
static struct x86_rm
operand(unsigned n)
{
   unsigned regs = sizeof(registers);
   if (n < regs)
      return x86_reg(registers[n]);
   n -= regs;
   return x86_mem(bases[n % sizeof(bases)], distances[n / sizeof(bases)]);
}
#define OPERANDS (sizeof(registers) + sizeof(bases) * 7)

/* ---- integers ------------------------------------------------------------------------------- */

static void
register_forms(void)
{
   static const struct {
      enum x86_op op;
      const char *name;
      bool to_rm; /* the r/m operand is the first */
   } forms[] = {{X86_ADD, "add", false},  {X86_OR, "or", false},    {X86_AND, "and", false},
                {X86_SUB, "sub", false},  {X86_XOR, "xor", false},  {X86_CMP, "cmp", false},
                {X86_LOAD, "mov", false}, {X86_STORE, "mov", true}, {X86_OR_TO, "or", true},
                {X86_TEST, "test", true}, {X86_BTS, "bts", true},   {X86_ADD_TO, "add", true},
                {X86_SUB_TO, "sub", true}};
   EACH(f, forms)
   EACH(r, registers)
   for (unsigned n = 0; n < OPERANDS; n++)
      for (unsigned wide = 0; wide < 2; wide++) {
         struct x86_rm rm = operand(n);
         const char *reg = (wide ? name64 : name32)[registers[r]], *text = integer(wide, rm);
         x86_op(&a, forms[f].op, wide, registers[r], rm);
         expect("%s %s,%s", forms[f].name, forms[f].to_rm ? text : reg,
                forms[f].to_rm ? reg : text);
      }
}

static void
memory_forms(void)
{
   static const struct {
      enum x86_op op;
      const char *name, *size;
   } forms[] = {{X86_MOVZX8, "movzx", "BYTE"},
                {X86_MOVZX16, "movzx", "WORD"},
                {X86_MOVSX8, "movsx", "BYTE"},
                {X86_MOVSX16, "movsx", "WORD"}};
   EACH(r, registers)
   for (unsigned n = sizeof(registers); n < OPERANDS; n++) {
      struct x86_rm rm = operand(n);
      EACH(f, forms)
      {
         x86_op(&a, forms[f].op, false, registers[r], rm);
         expect("%s %s,%s", forms[f].name, name32[registers[r]], memory(forms[f].size, rm));
      }
      x86_op(&a, X86_LEA, true, registers[r], rm);
      expect("lea %s,%s", name64[registers[r]], memory("", rm) + 5); /* without " PTR " */
   }
   for (unsigned n = sizeof(registers); n < OPERANDS; n++) {
      x86_prefetch(&a, operand(n));
      expect("prefetcht0 %s", memory("BYTE", operand(n)));
      x86_store16(&a, RAX, operand(n));
      expect("mov %s,ax", memory("WORD", operand(n)));
   }
   x86_op(&a, X86_TEST8, false, RAX, x86_reg(RAX));
   expect("test al,al");
   EACH(r, registers) EACH(b, bases) EACH(i, registers)
   {
      if (registers[i] == RSP)
         continue;
      x86_load_indexed(&a, registers[r], bases[b], registers[i]);
      expect("mov %s,QWORD PTR [%s+%s*8+0x0]", name64[registers[r]], name64[bases[b]],
             name64[registers[i]]);
   }
}

static void
immediate_forms(void)
{
   static const struct {
      enum x86_imm_op op;
      const char *name;
   } forms[] = {{X86_ADD_I, "add"},
                {X86_AND_I, "and"},
                {X86_SUB_I, "sub"},
                {X86_XOR_I, "xor"},
                {X86_CMP_I, "cmp"}};
   static const int32_t values[] = {0, 127, -128, 128, 0x12345678, -129};
   for (unsigned n = 0; n < OPERANDS; n++) {
      struct x86_rm rm = operand(n);
      EACH(f, forms) EACH(v, values) for (unsigned wide = 0; wide < 2; wide++)
      {
         x86_imm(&a, forms[f].op, wide, rm, values[v]);
         if (wide)
            expect("%s %s,0x%llx", forms[f].name, integer(true, rm),
                   (unsigned long long)(int64_t)values[v]);
         else
            expect("%s %s,0x%x", forms[f].name, integer(false, rm), (unsigned)values[v]);
      }
      x86_test_imm(&a, rm, 0x1234567);
      expect("test %s,0x1234567", integer(false, rm));
      if (!rm.memory)
         continue;
      x86_store_imm(&a, rm, 0x89abcdef);
      expect("mov %s,0x89abcdef", integer(false, rm));
   }
}

static void
single_forms(void)
{
   EACH(n, registers)
   {
      unsigned r = registers[n];
      x86_mov_imm(&a, r, 0xfedcba98);
      expect("mov %s,0xfedcba98", name32[r]);
      x86_mov_imm(&a, r, 0x123456789abcdef0);
      expect("movabs %s,0x123456789abcdef0", name64[r]);
      x86_shift(&a, true, r, 5);
      expect("shl %s,0x5", name32[r]);
      x86_shift(&a, false, r, 24);
      expect("shr %s,0x18", name32[r]);
      x86_shift(&a, false, r, 0); /* nothing */
      x86_multiply(&a, r, 0x12345678);
      expect("imul %s,%s,0x12345678", name32[r], name32[r]);
      x86_not(&a, false, r);
      expect("not %s", name32[r]);
      x86_not(&a, true, r);
      expect("not %s", name64[r]);
      x86_push(&a, r);
      expect("push %s", name64[r]);
      x86_pop(&a, r);
      expect("pop %s", name64[r]);
      x86_call(&a, r);
      expect("call %s", name64[r]);
      x86_jump_reg(&a, r);
      expect("jmp %s", name64[r]);
   }
   x86_imm(&a, X86_SUB_I, true, x86_reg(RSP), 8);
   expect("sub rsp,0x8");
   x86_ret(&a);
   expect("ret");
   x86_vzeroupper(&a);
   expect("vzeroupper");
}

/* Forwards and backwards. */
static void
jumps(void)
{
   static const struct {
      enum x86_cond cond;
      const char *name;
   } conditions[] = {{CC_B, "jb"},   {CC_AE, "jae"}, {CC_E, "je"},
                     {CC_NE, "jne"}, {CC_A, "ja"},   {CC_S, "js"}};
   EACH(i, conditions)
   {
      size_t target = i & 1 ? 16 : a.size + 1000;
      x86_patch(&a, x86_jump_if(&a, conditions[i].cond), target);
      expect("%s 0x%zx", conditions[i].name, target);
      x86_patch(&a, x86_jump(&a), target);
      expect("jmp 0x%zx", target);
   }
}

/* ---- vectors -------------------------------------------------------------------------------- */

enum shape { RVM, RM, MR };
struct form {
   enum vex_op op;
   const char *name;
   enum shape shape;
   const char *reg, *rm,
       *size; /* what the operands are; size NULL: no memory form; rm NULL: no register form */
   bool immediate, narrow;
};

#define THREE(op, name)                                                                            \
   {                                                                                               \
      op, name, RVM, "ymm", "ymm", "YMMWORD", false, false                                         \
   }
#define TWO(op, name)                                                                              \
   {                                                                                               \
      op, name, RM, "ymm", "ymm", "YMMWORD", false, false                                          \
   }
static const struct form forms[] = {
    TWO(VMOVDQU_LOAD, "vmovdqu"),
    {VMOVDQU_STORE, "vmovdqu", MR, "ymm", "ymm", "YMMWORD", false, false},
    {VMOVDQU_STORE, "vmovdqu", MR, "xmm", "xmm", "XMMWORD", false, true},
    {VMOVD_FROM, "vmovd", RM, "xmm", "r32", "DWORD", false, true},
    {VMOVD_STORE, "vmovd", MR, "xmm", "r32", "DWORD", false, true},
    {VMOVQ_STORE, "vmovq", MR, "xmm", NULL, "QWORD", false, true},
    {VMOVHPS_STORE, "vmovhps", MR, "xmm", NULL, "QWORD", false, true},
    {VPBROADCASTD, "vpbroadcastd", RM, "ymm", "xmm", "DWORD", false, false},
    {VPBROADCASTQ, "vpbroadcastq", RM, "ymm", "xmm", "QWORD", false, false},
    {VBROADCASTI128, "vbroadcasti128", RM, "ymm", NULL, "XMMWORD", false, false},
    {VPMOVSXBD, "vpmovsxbd", RM, "ymm", "xmm", "QWORD", false, false},
    {VPMOVZXBD, "vpmovzxbd", RM, "ymm", "xmm", "QWORD", false, false},
    {VPMOVSXWD, "vpmovsxwd", RM, "ymm", "xmm", "XMMWORD", false, false},
    {VPMOVZXWD, "vpmovzxwd", RM, "ymm", "xmm", "XMMWORD", false, false},
    {VPMOVSXDQ, "vpmovsxdq", RM, "ymm", "xmm", "XMMWORD", false, false},
    {VPMOVZXDQ, "vpmovzxdq", RM, "ymm", "xmm", "XMMWORD", false, false},
    {VSHUFPS_I, "vshufps", RVM, "ymm", "ymm", "YMMWORD", true, false},
    THREE(VPERMD, "vpermd"),
    THREE(VPUNPCKLDQ, "vpunpckldq"),
    THREE(VPUNPCKHDQ, "vpunpckhdq"),
    {VPUNPCKLDQ, "vpunpckldq", RVM, "xmm", "xmm", "XMMWORD", false, true},
    {VPUNPCKHDQ, "vpunpckhdq", RVM, "xmm", "xmm", "XMMWORD", false, true},
    THREE(VPSHUFB, "vpshufb"),
    {VPERMQ_I, "vpermq", RM, "ymm", "ymm", "YMMWORD", true, false},
    THREE(VADDPS, "vaddps"),
    THREE(VSUBPS, "vsubps"),
    THREE(VADDPD, "vaddpd"),
    {VADDPD, "vaddpd", RVM, "xmm", "xmm", "XMMWORD", false, true},
    THREE(VSUBPD, "vsubpd"),
    THREE(VMULPD, "vmulpd"),
    THREE(VUNPCKLPD, "vunpcklpd"),
    THREE(VUNPCKHPD, "vunpckhpd"),
    {VPACKSSDW, "vpackssdw", RVM, "xmm", "xmm", "XMMWORD", false, true},
    {VPERMILPS_I, "vpermilps", RM, "ymm", "ymm", "YMMWORD", true, false},
    {VBLENDPS_I, "vblendps", RVM, "ymm", "ymm", "YMMWORD", true, false},
    {VPEXTRB_I, "vpextrb", MR, "xmm", NULL, "BYTE", true, true},
    {VPEXTRW_I, "vpextrw", MR, "xmm", NULL, "WORD", true, true},
    {VPEXTRD_I, "vpextrd", MR, "xmm", "r32", "DWORD", true, true},
    {VPINSRD_I, "vpinsrd", RVM, "xmm", "r32", "DWORD", true, true},
    {VCVTPD2PS, "vcvtpd2ps", RM, "xmm", "xmm", "XMMWORD", false, true},
    THREE(VMULPS, "vmulps"),
    THREE(VMINPS, "vminps"),
    THREE(VMAXPS, "vmaxps"),
    THREE(VFMADD231PS, "vfmadd231ps"),
    THREE(VFMADD213PS, "vfmadd213ps"),
    THREE(VFMSUB213PS, "vfmsub213ps"),
    THREE(VFNMADD213PS, "vfnmadd213ps"),
    THREE(VFNMADD231PS, "vfnmadd231ps"),
    TWO(VPTEST, "vptest"),
    TWO(VTESTPS, "vtestps"),
    {VCMPPS_I, "vcmpps", RVM, "ymm", "ymm", "YMMWORD", true, false},
    {VMOVMSKPS, "vmovmskps", RM, "r32", "ymm", NULL, false, false},
    {VPBLENDW_I, "vpblendw", RVM, "ymm", "ymm", "YMMWORD", true, false},
    {VROUNDPS_I, "vroundps", RM, "ymm", "ymm", "YMMWORD", true, false},
    THREE(VANDPS, "vandps"),
    THREE(VXORPS, "vxorps"),
    THREE(VPADDD, "vpaddd"),
    THREE(VPSUBD, "vpsubd"),
    THREE(VPMULLD, "vpmulld"),
    THREE(VPADDQ, "vpaddq"),
    THREE(VPMULDQ, "vpmuldq"),
    THREE(VPMULUDQ, "vpmuludq"),
    THREE(VPAND, "vpand"),
    THREE(VPANDN, "vpandn"),
    THREE(VPOR, "vpor"),
    THREE(VPXOR, "vpxor"),
    THREE(VPSLLVD, "vpsllvd"),
    THREE(VPSRLVD, "vpsrlvd"),
    THREE(VPSRAVD, "vpsravd"),
    TWO(VPABSD, "vpabsd"),
    THREE(VPMINSD, "vpminsd"),
    THREE(VPMAXSD, "vpmaxsd"),
    THREE(VPMINUD, "vpminud"),
    THREE(VPMAXUD, "vpmaxud"),
    THREE(VPCMPEQD, "vpcmpeqd"),
    THREE(VPCMPGTD, "vpcmpgtd"),
    TWO(VCVTDQ2PS, "vcvtdq2ps"),
    TWO(VCVTTPS2DQ, "vcvttps2dq"),
    {VCVTPS2PD, "vcvtps2pd", RM, "ymm", "xmm", "XMMWORD", false, false},
    {VCVTPD2PS, "vcvtpd2ps", RM, "xmm", "ymm", "YMMWORD", false, false},
    TWO(VSQRTPD, "vsqrtpd"),
    THREE(VDIVPD, "vdivpd"),
    TWO(VSQRTPS, "vsqrtps"),
    TWO(VRSQRTPS, "vrsqrtps"),
    THREE(VDIVPS, "vdivps"),
    {VEXTRACTF128_I, "vextractf128", MR, "ymm", "xmm", "XMMWORD", true, false},
    {VINSERTF128_I, "vinsertf128", RVM, "ymm", "xmm", "XMMWORD", true, false},
};

static void
vector_name(char *out, const char *kind, unsigned n)
{
   if (!strcmp(kind, "r32"))
      snprintf(out, 64, "%s", name32[n]);
   else
      snprintf(out, 64, "%s%u", kind, n);
}

static void
one_vector(const struct form *f, unsigned r, unsigned v, struct x86_rm rm)
{
   char reg[64], other[64], third[64] = "", imm[16] = "";
   v = f->shape == RVM ? v : 0;
   vector_name(reg, f->reg, r);
   if (rm.memory)
      snprintf(other, sizeof(other), "%s", memory(f->size, rm));
   else
      vector_name(other, f->rm, rm.reg);
   if (f->shape == RVM)
      snprintf(third, sizeof(third), "%s%u,", f->reg, v);
   if (f->immediate)
      snprintf(imm, sizeof(imm), ",0x55");
   if (f->immediate)
      (f->narrow ? vex128_imm : vex_imm)(&a, f->op, r, v, rm, 0x55);
   else
      (f->narrow ? vex128 : vex)(&a, f->op, r, v, rm);
   if (f->shape == MR)
      expect("%s %s,%s%s", f->name, other, reg, imm);
   else
      expect("%s %s,%s%s%s", f->name, reg, third, other, imm);
}

static void
vectors(void)
{
   static const uint8_t v[] = {0, 6, 15};
   EACH(f, forms) EACH(r, registers) EACH(i, v) for (unsigned n = 0; n < OPERANDS; n++)
   {
      struct x86_rm rm = operand(n);
      if (rm.memory ? forms[f].size != NULL : forms[f].rm != NULL)
         one_vector(&forms[f], registers[r], v[i], rm);
   }
   EACH(r, registers) EACH(i, v)
   {
      static const struct {
         enum vex_shift op;
         const char *name;
      } shifts[] = {{VPSRLD, "vpsrld"}, {VPSRAD, "vpsrad"}, {VPSLLD, "vpslld"}};
      EACH(s, shifts)
      {
         vex_shift(&a, shifts[s].op, registers[r], v[i], 17);
         expect("%s ymm%u,ymm%u,0x11", shifts[s].name, registers[r], v[i]);
      }
      EACH(b, bases)
      {
         if (bases[b] == RSP || bases[b] == R12 || registers[r] == v[i])
            continue;
         vex_gather(&a, registers[r], bases[b], v[i], 9);
         expect("vpgatherdd ymm%u,DWORD PTR [%s+ymm%u*1+0x0],ymm9", registers[r], name64[bases[b]],
                v[i]);
      }
      for (unsigned mask = 0; mask < 16; mask += 5) {
         vex_blend(&a, registers[r], v[i], x86_reg(9), mask);
         expect("vblendvps ymm%u,ymm%u,ymm9,ymm%u", registers[r], v[i], mask);
         vex_blend(&a, registers[r], v[i], x86_mem(R13, 64), mask);
         expect("vblendvps ymm%u,ymm%u,YMMWORD PTR [r13+0x40],ymm%u", registers[r], v[i], mask);
         vex_blend_bytes(&a, registers[r], v[i], x86_reg(9), mask);
         expect("vpblendvb ymm%u,ymm%u,ymm9,ymm%u", registers[r], v[i], mask);
      }
   }
}

/* ---- reading it back ------------------------------------------------------------------------ */

/* "   0:\tmov    rax,rbx" to "mov rax,rbx". */
static bool
instruction_of(const char *line, char out[256])
{
   const char *tab = strchr(line, '\t');
   size_t n = 0;
   if (!tab || !strchr(line, ':') || strchr(line, ':') > tab)
      return false;
   for (const char *c = tab + 1; *c && *c != '\n' && *c != '#' && n < 255; c++)
      if (*c != ' ' || (n && out[n - 1] != ' '))
         out[n++] = *c;
   while (n && out[n - 1] == ' ')
      n--;
   out[n] = 0;
   return true;
}

/* Without the sizes of memory and pseudo-names: what x86_text says. */
static void
plain_text(const char *text, char out[256])
{
   static const char *const sizes[] = {"YMMWORD PTR ", "XMMWORD PTR ", "QWORD PTR ",
                                       "DWORD PTR ",   "WORD PTR ",    "BYTE PTR "};
   strcpy(out, text);
   for (unsigned i = 0; i < 6; i++) {
      char *at = strstr(out, sizes[i]);
      if (at)
         memmove(at, at + strlen(sizes[i]), strlen(at + strlen(sizes[i])) + 1);
   }
}

/* The house's own reader agrees. */
static void
read_back_ourselves(void)
{
   char wanted[256], text[128];
   size_t at = 0;
   for (size_t n = 0; n < count; n++) {
      size_t length = x86_text(code, at, a.size, NULL, NULL, text);
      plain_text(expected[n], wanted);
      if (!length || strcmp(text, wanted))
         print_message("# at %zx\n", at);
      assert_true(length);
      assert_string_equal(text, wanted);
      at += length;
   }
   assert_int_equal(at, a.size);
}

static void
read_back(void)
{
   char path[] = "/tmp/pergola-x86-XXXXXX", command[256], line[512], text[256];
   int fd = mkstemp(path);
   assert_true(fd >= 0);
   assert_int_equal(write(fd, code, a.size), (ssize_t)a.size);
   close(fd);
   snprintf(command, sizeof(command),
            "objdump -D -b binary -m i386:x86-64 -M intel --no-show-raw-insn %s", path);
   FILE *p = popen(command, "r");
   assert_non_null(p);
   size_t n = 0;
   while (fgets(line, sizeof(line), p)) {
      if (!instruction_of(line, text))
         continue;
      assert_true(n < count);
      assert_string_equal(text, expected[n]);
      n++;
   }
   assert_int_equal(pclose(p), 0);
   unlink(path);
   assert_int_equal(n, count);
   read_back_ourselves();
   print_message("# %zu instructions\n", count);
}

static void
begin(void)
{
   if (system("objdump --version > /dev/null 2>&1"))
      skip();
   expected = expected ? expected : calloc(LINES, TEXT);
   assert_non_null(expected);
   a.size = count = 0;
}

static void
integers_are_what_objdump_says(void **state)
{
   (void)state;
   begin();
   register_forms();
   memory_forms();
   immediate_forms();
   single_forms();
   jumps();
   read_back();
}

static void
vectors_are_what_objdump_says(void **state)
{
   (void)state;
   begin();
   vectors();
   read_back();
}

/* Past the room nothing is written, and the size says how much there would have been. */
static void
room_is_respected(void **state)
{
   (void)state;
   uint8_t few[16];
   memset(few, 0xaa, sizeof(few));
   struct x86 small = {.code = few, .room = 5};
   x86_mov_imm(&small, RAX, 0x123456789abcdef0);
   assert_int_equal(small.size, 10);
   x86_patch(&small, 8, 100);
   for (unsigned i = 5; i < sizeof(few); i++)
      assert_int_equal(few[i], 0xaa);
   assert_int_equal(few[0], 0x48);
}

/* With every register in use there is none to give: the translation fails, it does not look on. */
static void
registers_can_run_out(void **state)
{
   (void)state;
   struct jit j = {.pinned = 0};
   uint32_t seen = 0;
   for (unsigned i = KEPT_FIRST; i < KEPT_COUNT; i++) {
      unsigned r = jit_new_register(&j);
      assert_in_range(r, KEPT + KEPT_FIRST, KEPT + KEPT_COUNT - 1);
      seen |= 1u << (r - KEPT);
      assert_false(j.failed);
   }
   assert_int_equal(seen, ((1u << KEPT_COUNT) - 1) & ~KEPT_SCRATCH);
   alarm(10);
   jit_new_register(&j);
   alarm(0);
   assert_true(j.failed);
}

static int
give_back(void **state)
{
   (void)state;
   free(expected);
   return 0;
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(integers_are_what_objdump_says),
       cmocka_unit_test(vectors_are_what_objdump_says),
       cmocka_unit_test(room_is_respected),
       cmocka_unit_test(registers_can_run_out),
   };
   return cmocka_run_group_tests_name("eu_x86", tests, NULL, give_back);
}
