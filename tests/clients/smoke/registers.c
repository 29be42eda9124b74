/* Registers that a client maps by resource0, as tools do that look at the chip past the kernel:
 * every form of load and store that a compiler makes of one, handlers of the client's own,
 * children. */
#include "kernel.h"

#include <signal.h>
#include <sys/stat.h>

#define RESOURCE0 "/sys/bus/pci/devices/0000:00:02.0/resource0"
#define BAR0 0x400000u
#define TIMESTAMP 0x2358u /* RCS_TIMESTAMP */
#define TRIGGERS 0x2388u  /* OASTARTTRIG2 and 1: eight bytes that only store */

static char *
map_resource0(size_t size, off_t offset)
{
   int fd = open(RESOURCE0, O_RDWR | O_CLOEXEC);
   void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
   close(fd);
   return p;
}

#ifdef __x86_64__
/* One load into rcx, whose old contents show what it leaves. */
#define LOAD(name, text)                                                                           \
   static uint64_t name(const void *p)                                                             \
   {                                                                                               \
      uint64_t r = 0x1122334455667788;                                                             \
      __asm__ volatile(text : "+c"(r) : "D"(p), "S"((uint64_t)0) : "memory");                      \
      return r;                                                                                    \
   }
LOAD(load_8, "movb (%%rdi), %%cl")
LOAD(load_8_high, "movb 1(%%rdi,%%rsi), %%ch")
LOAD(load_16, "movw (%%rdi), %%cx")
LOAD(load_32, "movl (%%rdi,%%rsi,4), %%ecx")
LOAD(load_64, "movq 0x0(%%rdi), %%rcx")
LOAD(load_zero_8, "movzbl 3(%%rdi), %%ecx")
LOAD(load_zero_16, "movzwl 2(%%rdi), %%ecx")
LOAD(load_sign_8, "movsbq 3(%%rdi), %%rcx")
LOAD(load_sign_16, "movswl 2(%%rdi), %%ecx")
LOAD(load_sign_32, "movslq (%%rdi), %%rcx")
LOAD(load_r11, "movl (%%rdi), %%r11d\n mov %%r11, %%rcx")

#define STORE(name, text)                                                                          \
   static void name(void *p, uint64_t r)                                                           \
   {                                                                                               \
      __asm__ volatile(text : : "D"(p), "c"(r) : "memory", "r9", "r10");                           \
   }
STORE(store_8, "movb %%cl, (%%rdi)")
STORE(store_8_high, "movb %%ch, 2(%%rdi)")
STORE(store_16, "movw %%cx, 2(%%rdi)")
STORE(store_32, "mov %%rdi, %%r9\n mov %%ecx, %%r10d\n movl %%r10d, 0x100(%%r9)")
STORE(store_64, "movq %%rcx, (%%rdi)")
STORE(store_constant_8, "movb $0x5a, 1(%%rdi)")
STORE(store_constant_16, "movw $0xbeef, (%%rdi)")
STORE(store_constant_32, "movl $0x89abcdef, (%%rdi)")
STORE(store_constant_64, "movq $-2, (%%rdi)")

static void
forms(char *registers)
{
   char *p = registers + TRIGGERS;
   store_64(p, 0xf1e2d3c489abcdef);
   CHECK(load_64(p) == 0xf1e2d3c489abcdef, "a qword");
   CHECK(load_32(p) == 0x89abcdef, "a dword clears the upper half");
   CHECK(load_r11(p) == 0x89abcdef, "into a new register");
   CHECK(load_16(p) == 0x112233445566cdef, "a word leaves the rest");
   CHECK(load_8(p) == 0x11223344556677ef, "a byte leaves the rest");
   CHECK(load_8_high(p) == 0x112233445566cd88, "a byte into bits 15:8");
   CHECK(load_zero_8(p) == 0x89 && load_zero_16(p) == 0x89ab, "with zeros");
   CHECK(load_sign_8(p) == 0xffffffffffffff89 && load_sign_16(p) == 0xffff89ab &&
             load_sign_32(p) == 0xffffffff89abcdef,
         "with the sign");
   store_8(p, 0x01);
   CHECK(load_64(p) == 0xf1e2d3c489abcd01, "a byte is stored");
   store_8_high(p, 0x0200);
   CHECK(load_64(p) == 0xf1e2d3c48902cd01, "bits 15:8 are stored");
   store_16(p, 0x0304);
   CHECK(load_64(p) == 0xf1e2d3c40304cd01, "a word is stored");
   store_32(p + 4 - 0x100, 0x05060708);
   CHECK(load_64(p) == 0x050607080304cd01, "a dword is stored");
   store_constant_8(p, 0);
   CHECK(load_64(p) == 0x0506070803045a01, "a constant byte");
   store_constant_16(p, 0);
   CHECK(load_64(p) == 0x050607080304beef, "a constant word");
   store_constant_32(p, 0);
   CHECK(load_64(p) == 0x0506070889abcdef, "a constant dword");
   store_constant_64(p, 0);
   CHECK(load_64(p) == 0xfffffffffffffffe, "a constant qword, its sign extended");
}

