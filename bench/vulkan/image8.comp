// A picture of 8 bits a channel, inverted.
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba8) readonly uniform image2D from;
layout(binding = 1, rgba8) writeonly uniform image2D to;
void main()
{
   ivec2 p = ivec2(gl_GlobalInvocationID.xy);
   vec4 v = imageLoad(from, p);
   imageStore(to, p, vec4(1.0 - v.rgb, v.a));
}
