#include "shared_functions/dataport/media_block.h"
enum sf_status dp_color_process(struct dp *d, struct media_block *b) { return dp_reject(d, "DP-005", "not implemented yet"); }
