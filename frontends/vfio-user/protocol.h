/* Messages of vfio-user, version 0.0, as its specification gives them. All of it is in the host's
 * byte order; nothing that comes from the peer is trusted. */
#ifndef PERGOLA_VFIO_USER_PROTOCOL_H
#define PERGOLA_VFIO_USER_PROTOCOL_H

#include <stdint.h>

enum vu_command {
   VU_VERSION = 1,
   VU_DMA_MAP = 2,
   VU_DMA_UNMAP = 3,
   VU_GET_INFO = 4,
   VU_GET_REGION_INFO = 5,
   VU_GET_REGION_IO_FDS = 6,
   VU_GET_IRQ_INFO = 7,
   VU_SET_IRQS = 8,
   VU_REGION_READ = 9,
   VU_REGION_WRITE = 10,
   VU_RESET = 13,
   VU_REGION_WRITE_MULTI = 15,
   VU_FEATURE = 16,
   VU_MIG_DATA_READ = 17,
   VU_MIG_DATA_WRITE = 18,
};

struct vu_header {
   uint16_t id, command;
   uint32_t size; /* of the whole message */
   uint32_t flags;
   uint32_t error;
};
#define VU_TYPE_MASK 0xfu
#define VU_REPLY 0x1u
#define VU_NO_REPLY 0x10u
#define VU_ERROR 0x20u

struct vu_version {
   uint16_t major, minor; /* JSON text follows */
};

struct vu_dma_map {
   uint32_t argsz, flags;
   uint64_t offset, address, size;
};
#define VU_DMA_READABLE 1u
#define VU_DMA_WRITEABLE 2u

struct vu_dma_unmap {
   uint32_t argsz, flags;
   uint64_t address, size;
};

struct vu_device_info {
   uint32_t argsz, flags, num_regions, num_irqs;
};

struct vu_region_info {
   uint32_t argsz, flags, index, cap_offset;
   uint64_t size, offset;
};

struct vu_irq_info {
   uint32_t argsz, flags, index, count;
};

struct vu_irq_set {
   uint32_t argsz, flags, index, start, count; /* one byte each follows, with DATA_BOOL */
};

struct vu_region_access {
   uint64_t offset;
   uint32_t region, count; /* so many bytes follow, or are asked for */
};

struct vu_multi_write {
   uint64_t offset;
   uint32_t region, count;
   uint8_t data[8];
};

struct vu_feature {
   uint32_t argsz, flags; /* the value follows */
};

struct vu_migration_state {
   uint32_t state;
   int32_t fd; /* none: the state goes by message */
};

struct vu_migration_data {
   uint32_t argsz, size; /* so many bytes follow, or are asked for */
};

#define VU_MAX_DATA 0x100000u /* bytes that one message may read or write */
#define VU_MAX_MESSAGE (VU_MAX_DATA + 4096u)
#define VU_MAX_FDS 8u
#define VU_MAX_MAPS 256u

#endif
