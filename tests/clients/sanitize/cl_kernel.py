"""Runs one OpenCL kernel from a file over two buffers: cl_kernel.py FILE.cl GLOBAL LOCAL"""
import sys

import numpy
import pyopencl as cl

device = cl.get_platforms()[0].get_devices()[0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
words = numpy.arange(1024, dtype=numpy.uint32)
buffers = [cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=words)
           for _ in range(2)]
with open(sys.argv[1], encoding="utf-8") as f:
    kernel = cl.Kernel(cl.Program(context, f.read()).build(cache_dir=False), "k")
kernel(queue, (int(sys.argv[2]),), (int(sys.argv[3]),), *buffers)
queue.finish()
print("done")
