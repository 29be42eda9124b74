/* The sizes of the jobs: the same for both APIs. */
#ifndef WORK_H
#define WORK_H

enum {
   SAXPY_N = 1 << 20,
   SGEMM_N = 256,
   NBODY_N = 1024,
   HISTOGRAM_N = 1 << 20,
   SCAN_N = 1 << 19,
   MANDEL_WIDTH = 512,
   MANDEL_HEIGHT = 256,
   MANDEL_LIMIT = 128,
   IMAGE_WIDTH = 1024,
   IMAGE_HEIGHT = 512,
   LANES = 1 << 16,   /* of kernels that compute more than they read */
   HALF = 0x3f000000, /* 0.5f */
};
#define LEAST_SECONDS 0.5

#endif
