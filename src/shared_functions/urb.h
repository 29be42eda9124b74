/* The Unified Return Buffer: rows of 256 bits in L3, shared by fixed functions and threads.
 *
 * It is stateless as a function (SF-092): who owns which rows is the business of the fixed
 * functions that hand out handles. A handle counts 512-bit units (SF-093). */
#ifndef PERGOLA_URB_H
#define PERGOLA_URB_H

#include "machine/device.h"

#define URB_ROW_SIZE 32u
#define URB_HANDLE_UNIT 64u

struct urb {
   struct pergola_device *dev;
   uint8_t *data;
   uint32_t size_B; /* of the storage: the largest region that L3 can give */
   /* SF-086: who hands out the entries of media threads says where that of a handle ends, in bytes
    * from the start; 0: it is none. NULL: nobody does. */
   uint64_t (*entry_end)(void *data, uint16_t handle);
   void *data_of_entries;
};

struct urb *urb_create(struct pergola_device *dev);
void urb_destroy(struct urb *urb);
struct snapshot;
void urb_snapshot(struct urb *urb, struct snapshot *s);
/* Rows of the region that L3 gives to the URB now. */
uint32_t urb_rows(const struct urb *urb);

/* SF-094: threads of these fixed functions end by a URB message. */
static inline bool
urb_ends(unsigned ffid)
{
   enum { FFID_HS = 4, FFID_DS = 5, FFID_VS = 9, FFID_GS = 12 };
   return ffid == FFID_VS || ffid == FFID_HS || ffid == FFID_DS || ffid == FFID_GS;
}

/* Byte addresses from the start of the region. What lies outside reads as zeros and is not written
 * (SF-096); false if any part did. */
bool urb_read(const struct urb *urb, uint64_t address_B, void *data, size_t size_B);
bool urb_write(struct urb *urb, uint64_t address_B, const void *data, size_t size_B);
/* Whole rows in place, or NULL if they are not all inside. */
uint8_t *urb_row(struct urb *urb, uint32_t row, uint32_t count);

#endif