static uint32_t
dword(const char *registers, uint32_t offset)
{
   return *(const volatile uint32_t *)(registers + offset);
}

static volatile sig_atomic_t caught;

static void
handler(int number, siginfo_t *info, void *context)
{
   (void)number, (void)context;
   caught++;
   mprotect((void *)((uintptr_t)info->si_addr & ~4095ul), 4096, PROT_READ | PROT_WRITE);
}

static void
own_handlers(char *registers)
{
   struct sigaction s = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO}, before;
   uint32_t *own = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   CHECK(!sigaction(SIGSEGV, &s, &before), "a handler of the client's own");
   *(volatile uint32_t *)(registers + TRIGGERS) = 7;
   CHECK(dword(registers, TRIGGERS) == 7 && !caught, "registers do not come to it");
   *(volatile uint32_t *)own = 3;
   CHECK(*own == 3 && caught == 1, "its own faults do");
   CHECK(signal(SIGSEGV, SIG_DFL) != SIG_ERR && dword(registers, TRIGGERS) == 7, "nor to none");
   munmap(own, 4096);
}

/* Children: they have what is mapped here. */
static char *registers;

static int
child(int fd)
{
   (void)fd;
   *(volatile uint32_t *)(registers + TRIGGERS) = 9;
   return dword(registers, TRIGGERS) != 9;
}

/* What is no plain load or store is named, and is a fault. */
static int
adds(int fd)
{
   (void)fd;
   __asm__ volatile("addl $1, (%0)" : : "r"(registers + TRIGGERS) : "memory", "cc");
   return 0;
}

/* A hole in the middle is no register any more, what is left on both sides is. */
static int
unmapped(int fd)
{
   (void)fd;
   munmap(registers + 0x3000, 0x1000);
   *(volatile uint32_t *)(registers + TRIGGERS) = 5;
   if (dword(registers, TRIGGERS) != 5 || dword(registers, 0x12000 + 0x358) == ~0u)
      return 1;
   char *again =
       mmap(registers + 0x3000, 0x1000, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
   (void)dword(again, 8);
   return 2; /* not reached */
}

static void
maps(void)
{
   CHECK(map_resource0(BAR0 + 4096, 0) == MAP_FAILED, "no more than there is");
   CHECK(map_resource0(4096, BAR0) == MAP_FAILED && map_resource0(0, 0) == MAP_FAILED,
         "nothing behind it, and not nothing");
   char *page = map_resource0(4096, 0x2000);
   CHECK(page != MAP_FAILED && dword(page, TRIGGERS - 0x2000) == 7, "one page of it");
   CHECK(!munmap(page, 4096), "and goes");
   struct stat s;
   CHECK(!stat(RESOURCE0, &s) && s.st_size == BAR0, "the file has the BAR's size");
}
#endif

int
main(void)
{
   setvbuf(stdout, NULL, _IOLBF, 0);
#ifdef __x86_64__
   registers = map_resource0(BAR0, 0);
   CHECK(registers != MAP_FAILED, "resource0 can be mapped");
   if (registers == MAP_FAILED)
      return smoke_end();
   uint32_t first = dword(registers, TIMESTAMP);
   CHECK(dword(registers, TIMESTAMP) - first < 1u << 30 && dword(registers, TIMESTAMP) != first,
         "time goes on while it is looked at");
   forms(registers);
   own_handlers(registers);
   maps();
   int status = in_child(child, -1);
   CHECK(!status && dword(registers, TRIGGERS) == 7, "a child has its own device (%d)", status);
   status = in_child(adds, -1);
   CHECK(status == 200 + SIGSEGV, "an addition in memory is a fault (%d)", status);
   status = in_child(unmapped, -1);
   CHECK(status == 200 + SIGSEGV, "what was unmapped is no register (%d)", status);
#else
   CHECK(map_resource0(BAR0, 0) == MAP_FAILED, "registers can be mapped on x86-64 only");
#endif
   return smoke_end();
}
