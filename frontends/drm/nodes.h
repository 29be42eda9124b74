/* Files and nodes that clients look at to find the GPU; served from memory. */
#ifndef PERGOLA_DRM_NODES_H
#define PERGOLA_DRM_NODES_H

#include "pergola/pergola.h"

#include <stdbool.h>
#include <stddef.h>

enum node_kind {
   NODE_NONE,
   NODE_DIRECTORY,
   NODE_FILE,
   NODE_LINK,
   NODE_RENDER,
   NODE_PRIMARY,
   NODE_SW_SYNC,
   NODE_REGISTERS /* can be mapped, not read */
};

#define NODE_PATH_MAX 256
#define REGISTERS_SIZE 0x400000u /* of BAR0, as the file `resource` has it */

struct node {
   enum node_kind kind;
   char path[NODE_PATH_MAX]; /* canonical */
   const char *text;         /* file contents or link target; NULL: made from the part */
   bool writable;
};

/* Is the path one of ours to answer? Then *node is what is there (kind NODE_NONE: ENOENT). A last
 * component that is a link is followed if `follow`. */
bool node_lookup(const char *path, bool follow, struct node *node);
/* Contents of a file for this part; returns their length (at most size). */
size_t node_contents(const struct node *node, const struct pergola_sku *sku, char *data,
                     size_t size);
/* What a link says: where it leads, from where it is, as sysfs has it. */
void node_link_text(const struct node *node, char text[NODE_PATH_MAX]);
/* The i-th entry of a directory, its last component; NULL past the end. */
const char *node_child(const char *directory, size_t i, enum node_kind *kind);

#endif
