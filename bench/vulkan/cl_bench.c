/* Prints "name seconds" for each of the six kernels on the first OpenCL device. */
#define CL_TARGET_OPENCL_VERSION 120
#include "work.h"

#include <CL/cl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void
check(cl_int status, const char *what)
{
   if (status == CL_SUCCESS)
      return;
   fprintf(stderr, "%s: OpenCL error %d\n", what, status);
   exit(1);
}

static double
seconds(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct cl {
   cl_context context;
   cl_command_queue queue;
   cl_program program;
};

static cl_mem
buffer(struct cl *c, size_t size)
{
   cl_int status;
   void *zero = calloc(1, size);
   cl_mem m =
       clCreateBuffer(c->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size, zero, &status);
   check(status, "clCreateBuffer");
   free(zero);
   return m;
}

struct spec {
   const char *name;
   size_t sizes[3];
   uint32_t scalars[3];
   unsigned scalar_count;
   unsigned dimensions;
   size_t global[2], local[2];
};

static void
measure(struct cl *c, const struct spec *s)
{
   cl_int status;
   cl_kernel k = clCreateKernel(c->program, s->name, &status);
   check(status, s->name);
   cl_uint arg = 0;
   cl_mem b[3] = {0};
   for (; arg < 3 && s->sizes[arg]; arg++) {
      b[arg] = buffer(c, s->sizes[arg]);
      check(clSetKernelArg(k, arg, sizeof(cl_mem), &b[arg]), "clSetKernelArg");
   }
   for (unsigned i = 0; i < s->scalar_count; i++)
      check(clSetKernelArg(k, arg + i, 4, &s->scalars[i]), "clSetKernelArg");
   double best = 1e30, start = 0;
   for (unsigned n = 0; n < 2 || seconds() - start < LEAST_SECONDS; n++) {
      double before = seconds();
      if (n == 1)
         start = before;
      check(clEnqueueNDRangeKernel(c->queue, k, s->dimensions, NULL, s->global, s->local, 0, NULL,
                                   NULL),
            s->name);
      check(clFinish(c->queue), "clFinish");
      double spent = seconds() - before;
      if (n && spent < best)
         best = spent;
   }
   printf("%s %.9f\n", s->name, best);
   fflush(stdout);
   for (unsigned i = 0; i < 3; i++)
      if (b[i])
         clReleaseMemObject(b[i]);
   clReleaseKernel(k);
}

static char *
read_text(const char *path)
{
   FILE *f = fopen(path, "rb");
   static char text[65536];
   if (!f)
      return NULL;
   size_t n = fread(text, 1, sizeof(text) - 1, f);
   text[n] = 0;
   fclose(f);
   return text;
}

int
main(int argc, char **argv)
{
   const char *source = argc == 2 ? read_text(argv[1]) : NULL;
   if (!source) {
      fprintf(stderr, "usage: cl_bench KERNELS.cl\n");
      return 2;
   }
   cl_platform_id platform;
   cl_device_id device;
   cl_int status;
   struct cl c;
   char name[256] = "";
   check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
   check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
   clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof(name), name, NULL);
   fprintf(stderr, "%s\n", name);
   c.context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
   check(status, "clCreateContext");
   c.queue = clCreateCommandQueue(c.context, device, 0, &status);
   check(status, "clCreateCommandQueue");
   c.program = clCreateProgramWithSource(c.context, 1, &source, NULL, &status);
   check(status, "clCreateProgramWithSource");
   check(clBuildProgram(c.program, 1, &device, "", NULL, NULL), "clBuildProgram");
   const struct spec specs[] = {
       {"saxpy", {SAXPY_N * 4, SAXPY_N * 4}, {0x3f801d7e}, 1, 1, {SAXPY_N}, {256}},
       {"sgemm",
        {SGEMM_N * SGEMM_N * 4, SGEMM_N * SGEMM_N * 4, SGEMM_N * SGEMM_N * 4},
        {SGEMM_N},
        1,
        2,
        {SGEMM_N, SGEMM_N},
        {16, 16}},
       {"nbody", {NBODY_N * 16, NBODY_N * 16}, {NBODY_N}, 1, 1, {NBODY_N}, {64}},
       {"histogram", {HISTOGRAM_N * 4, 1024}, {0}, 0, 1, {HISTOGRAM_N / 16}, {256}},
       {"scan", {SCAN_N * 4, SCAN_N * 4}, {0}, 0, 1, {SCAN_N}, {256}},
       {"mandelbrot",
        {MANDEL_WIDTH * MANDEL_HEIGHT * 4},
        {MANDEL_WIDTH, MANDEL_HEIGHT, MANDEL_LIMIT},
        3,
        2,
        {MANDEL_WIDTH, MANDEL_HEIGHT},
        {16, 8}},
   };
   for (unsigned i = 0; i < sizeof(specs) / sizeof(specs[0]); i++)
      measure(&c, &specs[i]);
   return 0;
}
