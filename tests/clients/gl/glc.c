#include "glc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
fail(const char *what)
{
   fprintf(stderr, "%s failed (EGL error 0x%x)\n", what, (unsigned)eglGetError());
   exit(1);
}

void
glc_open(struct glc *g, bool es)
{
   memset(g, 0, sizeof(*g));
   g->es = es;
   g->display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
   if (g->display == EGL_NO_DISPLAY || !eglInitialize(g->display, NULL, NULL))
      fail("eglInitialize");
   if (!eglBindAPI(es ? EGL_OPENGL_ES_API : EGL_OPENGL_API))
      fail("eglBindAPI");
   EGLint es_attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1, EGL_NONE};
   EGLint gl_attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 2, EGL_NONE};
   g->context = eglCreateContext(g->display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT,
                                 es ? es_attributes : gl_attributes);
   if (g->context == EGL_NO_CONTEXT)
      fail("eglCreateContext");
   if (!eglMakeCurrent(g->display, EGL_NO_SURFACE, EGL_NO_SURFACE, g->context))
      fail("eglMakeCurrent");
   g->GetString = (glc_get_string_fn)eglGetProcAddress("glGetString");
   g->GetError = (glc_get_error_fn)eglGetProcAddress("glGetError");
   g->Finish = (glc_finish_fn)eglGetProcAddress("glFinish");
   g->GenTextures = (glc_names_fn)eglGetProcAddress("glGenTextures");
   g->DeleteTextures = (glc_delete_fn)eglGetProcAddress("glDeleteTextures");
   g->BindTexture = (glc_bind_fn)eglGetProcAddress("glBindTexture");
   g->TexParameteri = (glc_parameter_fn)eglGetProcAddress("glTexParameteri");
   g->TexSubImage2D = (glc_sub_image_fn)eglGetProcAddress("glTexSubImage2D");
#define X(type, name) g->name = (type)eglGetProcAddress("gl" #name);
   GLC_FUNCTIONS(X)
#undef X
   g->renderer = (const char *)g->GetString(GL_RENDERER);
}

void
glc_close(struct glc *g)
{
   eglMakeCurrent(g->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglDestroyContext(g->display, g->context);
   eglTerminate(g->display);
}

GLuint
glc_program(struct glc *g, const char *body)
{
   const char *source[] = {
       g->es ? "#version 310 es\nprecision highp float;\nprecision highp int;\n"
               "precision highp uimage2D;\nprecision highp image2D;\nprecision highp iimage2D;\n"
               "precision highp uimage3D;\nprecision highp uimage2DArray;\n"
               "precision highp usampler2D;\n"
             : "#version 420\n#extension GL_ARB_compute_shader : require\n"
               "#extension GL_ARB_shader_storage_buffer_object : require\n"
               "#extension GL_ARB_shader_image_size : require\n",
       body};
   GLuint shader = g->CreateShader(GL_COMPUTE_SHADER);
   g->ShaderSource(shader, 2, source, NULL);
   g->CompileShader(shader);
   GLint ok = 0;
   g->GetShaderiv(shader, GL_COMPILE_STATUS, &ok);
   if (!ok) {
      char log[2048] = "";
      g->GetShaderInfoLog(shader, sizeof(log), NULL, log);
      fprintf(stderr, "shader: %s\n", log);
      exit(1);
   }
   GLuint program = g->CreateProgram();
   g->AttachShader(program, shader);
   g->LinkProgram(program);
   g->GetProgramiv(program, GL_LINK_STATUS, &ok);
   if (!ok) {
      fprintf(stderr, "program does not link\n");
      exit(1);
   }
   g->DeleteShader(shader);
   return program;
}

GLuint
glc_buffer(struct glc *g, GLenum target, const void *data, size_t size)
{
   GLuint b;
   g->GenBuffers(1, &b);
   g->BindBuffer(target, b);
   g->BufferData(target, (GLsizeiptr)size, data, GL_DYNAMIC_DRAW);
   return b;
}

void
glc_read(struct glc *g, GLuint buffer, void *data, size_t size)
{
   g->MemoryBarrier(GL_ALL_BARRIER_BITS);
   g->BindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
   void *map = g->MapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)size, GL_MAP_READ_BIT);
   if (!map) {
      fprintf(stderr, "a buffer cannot be mapped: error 0x%x\n", g->GetError());
      exit(1);
   }
   memcpy(data, map, size);
   g->UnmapBuffer(GL_SHADER_STORAGE_BUFFER);
}
