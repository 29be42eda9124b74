/* What the parts of the kernel side call each other. */
#ifndef PERGOLA_DRM_NAMES_H
#define PERGOLA_DRM_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#define PAGE 4096ull
#define ENGINES 3 /* render, video, blitter: the order of enum pergola_engine */

enum kernel_engine { KERNEL_RCS, KERNEL_VCS, KERNEL_BCS };
extern const char *const kernel_ring_names[ENGINES];

struct context;
struct drm_file;
struct dump;
struct engine;
struct fence;
struct gem_object;
struct kernel;
struct request;
struct sync_file;
struct vm;

#endif
