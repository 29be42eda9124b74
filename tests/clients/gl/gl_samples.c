/* Pictures with several samples a pixel. A driver without so many samples draws one picture for
 * each, shifted by a part of a pixel, and adds them up: coverage must be the same. */
#include "gl_draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sixteenths of a pixel, as the API's standard places are. */
static const uint8_t place4[4][2] = {{6, 2}, {14, 6}, {2, 10}, {10, 14}},
                     place8[8][2] = {{9, 5},  {7, 11}, {13, 9},  {5, 3},
                                     {3, 13}, {1, 7},  {11, 15}, {15, 1}};

static GLint frame_of_picture;

/* A frame with a colour and a depth-and-stencil buffer. */
static GLuint
new_frame(unsigned samples, GLenum format, int size)
{
   GLuint b[2], f;
   glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &frame_of_picture);
   glGenRenderbuffers(2, b);
   glGenFramebuffers(1, &f);
   glBindFramebuffer(GL_FRAMEBUFFER, f);
   glBindRenderbuffer(GL_RENDERBUFFER, b[0]);
   glRenderbufferStorageMultisample(GL_RENDERBUFFER, (GLsizei)samples, format, size, size);
   glBindRenderbuffer(GL_RENDERBUFFER, b[1]);
   glRenderbufferStorageMultisample(GL_RENDERBUFFER, (GLsizei)samples, GL_DEPTH24_STENCIL8, size,
                                    size);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, b[0]);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, b[1]);
   return f;
}

static void
clear_all(void)
{
   glClearColor(0, 0, 0, 1);
   glClearStencil(0);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

/* To the picture's frame. */
static void
resolve(GLuint from, GLbitfield what)
{
   glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
   glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)frame_of_picture);
   glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, what, GL_NEAREST);
   glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)frame_of_picture);
}

static bool
has_samples(unsigned samples)
{
   GLint most = 0;
   glGetIntegerv(GL_MAX_SAMPLES, &most);
   return (unsigned)most >= samples;
}

/* One sample of all pixels at a time. */
static void
add_up(unsigned samples, void (*draw)(void))
{
   static uint8_t one[SIZE * SIZE * 4];
   static uint32_t sum[SIZE * SIZE * 4];
   const uint8_t(*place)[2] = samples == 8 ? place8 : place4;
   GLuint frame = new_frame(0, GL_RGBA8, SIZE);
   memset(sum, 0, sizeof(sum));
   for (unsigned s = 0; s < samples; s++) {
      glViewportIndexedf(0, (8 - (float)place[s][0]) / 16, (8 - (float)place[s][1]) / 16, SIZE,
                         SIZE);
      clear_all();
      draw();
      glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, one);
      for (unsigned i = 0; i < sizeof(one); i++)
         sum[i] += one[i];
   }
   for (unsigned i = 0; i < sizeof(one); i++)
      one[i] = (uint8_t)((sum[i] + samples / 2) / samples);
   (void)frame;
   glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)frame_of_picture);
   glUseProgram(0);
   glDisable(GL_DEPTH_TEST);
   glDisable(GL_STENCIL_TEST);
   glDisable(GL_BLEND);
   glMatrixMode(GL_PROJECTION);
   glLoadIdentity();
   glMatrixMode(GL_MODELVIEW);
   glLoadIdentity();
   glViewport(0, 0, SIZE, SIZE);
   glRasterPos2f(-1, -1);
   glDrawPixels(SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, one);
}

static void
multisampled(unsigned samples, void (*draw)(void))
{
   if (!has_samples(samples)) {
      add_up(samples, draw);
      return;
   }
   GLuint frame = new_frame(samples, GL_RGBA8, SIZE);
   clear_all();
   draw();
   resolve(frame, GL_COLOR_BUFFER_BIT);
}

static void
star(void)
{
   glBegin(GL_TRIANGLES);
   for (unsigned i = 0; i < 24; i++) {
      float a = 0.1f + 6.2831853f * (float)(i / 3) / 8, b = a + (i % 3 == 2 ? 0.3f : 0);
      color(i / 3);
      glVertex2f(i % 3 ? 0.93f * cosf(b) : 0.02f, i % 3 ? 0.93f * sinf(b) : 0.01f);
   }
   glEnd();
}
static void
star_4x(void)
{
   multisampled(4, star);
}
static void
star_8x(void)
{
   multisampled(8, star);
}

const struct picture sample_pictures[] = {
    {"star_4x", star_4x, 1, 4, NULL},
    {"star_8x", star_8x, 1, 4, NULL},
    {0},
};
