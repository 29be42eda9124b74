/* What the driver offers: versions of contexts, and limits of the core one. A name and a value a
 * line. */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>

/* The newest version that a context can be had of, as 10 * major + minor; the context is current.
 */
static int
newest(EGLDisplay d, EGLenum api, EGLint profile)
{
   static const int versions[] = {46, 45, 44, 43, 42, 41, 40, 33, 32, 31, 30};
   for (unsigned i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
      EGLint a[] = {EGL_CONTEXT_MAJOR_VERSION,
                    versions[i] / 10,
                    EGL_CONTEXT_MINOR_VERSION,
                    versions[i] % 10,
                    profile ? EGL_CONTEXT_OPENGL_PROFILE_MASK : EGL_NONE,
                    profile,
                    EGL_NONE};
      EGLContext c;
      eglBindAPI(api);
      c = eglCreateContext(d, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, a);
      if (c != EGL_NO_CONTEXT && eglMakeCurrent(d, EGL_NO_SURFACE, EGL_NO_SURFACE, c))
         return versions[i];
   }
   return 0;
}

int
main(void)
{
   static const struct {
      const char *name;
      GLenum value;
   } limits[] = {{"viewports", GL_MAX_VIEWPORTS},
                 {"draw_buffers", GL_MAX_DRAW_BUFFERS},
                 {"samples", GL_MAX_SAMPLES},
                 {"vertex_streams", GL_MAX_VERTEX_STREAMS}};
   EGLDisplay d = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
   if (d == EGL_NO_DISPLAY || !eglInitialize(d, NULL, NULL))
      return 1;
   printf("es %d\n", newest(d, EGL_OPENGL_ES_API, 0));
   printf("compatibility %d\n",
          newest(d, EGL_OPENGL_API, EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT));
   printf("core %d\n", newest(d, EGL_OPENGL_API, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT));
   for (unsigned i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
      GLint v = -1;
      glGetIntegerv(limits[i].value, &v);
      printf("%s %d\n", limits[i].name, v);
   }
   return glGetError() != GL_NO_ERROR;
}
