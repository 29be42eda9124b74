/* pergola run: a program of the user's on the modelled GPU. */
#include "cli.h"

#include "dump.h"
#include "fail.h"
#include "run.h"

#include "pergola/pergola.h"
#include "trace/trace.h"

#include <getopt.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char help[] =
    "usage: pergola run [OPTIONS] -- PROGRAM [ARGUMENTS]\n\n"
    "Runs a program with its packaged driver (Vulkan, OpenGL, OpenCL, VA-API) on the modelled "
    "GPU.\n"
    "The exit code is the program's.\n\n"
    "  --device NAME        the part; 'pergola devices' lists them (ivb-gt2)\n"
    "  --check off|report|stop\n"
    "                       rules of the manual: not looked at, reported, or the engine stops "
    "(report)\n"
    "  --sanitize LIST      looks for faults of GPU programs: memory, race, init, or all "
    "(docs/sanitizer.md)\n"
    "  --report FILE        rule reports as text, or by its ending as .json or .sarif\n"
    "  --trace LIST         events as text, on standard error or where --trace-file FILE says: "
    "all, cs, eu,\n"
    "                       thread, send, irq, or single kinds: mmio, command, batch, interrupt, "
    "dispatch,\n"
    "                       end, instruction, message, memory, wait, vme, surface; only of\n"
    "                       kernel=ADDRESS, thread=ID, batch=ADDRESS\n"
    "  --perfetto FILE      a trace for ui.perfetto.dev\n"
    "  --oa FILE            what the performance counters count, for 'pergola oa'\n"
    "  --stats[=LIST]       a line per batch and one at the end: commands, threads, instructions, "
    "bytes,\n"
    "                       model time; the hottest kernels. json: as JSON lines; hot: also the "
    "hottest\n"
    "                       instructions\n"
    "  --threads N          host threads for independent thread groups (all)\n"
    "  --native auto|off|always\n"
    "                       hot kernels become native code, no kernel does, every kernel does "
    "(auto)\n"
    "  --deterministic      one order of execution for every program, racy ones too\n"
    "  --dump DIRECTORY     every batch with kernels, surfaces and memory, for 'pergola decode' "
    "and "
    "'pergola exec'\n"
    "  --hang-budget N      units of work after which a batch counts as hung\n"
    "  --patience SECONDS   tells where a batch stands that takes longer (5 on a terminal; 0: "
    "never)\n"
    "  --error-state FILE   the state of the GPU at the first hang, for 'pergola replay'\n"
    "  --aub FILE           every batch and its memory as an AUB file, for 'pergola replay'\n"
    "  --fail-on LIST       exit with 3 after " FAIL_WORDS "\n"
    "                       (unused: the program opened no GPU)\n"
    "  --ignore RULE,…      rules that are neither told nor counted\n"
    "  --write-baseline FILE, --baseline FILE\n"
    "                       what is reported now; what is in there is neither told nor counted\n"
    "  --host baseline      as on a processor without AVX2\n"
    "  --quiet              no closing line\n\n"
    "Each option is also an environment variable: PERGOLA_DEVICE, PERGOLA_HANG_BUDGET, "
    "PERGOLA_STATS=1, …\n"
    "FILE may be - : standard output for traces, standard error for reports. Further processes of "
    "the program\n"
    "write files of their own, FILE-2 and so on.\n";

