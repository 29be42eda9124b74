/* pergola device: a PCI device for a virtual machine, over the vfio-user protocol. */
#include "cli.h"

#include "gen11/gen11.h"
#include "pergola/pergola_trace.h"
#include "server.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static const char usage_text[] =
    "usage: pergola device --socket PATH [OPTIONS]\n\n"
    "Is a PCI device for a virtual machine: serves the vfio-user protocol on a socket that it "
    "makes,\n"
    "one client at a time, several in turn. With QEMU of 10.1 or later:\n\n"
    "  qemu-system-x86_64 -object memory-backend-memfd,id=ram,size=2G,share=on \\\n"
    "      -machine q35,memory-backend=ram -vga none \\\n"
    "      -device '{\"driver\":\"vfio-user-pci\",\"addr\":\"2.0\",\n"
    "                \"socket\":{\"type\":\"unix\",\"path\":\"PATH\"}}' ...\n\n"
    "  --socket PATH             where clients find it\n"
    "  --device PART             as 'pergola devices' lists them (ivb-gt2)\n"
    "  --check off|report|stop   what becomes of broken rules (report)\n"
    "  --report FILE             every diagnostic, as text, JSON lines or SARIF by its ending\n"
    "  --trace KINDS             events on standard error: " PERGOLA_TRACE_WORDS "\n"
    "  --power-gating            sleeping units of an Ice Lake part do not answer (off: they do)\n"
    "  --slow N                  model time goes on N times slower than the host's clock (1)\n"
    "  --stats                   counts at the end\n"
    "  --once                    end when the first client has gone\n";

struct options {
   struct pergola_config config;
   const char *socket, *report;
   uint32_t kinds, clock_divider;
   bool stats, once, power_gating;
};

static volatile sig_atomic_t asked_to_end, listening = -1, serving = -1;

/* A signal just before the next client or message is waited for must not be lost: nothing can come
 * any more. */
static void
on_signal(int number)
{
   int before = errno;
   (void)number;
   asked_to_end = 1;
   shutdown(listening, SHUT_RDWR);
   shutdown(serving, SHUT_RDWR);
   errno = before;
}

static bool
parse_divider(const char *text, uint32_t *divider)
{
   char *end;
   unsigned long n = strtoul(text, &end, 10);
   *divider = (uint32_t)n;
   return *text >= '0' && *text <= '9' && !*end && n >= 1 && n <= 1000000;
}

static int
bad_value(int option, const char *value)
{
   if (option == 'c')
      return cli_bad_value("device", "check", "off, report or stop", value);
   if (option == 't')
      return cli_bad_value("device", "trace", "a list of " PERGOLA_TRACE_WORDS, value);
   return cli_bad_value("device", "slow", "a number from 1 to 1000000", value);
}

/* CLI_OK, or the exit code; *help: that is all. */
static int
parse(int argc, char **argv, struct options *o, bool *help)
{
   static const struct option known[] = {
       {"socket", 1, 0, 's'},
       {"device", 1, 0, 'd'},
       {"check", 1, 0, 'c'},
       {"report", 1, 0, 'r'},
       {"trace", 1, 0, 't'},
       {"stats", 0, 0, 'S'},
       {"once", 0, 0, 'o'},
       {"power-gating", 0, 0, 'p'},
       {"slow", 1, 0, 'k'},
       {"help", 0, 0, 'h'},
       {0},
   };
   *o = (struct options){.config = {.check = PERGOLA_CHECK_REPORT, .deadlocks_hang = true}};
   optind = 1;
   for (int c; (c = getopt_long(argc, argv, ":", known, NULL)) != -1;) {
      bool ok = true;
      switch (c) {
      case 's':
         o->socket = optarg;
         break;
      case 'd':
         o->config.sku = optarg;
         if (!cli_part(optarg))
            return CLI_USAGE;
         break;
      case 'c':
         ok = cli_parse_check(optarg, &o->config.check);
         break;
      case 'r':
         o->report = optarg;
         break;
      case 't':
         ok = (o->kinds = pergola_trace_kinds(optarg, NULL)) != 0;
         break;
      case 'S':
         o->stats = true;
         break;
      case 'o':
         o->once = true;
         break;
      case 'p':
         o->power_gating = true;
         break;
      case 'k':
         ok = parse_divider(optarg, &o->clock_divider);
         break;
      case 'h':
         *help = true;
         return CLI_OK;
      default:
         return cli_bad_option("device", argv, c);
      }
      if (!ok)
         return bad_value(c, optarg);
   }
   if (optind < argc)
      return cli_surplus("device", argv[optind]);
   if (o->socket && !o->socket[0]) /* it would be one that nobody knows */
      return cli_bad_value("device", "socket", "the path of a socket", o->socket);
   if (o->socket)
      return CLI_OK;
   fputs(usage_text, stderr);
   return CLI_USAGE;
}

/* A socket that a server left behind is replaced; anything else at that place is not. One whose
 * queue is full is not waited for. */
static int
listen_at(const char *path)
{
   struct sockaddr_un a = {.sun_family = AF_UNIX};
   if (strlen(path) >= sizeof(a.sun_path)) {
      errno = ENAMETOOLONG;
      return -1;
   }
   strcpy(a.sun_path, path);
   int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
   if (fd < 0)
      return -1;
   int try = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
   struct stat st; /* a file refuses as well */
   if (try >= 0 && !lstat(path, &st) && S_ISSOCK(st.st_mode) &&
       connect(try, (struct sockaddr *)&a, sizeof(a)) && errno == ECONNREFUSED)
      unlink(path);
   if (try >= 0)
      close(try);
   if (!bind(fd, (struct sockaddr *)&a, sizeof(a)) && !listen(fd, 4))
      return fd;
   int error = errno;
   close(fd);
   errno = error;
   return -1;
}

