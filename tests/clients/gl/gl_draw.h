/* Pictures that stock OpenGL drivers draw: what the cases share. */
#ifndef GL_DRAW_H
#define GL_DRAW_H

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIZE 128 /* pixels of a picture, both ways */

/* A picture. Colours may differ from another driver's by `unit`; `edge` pixels may differ by more:
 * those whose sample lies on an edge as near as the grid of vertices goes. */
struct picture {
   const char *name;
   void (*draw)(void);
   unsigned unit, edge;
   const char *rows; /* of the ledger, that it would go red for; or NULL */
};

extern const struct picture primitive_pictures[], vertex_pictures[], raster_pictures[],
    pixel_pictures[], sample_pictures[], line_pictures[], geometry_pictures[], feedback_pictures[],
    tessellation_pictures[], read_pictures[];

/* A program of the two shaders, in use; vs, fs: bodies behind #version 420 compatibility. */
GLuint use_program(const char *vs, const char *fs);
/* As use_program(), with more stages: bodies, NULL for those that are absent; and outputs that
 * feedback takes, ended by NULL. */
struct stages {
   const char *vs, *tcs, *tes, *gs, *fs;
   const char *feedback[8];
   GLenum feedback_mode;
};
GLuint use_stages(const struct stages *s);
/* The colour of a vertex, by its number. */
void color(unsigned i);
/* n vertices around the middle: a star that all topologies make something of. */
void ring(unsigned n, float radius);
/* A view from above on a plane that goes far behind the eye. */
void perspective(float near, float far);
/* x, y from -1 to 1, two triangles. */
void full_quad(float z);
GLuint buffer(GLenum target, const void *data, size_t size);

#endif