static const struct run_option {
   const char *name, *variable;
   bool flag;
} options[] = {
    {"--device", "PERGOLA_DEVICE", false},
    {"--check", "PERGOLA_CHECK", false},
    {"--sanitize", "PERGOLA_SANITIZE", false},
    {"--report", "PERGOLA_REPORT", false},
    {"--trace", "PERGOLA_TRACE", false},
    {"--trace-file", "PERGOLA_TRACE_FILE", false},
    {"--perfetto", "PERGOLA_PERFETTO", false},
    {"--oa", "PERGOLA_OA", false},
    {"--stats", "PERGOLA_STATS", true},
    {"--threads", "PERGOLA_THREADS", false},
    {"--native", "PERGOLA_NATIVE", false},
    {"--deterministic", "PERGOLA_DETERMINISTIC", true},
    {"--dump", "PERGOLA_DUMP", false},
    {"--hang-budget", "PERGOLA_HANG_BUDGET", false},
    {"--patience", "PERGOLA_PATIENCE", false},
    {"--error-state", "PERGOLA_ERROR_STATE", false},
    {"--aub", "PERGOLA_AUB", false},
    {"--fail-on", "PERGOLA_FAIL_ON", false},
    {"--ignore", "PERGOLA_IGNORE", false},
    {"--baseline", "PERGOLA_BASELINE", false},
    {"--write-baseline", "PERGOLA_WRITE_BASELINE", false},
    {"--host", "PERGOLA_HOST", false},
    {"--quiet", "PERGOLA_QUIET", true},
};
#define OPTION_COUNT (sizeof(options) / sizeof(options[0]))

static bool
is_path(const char *name)
{
   return !strcmp(name, "--report") || !strcmp(name, "--trace-file") ||
          !strcmp(name, "--perfetto") || !strcmp(name, "--oa") || !strcmp(name, "--dump") ||
          !strcmp(name, "--error-state") || !strcmp(name, "--aub") || !strcmp(name, "--baseline") ||
          !strcmp(name, "--write-baseline");
}

static int
try_read(const char *path)
{
   struct stat s;
   if (stat(path, &s) || access(path, R_OK))
      return errno;
   return S_ISDIR(s.st_mode) ? EISDIR : S_ISFIFO(s.st_mode) ? ESPIPE : 0;
}

static int
try_directory(const char *path)
{
   struct stat s;
   if (!mkdir(path, 0777))
      return 0;
   if (errno != EEXIST)
      return errno;
   if (stat(path, &s))
      return errno;
   return !S_ISDIR(s.st_mode) ? ENOTDIR : access(path, W_OK | X_OK) ? errno : 0;
}

/* Better now than when the program has run for an hour. */
static bool
path_ok(const char *name, const char *path)
{
   bool standard = !strcmp(path, "-") && strcmp(name, "--dump");
   if (standard && strcmp(name, "--report") && strcmp(name, "--trace-file") &&
       strcmp(name, "--perfetto")) {
      fprintf(stderr, "pergola: %s wants a file, not '-'\n", name);
      return false;
   }
   int error = !path[0]                      ? ENOENT
               : standard                    ? 0
               : !strcmp(name, "--dump")     ? try_directory(path)
               : !strcmp(name, "--baseline") ? try_read(path)
                                             : cli_try_file(path);
   return cli_path_ok(name, path, error);
}

