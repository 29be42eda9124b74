/* Vulkan and OpenGL in one program, two stock drivers on one modelled GPU: they work on the same
 * memory in turns. TAP. */
#include "glc.h"
#include "vkc.h"

#include "chain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 16384 };

static unsigned count, failures;

static void
check(bool ok, const char *what)
{
   printf("%sok %u - %s\n", ok ? "" : "not ", ++count, what);
   failures += !ok;
}

struct shared {
   struct vkc vk;
   struct vkc_buffer buffer;
   uint64_t size; /* of the memory */
};

static void
open_vulkan(struct shared *s)
{
   static const char *const extensions[] = {"VK_KHR_external_memory_fd"};
   vkc_open_with(&s->vk, &(struct vkc_wish){.extensions = extensions, .extension_count = 1});
   VkExternalMemoryBufferCreateInfo external = {
       .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
       .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
   VkBufferCreateInfo bci = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                             .pNext = &external,
                             .size = N * 4,
                             .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
   VKC_CHECK(vkCreateBuffer(s->vk.device, &bci, NULL, &s->buffer.buffer));
   VkMemoryRequirements req;
   vkGetBufferMemoryRequirements(s->vk.device, s->buffer.buffer, &req);
   VkExportMemoryAllocateInfo out = {.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
                                     .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
   s->buffer.size = N * 4;
   s->size = req.size;
   s->buffer.memory = vkc_allocate(&s->vk, &req, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT, &out);
   VKC_CHECK(vkBindBufferMemory(s->vk.device, s->buffer.buffer, s->buffer.memory, 0));
   VKC_CHECK(vkMapMemory(s->vk.device, s->buffer.memory, 0, VK_WHOLE_SIZE, 0, &s->buffer.map));
   memset(s->buffer.map, 0, N * 4);
}

static int
export_fd(const struct shared *s)
{
   PFN_vkGetMemoryFdKHR get =
       (PFN_vkGetMemoryFdKHR)vkGetDeviceProcAddr(s->vk.device, "vkGetMemoryFdKHR");
   VkMemoryGetFdInfoKHR info = {.sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
                                .memory = s->buffer.memory,
                                .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
   int fd = -1;
   VKC_CHECK(get(s->vk.device, &info, &fd));
   return fd;
}

/* The same memory as a buffer of OpenGL. */
static GLuint
import(struct glc *g, const struct shared *s)
{
   PFNGLCREATEMEMORYOBJECTSEXTPROC create =
       (PFNGLCREATEMEMORYOBJECTSEXTPROC)eglGetProcAddress("glCreateMemoryObjectsEXT");
   PFNGLIMPORTMEMORYFDEXTPROC from_fd =
       (PFNGLIMPORTMEMORYFDEXTPROC)eglGetProcAddress("glImportMemoryFdEXT");
   PFNGLBUFFERSTORAGEMEMEXTPROC storage =
       (PFNGLBUFFERSTORAGEMEMEXTPROC)eglGetProcAddress("glBufferStorageMemEXT");
   GLuint memory, buffer;
   create(1, &memory);
   from_fd(memory, s->size, GL_HANDLE_TYPE_OPAQUE_FD_EXT, export_fd(s));
   g->GenBuffers(1, &buffer);
   g->BindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
   storage(GL_SHADER_STORAGE_BUFFER, N * 4, memory, 0);
   return buffer;
}

int
main(void)
{
   struct shared s = {0};
   struct glc g;
   open_vulkan(&s);
   glc_open(&g, false);
   printf("# %s; %s\n", s.vk.properties.deviceName, g.renderer);
   static const uint32_t step[2] = {3, 11};
   struct vkc_job job = {.spirv = chain_spv,
                         .spirv_size = sizeof(chain_spv),
                         .bindings = {{.buffer = &s.buffer}},
                         .binding_count = 1,
                         .push = step,
                         .push_size = sizeof(step),
                         .groups = {N / 64, 1, 1}};
   GLuint buffer = import(&g, &s);
   check(g.GetError() == GL_NO_ERROR, "OpenGL takes the memory of Vulkan");
   GLuint program = glc_program(
       &g, "layout(local_size_x = 64) in;\nlayout(std430, binding = 0) buffer C { uint c[]; };\n"
           "void main() { uint i = gl_GlobalInvocationID.x; c[i] = (c[i] ^ 0x5a5au) * 7u + i; }\n");
   g.UseProgram(program);
   g.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
   static uint32_t want[N], got[N];
   for (unsigned round = 0; round < 3; round++) {
      vkc_run(&s.vk, &job);
      g.DispatchCompute(N / 64, 1, 1);
      g.MemoryBarrier(GL_ALL_BARRIER_BITS);
      g.Finish();
      for (uint32_t i = 0; i < N; i++)
         want[i] = ((want[i] * step[0] + step[1] + i) ^ 0x5a5a) * 7 + i;
   }
   check(!memcmp(s.buffer.map, want, N * 4), "Vulkan's map has what both have done in turns");
   GLuint plain =
       glc_buffer(&g, GL_SHADER_STORAGE_BUFFER, got, N * 4); /* imported ones cannot be mapped */
   GLuint copy = glc_program(
       &g, "layout(local_size_x = 64) in;\nlayout(std430, binding = 0) buffer A { uint a[]; };\n"
           "layout(std430, binding = 1) buffer C { uint c[]; };\n"
           "void main() { uint i = gl_GlobalInvocationID.x; c[i] = a[i]; }\n");
   g.UseProgram(copy);
   g.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, plain);
   g.DispatchCompute(N / 64, 1, 1);
   glc_read(&g, plain, got, N * 4);
   check(!memcmp(got, want, N * 4) && g.GetError() == GL_NO_ERROR, "and so has OpenGL's");
   printf("1..%u\n", count);
   glc_close(&g);
   vkc_buffer_free(&s.vk, &s.buffer);
   vkc_close(&s.vk);
   return failures != 0;
}
