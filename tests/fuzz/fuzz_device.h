/* Devices for the fuzzers: creating one costs more than a session, so each part's is reset and used
 * again. */
#ifndef PERGOLA_FUZZ_DEVICE_H
#define PERGOLA_FUZZ_DEVICE_H

#include "device/assembly.h"

#include <string.h>

/* A device as new but for its clock and its count of diagnostics; made anew now and then. */
static inline struct pergola_device *
fuzz_device(bool vlv)
{
   static struct pergola_device *kept[2];
   static unsigned uses[2];
   struct pergola_device **dev = &kept[vlv];
   if (*dev && ++uses[vlv] % 512 == 0) {
      pergola_device_destroy(*dev);
      *dev = NULL;
   }
   if (!*dev) {
      struct pergola_config c = {
          .sku = vlv ? "vlv" : "ivb-gt2", .check = PERGOLA_CHECK_REPORT, .host_threads = 1};
      *dev = pergola_device_create(&c, NULL);
      return *dev;
   }
   pci_destroy((*dev)->pci);
   (*dev)->pci = pci_create(*dev);
   (*dev)->io_index = 0;
   phys_destroy((*dev)->phys);
   (*dev)->phys = phys_create();
   memset((*dev)->gsm, 0, MEM_GSM_SIZE);
   device_function_reset(*dev);
   return *dev;
}

#endif
