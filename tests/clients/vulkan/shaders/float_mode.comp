// The build gives MODE and CAPABILITY, numbers of SPIR-V.
#version 450
#extension GL_EXT_spirv_intrinsics : require
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [CAPABILITY], MODE, 32);
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) readonly buffer B { float b[]; };
layout(binding = 2) writeonly buffer C { float c[]; };
void main()
{
   uint i = gl_GlobalInvocationID.x;
   precise float s = a[i] + b[i], d = a[i] - b[i], p = a[i] * b[i];
   c[i * 4u] = s;
   c[i * 4u + 1u] = d;
   c[i * 4u + 2u] = p;
   c[i * 4u + 3u] = a[i] < b[i] ? 1.0 : a[i] == b[i] ? 2.0 : a[i] > b[i] ? 3.0 : 4.0;
}
