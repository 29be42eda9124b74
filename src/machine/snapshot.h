/* The state of a device between two turns, as bytes.
 *
 * Every room that has such state has one function, X_snapshot(struct X *x, struct snapshot *s), for
 * both ways: it visits its members in a fixed order, and whether a member is written or read is
 * s->loading. What comes from a snapshot is hostile: SNAP_BELOW() and snapshot_check() say what may
 * not be. A load that is refused goes on with zeros, and the device is reset at the end of it.
 *
 * Host pointers are never saved. What points into the device is an index; what can be made again
 * from registers, commands and memory (unpacked state, translations, kernels, surfaces) is. */
#ifndef PERGOLA_MACHINE_SNAPSHOT_H
#define PERGOLA_MACHINE_SNAPSHOT_H

#include "machine/device.h"

struct snapshot {
   struct pergola_device *dev;
   bool loading;
   const char *refused; /* the first thing that could not be; NULL: nothing so far */
   uint8_t *data;       /* saving: grows; loading: not written */
   size_t size, room;   /* saving: so far, and as much is allocated; loading: of the whole */
   size_t at;           /* loading: how far it is */
};

/* This many bytes, any of which may be anything. */
void snapshot_bytes(struct snapshot *s, void *data, size_t size);
/* The same where most of them are zero. */
void snapshot_sparse(struct snapshot *s, void *data, size_t size);
/* A room begins: its name, four characters, stands before it. */
void snapshot_room(struct snapshot *s, const char name[4]);
/* The snapshot is refused. `what` is static text. */
void snapshot_refuse(struct snapshot *s, const char *what);
static inline bool
snapshot_check(struct snapshot *s, bool good, const char *what)
{
   if (s->loading && !good)
      snapshot_refuse(s, what);
   return !s->refused;
}

void snap_bool(struct snapshot *s, bool *x);
static inline void
snap_u8(struct snapshot *s, uint8_t *x)
{
   snapshot_bytes(s, x, sizeof(*x));
}
static inline void
snap_u16(struct snapshot *s, uint16_t *x)
{
   snapshot_bytes(s, x, sizeof(*x));
}
static inline void
snap_u32(struct snapshot *s, uint32_t *x)
{
   snapshot_bytes(s, x, sizeof(*x));
}
static inline void
snap_u64(struct snapshot *s, uint64_t *x)
{
   snapshot_bytes(s, x, sizeof(*x));
}
static inline void
snap_i32(struct snapshot *s, int32_t *x)
{
   snapshot_bytes(s, x, sizeof(*x));
}
static inline void
snap_i64(struct snapshot *s, int64_t *x)
{
   snapshot_bytes(s, x, sizeof(*x));
}

/* A number that may be any, or a bool. */
#define SNAP(s, x)                                                                                 \
   _Generic((x), bool                                                                              \
            : snap_bool, uint8_t                                                                   \
            : snap_u8, uint16_t                                                                    \
            : snap_u16, uint32_t                                                                   \
            : snap_u32, uint64_t                                                                   \
            : snap_u64, int32_t                                                                    \
            : snap_i32, int64_t                                                                    \
            : snap_i64)((s), &(x))

/* An array of numbers of which each may be any. */
#define SNAP_ARRAY(s, x)                                                                           \
   snapshot_bytes((s), (x) + 0 * SNAP_NUMBERS((x)[0]), sizeof(x) + 0 * sizeof((x)[0]))
#define SNAP_NUMBERS(x)                                                                            \
   _Generic((x), uint8_t : 0, uint16_t : 0, uint32_t : 0, uint64_t : 0, int32_t : 0, int64_t : 0)

/* A number, or an enum, that is less than `limit`; it is never anything else. */
#define SNAP_BELOW(s, x, limit)                                                                    \
   do {                                                                                            \
      uint64_t snap_value = (uint64_t)(x);                                                         \
      snap_u64((s), &snap_value);                                                                  \
      if (snapshot_check((s), snap_value < (uint64_t)(limit), #x) && (s)->loading)                 \
         (x) = (__typeof__(x))snap_value;                                                          \
   } while (0)
/* One that lies between two, both included. */
#define SNAP_BETWEEN(s, x, low, high)                                                              \
   do {                                                                                            \
      int64_t snap_value = (int64_t)(x);                                                           \
      snap_i64((s), &snap_value);                                                                  \
      if (snapshot_check((s), snap_value >= (low) && snap_value <= (high), #x) && (s)->loading)    \
         (x) = (__typeof__(x))snap_value;                                                          \
   } while (0)

/* An address space of the device; never NULL. */
void snapshot_space(struct snapshot *s, struct mem_space **space);

/* Beside a room's function, for each struct that it visits: when the struct changes, look whether
 * the function has to, then write the new size. (Sizes are those of the ABI that is tested.) */
#ifdef __x86_64__
#define SNAPSHOT_LOOKED_AT(type, size)                                                             \
   _Static_assert(sizeof(type) == (size), #type " has changed: look at its snapshot function")
#else
#define SNAPSHOT_LOOKED_AT(type, size) _Static_assert(1, "")
#endif

/* Registers, GTT entries, time, interrupts; twice: what units do while they are made again may
 * change them. */
void machine_snapshot(struct pergola_device *dev, struct snapshot *s);

#endif
