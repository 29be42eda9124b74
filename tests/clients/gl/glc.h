/* A surfaceless OpenGL (or OpenGL ES 3.1) compute context, and the few functions that the cases
 * use. */
#ifndef GLC_H
#define GLC_H

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GLC_FUNCTIONS(X)                                                                           \
   X(PFNGLCREATESHADERPROC, CreateShader)                                                          \
   X(PFNGLSHADERSOURCEPROC, ShaderSource)                                                          \
   X(PFNGLCOMPILESHADERPROC, CompileShader)                                                        \
   X(PFNGLGETSHADERIVPROC, GetShaderiv)                                                            \
   X(PFNGLGETSHADERINFOLOGPROC, GetShaderInfoLog)                                                  \
   X(PFNGLDELETESHADERPROC, DeleteShader)                                                          \
   X(PFNGLCREATEPROGRAMPROC, CreateProgram)                                                        \
   X(PFNGLATTACHSHADERPROC, AttachShader)                                                          \
   X(PFNGLLINKPROGRAMPROC, LinkProgram)                                                            \
   X(PFNGLGETPROGRAMIVPROC, GetProgramiv)                                                          \
   X(PFNGLUSEPROGRAMPROC, UseProgram)                                                              \
   X(PFNGLDELETEPROGRAMPROC, DeleteProgram)                                                        \
   X(PFNGLGETUNIFORMLOCATIONPROC, GetUniformLocation)                                              \
   X(PFNGLUNIFORM1UIPROC, Uniform1ui)                                                              \
   X(PFNGLGENBUFFERSPROC, GenBuffers)                                                              \
   X(PFNGLDELETEBUFFERSPROC, DeleteBuffers)                                                        \
   X(PFNGLBINDBUFFERPROC, BindBuffer)                                                              \
   X(PFNGLBINDBUFFERBASEPROC, BindBufferBase)                                                      \
   X(PFNGLBUFFERDATAPROC, BufferData)                                                              \
   X(PFNGLMAPBUFFERRANGEPROC, MapBufferRange)                                                      \
   X(PFNGLUNMAPBUFFERPROC, UnmapBuffer)                                                            \
   X(PFNGLMEMORYBARRIERPROC, MemoryBarrier)                                                        \
   X(PFNGLDISPATCHCOMPUTEPROC, DispatchCompute)                                                    \
   X(PFNGLDISPATCHCOMPUTEINDIRECTPROC, DispatchComputeIndirect)                                    \
   X(PFNGLTEXSTORAGE2DPROC, TexStorage2D)                                                          \
   X(PFNGLTEXSTORAGE3DPROC, TexStorage3D)                                                          \
   X(PFNGLBINDIMAGETEXTUREPROC, BindImageTexture)                                                  \
   X(PFNGLFENCESYNCPROC, FenceSync)                                                                \
   X(PFNGLCLIENTWAITSYNCPROC, ClientWaitSync)                                                      \
   X(PFNGLDELETESYNCPROC, DeleteSync)                                                              \
   X(PFNGLGENQUERIESPROC, GenQueries)                                                              \
   X(PFNGLDELETEQUERIESPROC, DeleteQueries)                                                        \
   X(PFNGLQUERYCOUNTERPROC, QueryCounter)                                                          \
   X(PFNGLGETQUERYOBJECTUI64VPROC, GetQueryObjectui64v)                                            \
   X(PFNGLBUFFERSUBDATAPROC, BufferSubData)                                                        \
   X(PFNGLCOPYBUFFERSUBDATAPROC, CopyBufferSubData)                                                \
   X(PFNGLBUFFERSTORAGEPROC, BufferStorage)                                                        \
   X(PFNGLBINDBUFFERRANGEPROC, BindBufferRange)                                                    \
   X(PFNGLUNIFORM1IPROC, Uniform1i)                                                                \
   X(PFNGLGETSTRINGIPROC, GetStringi)

typedef const GLubyte *(*glc_get_string_fn)(GLenum);
typedef GLenum (*glc_get_error_fn)(void);
typedef void (*glc_finish_fn)(void);
typedef void (*glc_names_fn)(GLsizei, GLuint *);
typedef void (*glc_delete_fn)(GLsizei, const GLuint *);
typedef void (*glc_bind_fn)(GLenum, GLuint);
typedef void (*glc_parameter_fn)(GLenum, GLenum, GLint);
typedef void (*glc_sub_image_fn)(GLenum, GLint, GLint, GLint, GLsizei, GLsizei, GLenum, GLenum,
                                 const void *);

struct glc {
   EGLDisplay display;
   EGLContext context;
   bool es;
   const char *renderer;
   glc_get_string_fn GetString;
   glc_get_error_fn GetError;
   glc_finish_fn Finish;
   glc_names_fn GenTextures;
   glc_delete_fn DeleteTextures;
   glc_bind_fn BindTexture;
   glc_parameter_fn TexParameteri;
   glc_sub_image_fn TexSubImage2D;
#define X(type, name) type name;
   GLC_FUNCTIONS(X)
#undef X
};

void glc_open(struct glc *g, bool es);
void glc_close(struct glc *g);
/* `body` follows the version line and the extensions; exits with the log when it does not compile.
 */
GLuint glc_program(struct glc *g, const char *body);
GLuint glc_buffer(struct glc *g, GLenum target, const void *data, size_t size);
/* Copies `size` bytes out. */
void glc_read(struct glc *g, GLuint buffer, void *data, size_t size);

#endif