static bool
value_ok(const char *name, const char *value)
{
   uint64_t n;
   if (!strcmp(name, "--device") && !pergola_sku_find(value)) {
      fprintf(stderr, "pergola: --device: '%s' is not a part; 'pergola devices' lists them\n",
              value);
      return false;
   }
   if (!strcmp(name, "--device") && pergola_sku_find(value)->generation != 70) {
      fprintf(stderr, "pergola: programs run on Gen7 parts; '%s' is for 'pergola vm'\n", value);
      return false;
   }
   if (!strcmp(name, "--check") && strcmp(value, "off") && strcmp(value, "report") &&
       strcmp(value, "stop")) {
      fprintf(stderr, "pergola: --check is off, report or stop, not '%s'\n", value);
      return false;
   }
   if (!strcmp(name, "--native") && strcmp(value, "auto") && strcmp(value, "off") &&
       strcmp(value, "always")) {
      fprintf(stderr, "pergola: --native is auto, off or always, not '%s'\n", value);
      return false;
   }
   if (!strcmp(name, "--stats") && optarg && !run_stats_bits(value)) {
      fprintf(stderr, "pergola: --stats is a list of " RUN_STATS_WORDS ", not '%s'\n", value);
      return false;
   }
   const char *bad = NULL;
   if (!strcmp(name, "--trace") && !pergola_trace_kinds(value, &bad)) {
      fprintf(stderr,
              "pergola: --trace: '%.*s' is not a kind of event; there are " PERGOLA_TRACE_WORDS
              ", kernel=ADDRESS, thread=ID and batch=ADDRESS\n",
              (int)strcspn(bad, ","), bad);
      return false;
   }
   if (!strcmp(name, "--sanitize") && !pergola_sanitize_kinds(value, &bad)) {
      fprintf(stderr, "pergola: --sanitize is a list of " PERGOLA_SANITIZE_WORDS ", not '%s'\n",
              value);
      return false;
   }
   if (!strcmp(name, "--fail-on") && !fail_bits(value)) {
      fprintf(stderr, "pergola: --fail-on is a list of " FAIL_WORDS ", not '%s'\n", value);
      return false;
   }
   if (!strcmp(name, "--host") && strcmp(value, "baseline") && strcmp(value, "auto")) {
      fprintf(stderr, "pergola: --host is auto or baseline, not '%s'\n", value);
      return false;
   }
   if (!strcmp(name, "--ignore") && !run_rules_known(value))
      return false;
   if (!strcmp(name, "--patience") && (!cli_parse_u64(value, &n) || n > 1000000)) {
      fprintf(stderr, "pergola: --patience wants seconds, at most 1000000, not '%s'\n", value);
      return false;
   }
   bool threads = !strcmp(name, "--threads");
   if ((threads || !strcmp(name, "--hang-budget")) &&
       (!cli_parse_u64(value, &n) || (threads ? n > UINT16_MAX : !n))) {
      fprintf(stderr, "pergola: %s wants a number%s, not '%s'\n", name,
              threads ? " up to 65535" : " above 0", value);
      return false;
   }
   return !is_path(name) || path_ok(name, value);
}

/* A file named on the command line stays what it was even if the program changes its directory. */
static void
set_path(const char *variable, const char *value)
{
   char *here = value[0] != '/' && strcmp(value, "-") ? getcwd(NULL, 0) : NULL;
   char *full = NULL;
   if (here && asprintf(&full, "%s/%s", here, value) >= 0)
      value = full;
   setenv(variable, value, 1);
   free(full);
   free(here);
}

/* An empty file, to which all processes of the program add. Not the one that is read. */
static bool
begin_baseline(void)
{
   const char *known = getenv("PERGOLA_BASELINE"), *path = getenv("PERGOLA_WRITE_BASELINE");
   struct stat a, b;
   if (known && !stat(known, &a) && !stat(path, &b) && a.st_dev == b.st_dev &&
       a.st_ino == b.st_ino) {
      fprintf(stderr, "pergola: --write-baseline '%s': --baseline reads the same file\n", path);
      return false;
   }
   int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
   bool ok = cli_path_ok("--write-baseline", path, fd < 0 ? errno : 0);
   if (fd >= 0)
      close(fd);
   return ok;
}

/* The same for getopt_long, which gives back the place in the table above. */
static void
fill_known(struct option *known)
{
   for (size_t i = 0; i < OPTION_COUNT; i++)
      known[i] = (struct option){.name = options[i].name + 2,
                                 .has_arg = !strcmp(options[i].name, "--stats") ? optional_argument
                                            : options[i].flag                   ? no_argument
                                                                                : required_argument,
                                 .val = (int)i};
   known[OPTION_COUNT] = (struct option){.name = "help", .val = 'h'};
}

