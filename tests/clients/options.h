/* What programs of clients are asked for: [--dump DIR] [NAME...]. */
#ifndef PERGOLA_CLIENTS_OPTIONS_H
#define PERGOLA_CLIENTS_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct options {
   const char *dump;
   char **name;
   int names;
};

/* Ends the program when it is asked for something else. */
static inline struct options
options_read(int argc, char **argv)
{
   static const struct option known[] = {{"dump", required_argument, NULL, 'd'}, {0}};
   struct options o = {0};
   for (int c; (c = getopt_long(argc, argv, "", known, NULL)) != -1;) {
      if (c != 'd')
         exit(2);
      o.dump = optarg;
   }
   o.name = argv + optind;
   o.names = argc - optind;
   return o;
}

/* Does one of the names begin this one? All are asked for when none is given. */
static inline bool
options_want(const struct options *o, const char *name)
{
   bool any = !o->names;
   for (int i = 0; i < o->names; i++)
      any |= !strncmp(o->name[i], name, strlen(o->name[i]));
   return any;
}

static inline bool
options_name(const struct options *o, const char *name)
{
   bool any = !o->names;
   for (int i = 0; i < o->names; i++)
      any |= !strcmp(o->name[i], name);
   return any;
}

#endif
