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
};
#define LEAST_SECONDS 0.5

#endif