/* The index of the program in argv, or a negative exit code less one. */
static int
parse(int argc, char **argv)
{
   struct option known[OPTION_COUNT + 2] = {0};
   fill_known(known);
   bool write = false;
   /* '+' first: what follows the program is the program's */
   for (int c; (c = getopt_long(argc, argv, "+:h", known, NULL)) != -1;) {
      if (c == '?' || c == ':')
         return -1 - cli_bad_option("run", argv, c);
      if (c == 'h') {
         fputs(help, stdout);
         return -1 - CLI_OK;
      }
      const struct run_option *o = &options[c];
      const char *value = o->flag && !optarg ? "1" : optarg;
      if (!value_ok(o->name, value))
         return -1 - CLI_USAGE;
      write |= !strcmp(o->name, "--write-baseline");
      if (is_path(o->name))
         set_path(o->variable, value);
      else
         setenv(o->variable, value, 1);
   }
   if (optind == argc) {
      fprintf(stderr, "usage: pergola run [OPTIONS] -- PROGRAM [ARGUMENTS]\n");
      return -1 - CLI_USAGE;
   }
   return !write || begin_baseline() ? optind : -1 - CLI_USAGE;
}

static bool
exists(const char *path)
{
   return !access(path, R_OK);
}

/* Beside the command when it runs from the build directory, else where it was installed. */
static char *
find_library(void)
{
   char self[1024];
   char *path = NULL;
   const char *given = getenv("PERGOLA_PRELOAD");
   if (given)
      return strdup(given);
   ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
   const char *started = (const char *)getauxval(AT_EXECFN); /* where there is no /proc */
   if (n < 0 && started && strchr(started, '/'))
      n = snprintf(self, sizeof(self), "%s", started);
   if (n < 0 || n >= (ssize_t)sizeof(self))
      return NULL;
   self[n] = 0;
   *strrchr(self, '/') = 0;
   static const char *const places[] = {"frontends/drm", "../lib/x86_64-linux-gnu",
                                        "../lib/x86_64-linux-gnu/pergola", "../lib64", "../lib"};
   for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
      if (asprintf(&path, "%s/%s/libpergola_drm.so", self, places[i]) < 0)
         return NULL;
      if (exists(path))
         return path;
      free(path);
   }
   return NULL;
}

/* A list in LD_PRELOAD is parted by spaces and colons, and a $ means something in it: such a path
 * is named by a descriptor of this process, which outlives the program. */
static char *
preloadable(char *path)
{
   char *other = NULL;
   int fd = path && strpbrk(path, " :$") ? open(path, O_RDONLY | O_CLOEXEC) : -1;
   if (fd < 0 || asprintf(&other, "/proc/%d/fd/%d", (int)getpid(), fd) < 0)
      return path;
   free(path);
   return other;
}

/* What a driver needs to choose the modelled GPU; the user's own settings stay. */
static void
set_environment(const char *library)
{
   static const char *const icds[] = {"/usr/share/vulkan/icd.d/intel_hasvk_icd.x86_64.json",
                                      "/usr/share/vulkan/icd.d/intel_hasvk_icd.json",
                                      "/etc/vulkan/icd.d/intel_hasvk_icd.x86_64.json"};
   if (!getenv("VK_ICD_FILENAMES") && !getenv("VK_DRIVER_FILES"))
      for (size_t i = 0; i < sizeof(icds) / sizeof(icds[0]); i++)
         if (exists(icds[i])) {
            setenv("VK_ICD_FILENAMES", icds[i], 1);
            setenv("VK_DRIVER_FILES", icds[i], 1);
            break;
         }
   setenv("EGL_PLATFORM", "surfaceless", 0);
   setenv("MESA_LOADER_DRIVER_OVERRIDE", "crocus", 0);
   setenv("LIBVA_DRIVER_NAME", "i965", 0);
   const char *old = getenv("LD_PRELOAD");
   char *both = NULL;
   if (old && old[0] && asprintf(&both, "%s:%s", library, old) >= 0)
      library = both;
   setenv("LD_PRELOAD", library, 1);
   free(both);
}

/* Shared with the preload library in every process of the program; found by path, so that a client
 * that closes all descriptors does no harm. */
