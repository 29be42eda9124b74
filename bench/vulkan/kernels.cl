/* The same six kernels in OpenCL C. */
__kernel void saxpy(__global const float *x, __global float *y, float a)
{
   size_t i = get_global_id(0);
   y[i] = a * x[i] + y[i];
}

__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void
sgemm(__global const float *a, __global const float *b, __global float *c, uint n)
{
   __local float sa[16][16], sb[16][16];
   uint tx = get_local_id(0), ty = get_local_id(1), gx = get_global_id(0), gy = get_global_id(1);
   float sum = 0.0f;
   for (uint k = 0; k < n; k += 16) {
      sa[ty][tx] = a[gy * n + k + tx];
      sb[ty][tx] = b[(k + ty) * n + gx];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint j = 0; j < 16; j++)
         sum += sa[ty][j] * sb[j][tx];
      barrier(CLK_LOCAL_MEM_FENCE);
   }
   c[gy * n + gx] = sum;
}

__kernel void nbody(__global const float4 *p, __global float4 *f, uint n)
{
   uint i = get_global_id(0);
   float3 me = p[i].xyz, sum = (float3)(0.0f);
   for (uint j = 0; j < n; j++) {
      float4 q = p[j];
      float3 d = q.xyz - me;
      float r = native_rsqrt(dot(d, d) + 0.01f);
      sum += d * (q.w * r * r * r);
   }
   f[i] = (float4)(sum, 0.0f);
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
histogram(__global const uint *a, __global uint *bins)
{
   __local uint s[256];
   uint t = get_local_id(0), base = get_group_id(0) * 4096;
   s[t] = 0;
   barrier(CLK_LOCAL_MEM_FENCE);
   for (uint k = 0; k < 16; k++)
      atomic_inc(&s[a[base + k * 256 + t] & 255]);
   barrier(CLK_LOCAL_MEM_FENCE);
   atomic_add(&bins[t], s[t]);
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
scan(__global const uint *a, __global uint *c)
{
   __local uint s[2][256];
   uint t = get_local_id(0), from = 0;
   s[0][t] = a[get_global_id(0)];
   barrier(CLK_LOCAL_MEM_FENCE);
   for (uint d = 1; d < 256; d <<= 1) {
      uint v = s[from][t];
      if (t >= d)
         v += s[from][t - d];
      s[1 - from][t] = v;
      from = 1 - from;
      barrier(CLK_LOCAL_MEM_FENCE);
   }
   c[get_global_id(0)] = s[from][t];
}

__kernel void mandelbrot(__global uint *c, uint width, uint height, uint limit)
{
   uint x = get_global_id(0), y = get_global_id(1), n = 0;
   float kx = (float)x / width * 3.0f - 2.1f, ky = (float)y / height * 2.0f - 1.0f, zx = kx, zy = ky;
   while (n < limit && zx * zx + zy * zy < 4.0f) {
      float t = zx * zx - zy * zy + kx;
      zy = 2.0f * zx * zy + ky;
      zx = t;
      n++;
   }
   c[y * width + x] = n;
}
