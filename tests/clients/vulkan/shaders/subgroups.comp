#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = LOCAL) in;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) writeonly buffer C { uint c[]; };
void main()
{
   uint i = gl_GlobalInvocationID.x, o = i * 32u, v = a[i], me = gl_SubgroupInvocationID;
   bool odd = (v & 1u) != 0u;
   uvec4 b = subgroupBallot(odd);
   c[o] = gl_SubgroupID;
   c[o + 1u] = me;
   c[o + 2u] = gl_NumSubgroups;
   c[o + 3u] = gl_SubgroupSize;
   c[o + 4u] = uint(subgroupAny(v % 11u == 0u));
   c[o + 5u] = uint(subgroupAll(v % 11u != 0u));
   c[o + 6u] = uint(subgroupAllEqual(v & 0xffu)) | uint(subgroupAllEqual(gl_WorkGroupID.x)) << 1;
   c[o + 7u] = b.x;
   c[o + 8u] = subgroupBallotBitCount(b);
   c[o + 9u] = subgroupBallotExclusiveBitCount(b);
   c[o + 10u] = subgroupBallotInclusiveBitCount(b);
   c[o + 11u] = uint(subgroupInverseBallot(b)) | uint(subgroupBallotBitExtract(b, 3u)) << 1;
   c[o + 12u] = subgroupBroadcastFirst(v);
   c[o + 13u] = subgroupBroadcast(v, 5u);
   c[o + 14u] = subgroupShuffle(v, (me * 3u + 1u) & 7u);
   c[o + 15u] = subgroupShuffleXor(v, 3u);
   c[o + 16u] = subgroupShuffleUp(v, 1u);
   c[o + 17u] = subgroupShuffleDown(v, 2u);
   c[o + 18u] = subgroupQuadBroadcast(v, 2u);
   c[o + 19u] = subgroupQuadSwapHorizontal(v);
   c[o + 20u] = subgroupQuadSwapVertical(v);
   c[o + 21u] = subgroupQuadSwapDiagonal(v);
   c[o + 22u] = uint(subgroupElect());
   c[o + 23u] = 0u;
   c[o + 24u] = 0u;
   c[o + 25u] = 0u;
   if (odd) { // only some of them are here
      c[o + 23u] = subgroupBroadcastFirst(v);
      c[o + 24u] = subgroupBallot(true).x;
      c[o + 25u] = uint(subgroupElect()) | uint(subgroupAll(odd)) << 1;
   }
   c[o + 26u] = subgroupBallotFindLSB(b) | subgroupBallotFindMSB(b) << 8;
}