static struct run_summary *
share_summary(void)
{
   bool proc = !access("/proc/self/fd", X_OK);
   char file[] = "/tmp/pergola-summary-XXXXXX"; /* else: stays until the program has ended */
   int fd = proc ? memfd_create(SUMMARY_NAME, 0) : mkstemp(file);
   struct run_summary *s = MAP_FAILED;
   if (fd >= 0 && !ftruncate(fd, sizeof(*s)))
      s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
   if (s == MAP_FAILED)
      return NULL;
   char path[64];
   snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)getpid(), fd);
   setenv("PERGOLA_SUMMARY", proc ? path : file, 1);
   return s;
}

static volatile sig_atomic_t program; /* a signal handler has no argument of its own */

static void
pass_on(int signal)
{
   kill(program, signal);
}

/* What is sent to this process is meant for the program. The terminal sends its own to both. */
static const int passed[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

static void
pass_signals(pid_t child)
{
   program = child;
   signal(SIGINT, SIG_IGN);
   signal(SIGQUIT, SIG_IGN);
   for (size_t i = 0; i < sizeof(passed) / sizeof(passed[0]); i++) {
      struct sigaction old, a = {.sa_handler = pass_on, .sa_flags = SA_RESTART};
      if (!sigaction(passed[i], NULL, &old) && old.sa_handler != SIG_IGN)
         sigaction(passed[i], &a, NULL);
   }
}

static int
wait_for(pid_t child, bool quiet)
{
   int status;
   while (waitpid(child, &status, 0) < 0)
      if (errno != EINTR)
         return CLI_FAILED;
   if (WIFEXITED(status))
      return WEXITSTATUS(status);
   int s = WTERMSIG(status);
   if (!quiet && s != SIGINT && s != SIGPIPE) /* as a shell says it */
      fprintf(stderr, "pergola: the program was ended by signal %d (%s)\n", s, strsignal(s));
   return 128 + s;
}

static void
become(const char *library, char **argv, const sigset_t *mask, struct run_summary *summary,
       pid_t parent)
{
   /* SIGKILL cannot be passed on: test harnesses that lose their patience would leave the program
    * running. */
   prctl(PR_SET_PDEATHSIG, SIGKILL);
   if (getppid() != parent)
      _exit(128 + SIGKILL);
   set_environment(library);
   sigprocmask(SIG_SETMASK, mask, NULL);
   execvp(argv[0], argv);
   int error = errno;
   fprintf(stderr, "pergola: %s: %s\n", argv[0], strerror(error));
   if (summary)
      summary->absent = 1;
   _exit(error == ENOENT ? 127 : 126);
}

int
cli_run(int argc, char **argv)
{
   int at = parse(argc, argv);
   if (at < 0)
      return -1 - at;
   char *library = preloadable(find_library());
   if (!library) {
      fprintf(stderr, "pergola: libpergola_drm.so is not beside this command\n");
      return CLI_FAILED;
   }
   struct run_summary *summary = share_summary();
   const char *quiet = getenv("PERGOLA_QUIET");
   bool silent = quiet && quiet[0] && strcmp(quiet, "0");
   sigset_t all, mask; /* until it is known whom to pass them on to */
   sigfillset(&all);
   sigprocmask(SIG_SETMASK, &all, &mask);
   pid_t self = getpid(), child = fork();
   if (child < 0) {
      fprintf(stderr, "pergola: %s\n", strerror(errno));
      return CLI_FAILED;
   }
   if (!child)
      become(library, argv + at, &mask, summary, self);
   pass_signals(child);
   sigprocmask(SIG_SETMASK, &mask, NULL);
   int code = wait_for(child, silent);
   const char *shared = getenv("PERGOLA_SUMMARY");
   if (shared && !strncmp(shared, "/tmp/", 5))
      unlink(shared);
   const char *dump = getenv("PERGOLA_DUMP");
   if (dump && dump[0] && summary && summary->batches && !dump_describe(dump))
      summary->unwritten++;
   if (summary)
      run_report_nothing(summary);
   if (summary && !silent && !summary->absent)
      run_say(summary, argv[at]);
   free(library);
   return summary ? run_verdict(summary, code, silent) : code;
}
