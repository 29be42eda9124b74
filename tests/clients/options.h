/* What programs of clients are asked for: [--dump DIR] [NAME...], or --list, the names. */
#ifndef PERGOLA_CLIENTS_OPTIONS_H
#define PERGOLA_CLIENTS_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
   const char *dump;
   bool list;
   char **name;
   int names;
};

/* For programs that have options of their own, too. */
#define OPTIONS_KNOWN                                                                              \
   {"dump", required_argument, NULL, 'd'},                                                         \
   {                                                                                               \
      "list", no_argument, NULL, 'l'                                                               \
   }

static inline void
options_take(struct options *o, int c)
{
   if (c == '?')
      exit(2);
   if (c == 'd')
      o->dump = optarg;
   o->list |= c == 'l';
}

/* Ends the program when it is asked for something else. */
static inline struct options
options_read(int argc, char **argv)
{
   static const struct option known[] = {OPTIONS_KNOWN, {0}};
   struct options o = {0};
   for (int c; (c = getopt_long(argc, argv, "", known, NULL)) != -1;)
      options_take(&o, c);
   o.name = argv + optind;
   o.names = argc - optind;
   return o;
}

/* All are asked for when none is named; none when they are to be listed. */
static inline bool
options_all(const struct options *o, const char *name)
{
   if (o->list)
      printf("%s\n", name);
   return !o->list && !o->names;
}

/* Does one of the names begin this one? */
static inline bool
options_want(const struct options *o, const char *name)
{
   bool any = options_all(o, name);
   for (int i = 0; i < o->names; i++)
      any |= !strncmp(o->name[i], name, strlen(o->name[i]));
   return any;
}

static inline bool
options_name(const struct options *o, const char *name)
{
   bool any = options_all(o, name);
   for (int i = 0; i < o->names; i++)
      any |= !strcmp(o->name[i], name);
   return any;
}

#endif
