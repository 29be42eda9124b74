/* Pictures of lines: stipple, smooth edges, outlines of polygons. */
#include "gl_draw.h"

#include <math.h>

/* Level, upright and diagonal lines from the middle of a pixel to that of another, to the right or
 * upwards: so that a pattern that goes by length and one that goes by pixels are the same, and so
 * are a line of one pixel and a parallelogram that is as wide. */
static void
comb(void)
{
   static const int8_t way[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
   glBegin(GL_LINES);
   for (unsigned i = 0; i < 16; i++) {
      const int8_t *w = way[(i + i / 4) % 4];
      int from[2] = {10 + (int)(i % 4) * 33, 12 + (int)(i / 4) * 30}, length = 17 + (int)i;
      from[1] += w[1] < 0 ? 16 : 0;
      color(i);
      for (unsigned k = 0; k < 2; k++)
         glVertex2f((2 * (float)(from[0] + (k ? w[0] * length : 0)) + 1) / SIZE - 1,
                    (2 * (float)(from[1] + (k ? w[1] * length : 0)) + 1) / SIZE - 1);
   }
   glEnd();
}
static void
stipple_list(void)
{
   glEnable(GL_LINE_STIPPLE);
   glLineStipple(1, 0x3f07);
   comb();
}
static void
stipple_factor(void)
{
   glEnable(GL_LINE_STIPPLE);
   glLineStipple(3, 0xaaaa);
   comb();
}
static void
stipple_strip(void) /* level and upright: the counter goes on from line to line */
{
   glEnable(GL_LINE_STIPPLE);
   glLineStipple(2, 0x1c47);
   glBegin(GL_LINE_STRIP);
   for (unsigned i = 0; i < 22; i++) {
      float at = (1 + 2 * (float)(i / 2) * 5) / 128 - 0.9f,
            to = (2 * (float)((i + 1) / 2) * 5 + 1) / 128 - 0.9f;
      color(0);
      glVertex2f(to, at);
   }
   glEnd();
}
static void
stipple_wide(void)
{
   glEnable(GL_LINE_STIPPLE);
   glLineStipple(2, 0xf0f3);
   glLineWidth(5);
   comb();
}
static void
outline(void)
{
   glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
   glLineWidth(3);
   glBegin(GL_QUADS);
   for (unsigned i = 0; i < 8; i++) {
      static const float p[4][2] = {{-0.8f, -0.7f}, {0.1f, -0.8f}, {0.3f, 0.2f}, {-0.6f, 0.4f}};
      glEdgeFlag(i != 1 && i != 6);
      color(i / 4);
      glVertex2f(p[i % 4][0] + (i > 3 ? 0.45f : 0), p[i % 4][1] + (i > 3 ? 0.5f : 0));
   }
   glEnd();
}

/* Added up over the whole line the coverage is its area: brightness, not its shape, is compared, by
 * blocks of 16 by 16 pixels. */
static void
smooth(void)
{
   GLint frame;
   glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &frame);
   glClearColor(0, 0, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glEnable(GL_LINE_SMOOTH);
   glEnable(GL_BLEND);
   glBlendFunc(GL_SRC_ALPHA, GL_ONE);
   for (unsigned i = 0; i < 7; i++) {
      glLineWidth(5);
      glColor3f(1, 1, 1);
      glBegin(GL_LINES);
      glVertex2f(-0.9f + 0.27f * (float)i, -0.9f);
      glVertex2f(-0.8f + 0.2f * (float)i, 0.9f);
      glEnd();
   }
   glDisable(GL_BLEND);
   GLuint from = (GLuint)frame;
   int size = SIZE;
   for (unsigned i = 0; i < 4; i++) { /* halves, by a linear filter: the mean of four */
      GLuint f, b;
      glGenFramebuffers(1, &f);
      glGenRenderbuffers(1, &b);
      glBindRenderbuffer(GL_RENDERBUFFER, b);
      glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, size / 2, size / 2);
      glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
      glBindFramebuffer(GL_DRAW_FRAMEBUFFER, f);
      glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, b);
      glBlitFramebuffer(0, 0, size, size, 0, 0, size / 2, size / 2, GL_COLOR_BUFFER_BIT, GL_LINEAR);
      from = f;
      size /= 2;
   }
   glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
   glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)frame);
   glBlitFramebuffer(0, 0, size, size, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

const struct picture line_pictures[] = {
    {"stipple_list", stipple_list, 1, 4, "P3D-236"},
    {"stipple_factor", stipple_factor, 1, 4, "P3D-236"},
    {"stipple_strip", stipple_strip, 1, 4, "P3D-236"},
    {"stipple_wide", stipple_wide, 1, 4, "P3D-236"},
    {"outline", outline, 1, 4, "P3D-217"},
    {"smooth_lines", smooth, 24, 4, "P3D-233"},
    {0},
};
