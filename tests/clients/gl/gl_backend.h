/* Pictures of the pixel back end by OpenGL: what the cases share. */
#ifndef GL_BACKEND_H
#define GL_BACKEND_H

#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GL_FUNCTIONS(X)                                                                            \
   X(AttachShader)                                                                                 \
   X(BeginQuery)                                                                                   \
   X(BindBuffer)                                                                                   \
   X(BindFragDataLocationIndexed)                                                                  \
   X(BindFramebuffer)                                                                              \
   X(BindTexture)                                                                                  \
   X(BindVertexArray)                                                                              \
   X(BlendColor)                                                                                   \
   X(BlendEquation)                                                                                \
   X(BlendEquationSeparate)                                                                        \
   X(BlendFunc)                                                                                    \
   X(BlendFuncSeparate)                                                                            \
   X(BlendFunci)                                                                                   \
   X(BlitFramebuffer)                                                                              \
   X(BufferData)                                                                                   \
   X(CheckFramebufferStatus)                                                                       \
   X(Clear)                                                                                        \
   X(ClearBufferiv)                                                                                \
   X(ClearBufferuiv)                                                                               \
   X(ClearColor)                                                                                   \
   X(ClearDepth)                                                                                   \
   X(ClearStencil)                                                                                 \
   X(ColorMask)                                                                                    \
   X(ColorMaski)                                                                                   \
   X(CompileShader)                                                                                \
   X(CreateProgram)                                                                                \
   X(CreateShader)                                                                                 \
   X(DeleteFramebuffers)                                                                           \
   X(DeleteProgram)                                                                                \
   X(DeleteQueries)                                                                                \
   X(DeleteTextures)                                                                               \
   X(DepthFunc)                                                                                    \
   X(DepthMask)                                                                                    \
   X(DepthRange)                                                                                   \
   X(Disable)                                                                                      \
   X(DrawArrays)                                                                                   \
   X(DrawBuffers)                                                                                  \
   X(Enable)                                                                                       \
   X(EnableVertexAttribArray)                                                                      \
   X(Enablei)                                                                                      \
   X(EndQuery)                                                                                     \
   X(Finish)                                                                                       \
   X(FramebufferTexture2D)                                                                         \
   X(FramebufferTextureLayer)                                                                      \
   X(FrontFace)                                                                                    \
   X(GenBuffers)                                                                                   \
   X(GenFramebuffers)                                                                              \
   X(GenQueries)                                                                                   \
   X(GenTextures)                                                                                  \
   X(GenVertexArrays)                                                                              \
   X(GetError)                                                                                     \
   X(GetProgramiv)                                                                                 \
   X(GetQueryObjectuiv)                                                                            \
   X(GetShaderInfoLog)                                                                             \
   X(GetShaderiv)                                                                                  \
   X(GetString)                                                                                    \
   X(LinkProgram)                                                                                  \
   X(LogicOp)                                                                                      \
   X(PixelStorei)                                                                                  \
   X(PolygonOffset)                                                                                \
   X(ReadBuffer)                                                                                   \
   X(ReadPixels)                                                                                   \
   X(Scissor)                                                                                      \
   X(ShaderSource)                                                                                 \
   X(StencilFunc)                                                                                  \
   X(StencilFuncSeparate)                                                                          \
   X(StencilMask)                                                                                  \
   X(StencilOp)                                                                                    \
   X(StencilOpSeparate)                                                                            \
   X(TexParameteri)                                                                                \
   X(TexStorage2D)                                                                                 \
   X(TexStorage3D)                                                                                 \
   X(UseProgram)                                                                                   \
   X(VertexAttribPointer)                                                                          \
   X(Viewport)

struct gl {
#define X(name) __typeof__(gl##name) *name;
   GL_FUNCTIONS(X)
#undef X
};

extern struct gl gl;

enum { SIDE = 64 }; /* of a picture */

/* How a picture is read, and how far two of them may be apart. */
enum reading { READ_RGBA8, READ_FLOAT, READ_INT, READ_UINT, READ_DEPTH, READ_STENCIL };

struct picture {
   const char *name;
   void (*draw)(const void *data);
   const void *data;
   GLenum format;    /* of colour; 0: GL_RGBA8 */
   GLenum depth;     /* format; 0: none */
   unsigned targets; /* 0: one */
   enum reading reading;
   float tolerance; /* in units of what is read */
};

/* Corners are in pixels; colours and depths at the four corners are interpolated. */
struct quad {
   float x0, y0, x1, y1;
   float z[2];        /* left, right */
   float color[2][4]; /* left, right */
};
void draw_quad(const struct quad *q);
/* The same, wound the other way. */
void draw_back_quad(const struct quad *q);
void background(void);
void foreground(void);
/* The framebuffer of the picture that is being drawn. */
GLuint picture_framebuffer(void);
/* A shader's body; colour is in `c`, the second output is `d`. Kept until the end. */
void use_shader(const char *outputs, const char *body);

extern const struct picture blend_pictures[], depth_pictures[], target_pictures[];
extern const unsigned blend_picture_count, depth_picture_count, target_picture_count;

#endif
