/* Sizes and offsets of the public structs, a line each. */
#include "pergola/pergola.h"
#include "pergola/pergola_eu.h"
#include "pergola/pergola_machine.h"
#include "pergola/pergola_runner.h"
#include "pergola/pergola_trace.h"

#include <stdio.h>

#define SIZE(s) printf("%s %zu\n", #s, sizeof(struct s))
#define OFFSET(s, m) printf("%s.%s %zu\n", #s, #m, offsetof(struct s, m))

int
main(void)
{
   SIZE(pergola_config);
   OFFSET(pergola_config, size);
   OFFSET(pergola_config, sku);
   OFFSET(pergola_config, check);
   OFFSET(pergola_config, host_threads);
   OFFSET(pergola_config, deterministic);
   OFFSET(pergola_config, native);
   OFFSET(pergola_config, deadlocks_hang);
   OFFSET(pergola_config, sanitize);
   SIZE(pergola_diagnostic);
   OFFSET(pergola_diagnostic, rule);
   OFFSET(pergola_diagnostic, address);
   OFFSET(pergola_diagnostic, message);
   OFFSET(pergola_diagnostic, where);
   OFFSET(pergola_diagnostic, count);
   SIZE(pergola_engine_status);
   SIZE(pergola_eu_error);
   SIZE(pergola_eu_view);
   SIZE(pergola_event);
   OFFSET(pergola_event, text);
   SIZE(pergola_instruction_count);
   SIZE(pergola_machine);
   SIZE(pergola_machine_memory);
   SIZE(pergola_runner_config);
   SIZE(pergola_runner_memory);
   SIZE(pergola_sku);
   SIZE(pergola_story);
   SIZE(pergola_thread);
   return 0;
}
