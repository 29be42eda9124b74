/* What the measurements of drawing share. */
#pragma once

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#define SIZE 1024 /* pixels of the target, both ways */

extern const char quad_vs[]; /* a strip of four vertices over the whole target; out vec2 t */

void fail(const char *what);
void add_shader(GLuint p, GLenum stage, const char *body);
void link_program(GLuint p);
GLuint program(const char *vs, const char *fs);

/* Draws until a while has passed; prints the rate in millions. */
void measure(const char *name, void (*draw)(void), double work);
void fill(void); /* draws with quad_vs */

void measure_stages(void);
void measure_samples(void);