#define TOLD_RULES 64
#define TOLD_PLACES 3

/* How often a rule has been told: what a driver does again and again would hide the rest. */
struct told {
   char rule[12];
   unsigned places;
};

static bool
enough(struct told *told, const char *rule)
{
   for (unsigned i = 0; i < TOLD_RULES; i++) {
      if (!told[i].rule[0])
         snprintf(told[i].rule, sizeof(told[i].rule), "%s", rule);
      if (!strcmp(told[i].rule, rule))
         return ++told[i].places > TOLD_PLACES;
   }
   return true;
}

static void
tell(void *data, const struct pergola_diagnostic *d)
{
   static const char *const severity[] = {"note", "warning", "error", "fatal"};
   if (enough(data, d->rule))
      return;
   fprintf(stderr, "pergola: %s: %s %s", severity[d->severity], d->rule, d->engine);
   if (d->has_address)
      fprintf(stderr, " at 0x%llx", (unsigned long long)d->address);
   fprintf(stderr, "%s%s%s%s: %s%s%s%s\n", d->subject[0] ? " in " : "", d->subject,
           d->field[0] ? ", " : "", d->field, d->message, d->where[0] ? " (" : "", d->where,
           d->where[0] ? ")" : "");
}

static void
print_counts(const struct server *s)
{
   fprintf(
       stderr,
       "pergola: clients %llu, messages %llu (refused %llu), reads %llu, writes %llu, through the "
       "aperture %llu and %llu, line interrupts %llu, message interrupts %llu, %llu ns of model "
       "time\n",
       (unsigned long long)s->count.clients, (unsigned long long)s->count.messages,
       (unsigned long long)s->count.refused, (unsigned long long)s->count.reads,
       (unsigned long long)s->count.writes, (unsigned long long)s->count.aperture_reads,
       (unsigned long long)s->count.aperture_writes, (unsigned long long)s->irq.sent[IRQ_LINE],
       (unsigned long long)s->irq.sent[IRQ_MESSAGE],
       (unsigned long long)pergola_runner_time_ns(s->runner));
}

/* Somebody else's socket may lie there by now. */
static void
remove_socket(const char *path, const struct stat *made)
{
   struct stat st;
   if (!lstat(path, &st) && st.st_dev == made->st_dev && st.st_ino == made->st_ino)
      unlink(path);
}

static int
serve_clients(struct server *s, const struct options *o, int listener)
{
   uint64_t lost = 0;
   listening = listener;
   while (!asked_to_end) {
      int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
      if (fd < 0) {
         if (asked_to_end || errno == EINTR || errno == ECONNABORTED)
            continue;
         perror("pergola device");
         listening = -1;
         return CLI_FAILED;
      }
      serving = fd;
      if (asked_to_end)
         shutdown(fd, SHUT_RDWR);
      server_serve(s, fd);
      serving = -1;
      if (dma_lost_pages() != lost)
         fprintf(
             stderr,
             "pergola device: a file of the client's memory became shorter while it was mapped; "
             "pages taken as empty: %llu\n",
             (unsigned long long)(dma_lost_pages() - lost));
      lost = dma_lost_pages();
      if (o->stats)
         print_counts(s);
      if (o->once)
         break;
   }
   listening = -1;
   return CLI_OK;
}

static int
run(const struct options *o)
{
   struct server *s = calloc(1, sizeof(*s));
   const char *error = "out of memory";
   if (!s || !server_create(s, &o->config, o->clock_divider, &error)) {
      fprintf(stderr, "pergola device: %s\n", error);
      free(s);
      return CLI_FAILED;
   }
   if (o->power_gating && s->dev->gen11)
      gen11_set_power_gating(s->dev->gen11, true);
   int status = CLI_FAILED, listener = -1, ret = 0;
   struct pergola_trace *trace = NULL;
   struct told told[TOLD_RULES] = {0};
   if (o->report)
      ret = pergola_report_open(s->dev, o->report, cli_report_format(o->report));
   else
      pergola_add_diagnostic_sink(s->dev, tell, told);
   if (o->kinds)
      trace = pergola_trace_text(s->dev, NULL, o->kinds);
   if (ret)
      cli_path_ok("--report", o->report, -ret);
   else if ((listener = listen_at(o->socket)) < 0)
      fprintf(stderr, "pergola device: %s: %s\n", o->socket, strerror(errno));
   else
      status = CLI_OK;
   if (status == CLI_OK) {
      struct stat made = {0};
      lstat(o->socket, &made);
      status = serve_clients(s, o, listener);
      remove_socket(o->socket, &made);
      close(listener);
   }
   pergola_runner_stop(s->runner);
   pergola_trace_close(trace);
   if (o->report && !ret && pergola_report_failed(s->dev)) {
      fprintf(stderr, "pergola device: %s cannot be written\n", o->report);
      status = CLI_FAILED;
   }
   server_destroy(s);
   free(s);
   return status;
}

int
cli_device(int argc, char **argv)
{
   struct options o;
   bool help = false;
   int code = parse(argc, argv, &o, &help);
   if (help)
      fputs(usage_text, stdout);
   if (help || code != CLI_OK)
      return code;
   struct sigaction a = {.sa_handler = on_signal}; /* no restart: reads end */
   sigaction(SIGTERM, &a, NULL);
   sigaction(SIGINT, &a, NULL);
   signal(SIGPIPE, SIG_IGN); /* a peer's event may be a pipe that nobody reads */
   return run(&o);
}
