/* Media block messages. */
#include "shared_functions/dataport/dataport.h"

enum sf_status dp_media_block_read(struct dp *d) { return dp_reject(d, "DP-031", "not implemented yet"); }
enum sf_status dp_media_block_write(struct dp *d) { return dp_reject(d, "DP-032", "not implemented yet"); }
