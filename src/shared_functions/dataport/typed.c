/* Typed surface messages. */
#include "shared_functions/dataport/dataport.h"

enum sf_status dp_typed_read(struct dp *d) { return dp_reject(d, "DP-034", "not implemented yet"); }
enum sf_status dp_typed_write(struct dp *d) { return dp_reject(d, "DP-035", "not implemented yet"); }
enum sf_status dp_typed_atomic(struct dp *d) { return dp_reject(d, "DP-036", "not implemented yet"); }
enum sf_status dp_render_target_write(struct dp *d) { return dp_reject(d, "DP-033", "not implemented yet"); }
