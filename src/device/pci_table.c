#include "device/pci_table.h"

/* What both Gen7 families have. */
static const struct pci_register gen7[] = {
    {"VID2", "SYS-424", 0x00, 2, PCI_PLAIN, 0x8086, 0},
    {"DID2", "SYS-424", 0x02, 2, PCI_PLAIN, 0, 0},
    {"PCICMD2", "SYS-425", 0x04, 2, PCI_PLAIN, 0, 0x0407},
    {"RID2", "SYS-424", 0x08, 1, PCI_PLAIN, 0, 0},
    {"CC", "SYS-424", 0x09, 3, PCI_PLAIN, 0x038000, 0}, /* GGC.IVD is set: no VGA */
    {"CLS", "SYS-424", 0x0c, 1, PCI_PLAIN, 0, 0},
    {"MLT2", "SYS-424", 0x0d, 1, PCI_PLAIN, 0, 0},
    {"HDR2", "SYS-424", 0x0e, 1, PCI_PLAIN, 0, 0},
    {"SVID2", "SYS-430", 0x2c, 2, PCI_ONCE, 0, 0xffff},
    {"SID2", "SYS-430", 0x2e, 2, PCI_ONCE, 0, 0xffff},
    {"ROMADR", "SYS-430", 0x30, 4, PCI_PLAIN, 0, 0},
    {"INTRLINE", "SYS-430", 0x3c, 1, PCI_PLAIN, 0, 0xff},
    {"INTRPIN", "SYS-430", 0x3d, 1, PCI_PLAIN, 1, 0},
    {"MC", "SYS-432", 0x92, 2, PCI_PLAIN, 0, 0x0071},
    {"MA", "SYS-432", 0x94, 4, PCI_PLAIN, 0, 0xfffffffc},
    {"MD", "SYS-432", 0x98, 2, PCI_PLAIN, 0, 0xffff},
    {"PMCAP", "SYS-434", 0xd2, 2, PCI_PLAIN, 0x0022, 0},
    {"PMCS", "SYS-434", 0xd4, 2, PCI_PLAIN, 0, 0x0003},
    {"SWSMI", "SYS-438", 0xe0, 2, PCI_PLAIN, 0, 0xffff},
    {"GSE", "SYS-438", 0xe4, 4, PCI_PLAIN, 0, 0xffffffff},
    {"ASLS", "SYS-438", 0xfc, 4, PCI_PLAIN, 0, 0xffffffff},
};

static const struct pci_register ivb[] = {
    {"PCISTS2", "SYS-425", 0x06, 2, PCI_PLAIN, 0x0090, 0},
    {"GTTMMADR_LSB", "SYS-426", 0x10, 4, PCI_PLAIN, 0x00000004, 0xffc00000},
    {"GTTMMADR_MSB", "SYS-426", 0x14, 4, PCI_PLAIN, 0, 0xffffffff},
    {"GMADR_LSB", "SYS-428", 0x18, 4, PCI_PLAIN, 0x0000000c, 0xe0000000},
    {"GMADR_MSB", "SYS-428", 0x1c, 4, PCI_PLAIN, 0, 0xffffffff},
    {"IOBAR", "SYS-429", 0x20, 4, PCI_PLAIN, 0x00000001, 0x0000ffc0},
    {"CAPPOINT", "SYS-431", 0x34, 1, PCI_PLAIN, 0x90, 0},
    {"CAPID0", "SYS-431", 0x40, 4, PCI_PLAIN, 0x010c0009, 0},
    {"GGC", "SYS-436", 0x50, 2, PCI_PLAIN, 0x0213, 0},
    {"DEVEN", "SYS-436", 0x54, 4, PCI_PLAIN, 0x00000010, 0},
    {"BDSM", "SYS-436", 0x5c, 4, PCI_PLAIN, 0, 0},
    {"HSRW", "SYS-436", 0x60, 2, PCI_PLAIN, 0, 0xffff},
    {"MSAC", "SYS-428", 0x62, 1, PCI_PLAIN, 0x02, 0xf6},
    {"MSI_CAPID", "SYS-431", 0x90, 2, PCI_PLAIN, 0xd005, 0},
    {"AFCIDNP", "SYS-435", 0xa4, 2, PCI_PLAIN, 0x0013, 0},
    {"AFLC", "SYS-435", 0xa6, 2, PCI_PLAIN, 0x0306, 0},
    {"AFCTL", "SYS-435", 0xa8, 1, PCI_PLAIN, 0, 0x01},
    {"AFSTS", "SYS-435", 0xa9, 1, PCI_PLAIN, 0, 0},
    {"PMCAPID", "SYS-431", 0xd0, 2, PCI_PLAIN, 0xa401, 0},
    {"SWSCI", "SYS-438", 0xe8, 2, PCI_PLAIN, 0, 0x8001},
};

/* And the Valleyview forms of the rows above. */
static const struct pci_register vlv[] = {
    {"PCISTS2", "SYS-425", 0x06, 2, PCI_PLAIN, 0x0010, 0},
    {"GTTMMADR_LSB", "SYS-426", 0x10, 4, PCI_PLAIN, 0, 0xffc00000},
    {"GMADR", "SYS-428", 0x18, 4, PCI_PLAIN, 0x00000008, 0xe0000000},
    {"IOBAR", "SYS-429", 0x20, 4, PCI_PLAIN, 0x00000001, 0x0000fff8},
    {"CAPPOINT", "SYS-431", 0x34, 1, PCI_PLAIN, 0xd0, 0},
    {"GGC", "SYS-437", 0x50, 2, PCI_PLAIN, 0x0213, 0},
    {"BDSM", "SYS-437", 0x5c, 4, PCI_PLAIN, 0, 0xfff00001},
    {"MSAC", "SYS-428", 0x62, 1, PCI_PLAIN, 0x02, 0x06},
    {"BGSM", "SYS-437", 0x70, 4, PCI_PLAIN, 0, 0xfff00001},
    {"MSI_CAPID", "SYS-431", 0x90, 2, PCI_PLAIN, 0xb005, 0},
    {"VCID", "SYS-431", 0xb0, 4, PCI_PLAIN, 0x01070009, 0},
    {"FD", "SYS-437", 0xc4, 4, PCI_PLAIN, 0, 0x00000001},
    {"PMCAPID", "SYS-431", 0xd0, 2, PCI_PLAIN, 0x9001, 0},
};

/* SYS-080..161. What is not listed reads 0; SR-IOV (SYS-140..158) is not there. */
static const struct pci_register icl[] = {
    {"VID2", "SYS-081", 0x000, 2, PCI_PLAIN, 0x8086, 0x0},
    {"DID2", "SYS-082", 0x002, 2, PCI_PLAIN, 0x0, 0x0},
    {"PCICMD", "SYS-083", 0x004, 2, PCI_PLAIN, 0x0, 0x407},
    {"PCISTS2", "SYS-084", 0x006, 2, PCI_PLAIN, 0x10, 0x0},
    {"RID2", "SYS-160", 0x008, 1, PCI_PLAIN, 0x7, 0x0},
    {"CC", "SYS-160", 0x009, 3, PCI_PLAIN, 0x38000, 0x0},
    {"CLS", "SYS-085", 0x00c, 1, PCI_PLAIN, 0x0, 0xff},
    {"MLT2", "SYS-086", 0x00d, 1, PCI_PLAIN, 0x0, 0x0},
    {"HDR2", "SYS-087", 0x00e, 1, PCI_PLAIN, 0x0, 0x0},
    {"BIST", "SYS-088", 0x00f, 1, PCI_PLAIN, 0x0, 0x0},
    {"GTTMMADR_LSB", "SYS-089", 0x010, 4, PCI_PLAIN, 0x4, 0xff000000},
    {"GTTMMADR_MSB", "SYS-089", 0x014, 4, PCI_PLAIN, 0x0, 0xffffffff},
    {"GMADR_LSB", "SYS-090", 0x018, 4, PCI_PLAIN, 0xc, 0xf0000000},
    {"GMADR_MSB", "SYS-090", 0x01c, 4, PCI_PLAIN, 0x0, 0xffffffff},
    {"IOBAR", "SYS-091", 0x020, 4, PCI_PLAIN, 0x1, 0xffc0},
    {"SVID2", "SYS-092", 0x02c, 2, PCI_ONCE, 0x0, 0xffff},
    {"SID2", "SYS-093", 0x02e, 2, PCI_ONCE, 0x0, 0xffff},
    {"ROMADR", "SYS-094", 0x030, 4, PCI_PLAIN, 0x0, 0x0},
    {"CAPPOINT", "SYS-095", 0x034, 1, PCI_PLAIN, 0x40, 0x0},
    {"INTRLINE", "SYS-096", 0x03c, 1, PCI_PLAIN, 0x0, 0xff},
    {"INTRPIN", "SYS-097", 0x03d, 1, PCI_PLAIN, 0x1, 0x0},
    {"MINGNT", "SYS-098", 0x03e, 1, PCI_PLAIN, 0x0, 0x0},
    {"MAXLAT", "SYS-099", 0x03f, 1, PCI_PLAIN, 0x0, 0x0},
    {"CAPID0", "SYS-100", 0x040, 2, PCI_PLAIN, 0x7009, 0x0},
    {"CAPCTRL0", "SYS-101", 0x042, 2, PCI_PLAIN, 0x10c, 0x0},
    {"CAPID0_A", "SYS-102", 0x044, 4, PCI_PLAIN, 0x0, 0x0},
    {"CAPID0_B", "SYS-103", 0x048, 4, PCI_PLAIN, 0x0, 0x0},
    {"MGGC0", "SYS-104", 0x050, 2, PCI_PLAIN, 0x2c3, 0x0},
    {"DEVEN0", "SYS-105", 0x054, 4, PCI_PLAIN, 0x11, 0x0},
    {"DEV2CTL", "SYS-106", 0x058, 4, PCI_PLAIN, 0x0, 0x1},
    {"MSAC", "SYS-107", 0x060, 4, PCI_PLAIN, 0x10000, 0xff0000},
    {"PCIECAPHDR", "SYS-108", 0x070, 2, PCI_PLAIN, 0xac10, 0x0},
    {"PCIECAP", "SYS-109", 0x072, 2, PCI_PLAIN, 0x92, 0x0},
    {"DEVICECAP", "SYS-110", 0x074, 4, PCI_PLAIN, 0x10008000, 0x0},
    {"DEVICECTL", "SYS-111", 0x078, 2, PCI_PLAIN, 0x0, 0xffff},
    {"DEVICESTS", "SYS-112", 0x07a, 2, PCI_PLAIN, 0x0, 0x0},
    {"MSI_CAPID", "SYS-113", 0x0ac, 2, PCI_PLAIN, 0xd005, 0x0},
    {"MC", "SYS-114", 0x0ae, 2, PCI_PLAIN, 0x100, 0x71},
    {"MA", "SYS-115", 0x0b0, 4, PCI_PLAIN, 0x0, 0xfffffffc},
    {"MD", "SYS-116", 0x0b4, 2, PCI_PLAIN, 0x0, 0xffff},
    {"MSI_MASK", "SYS-117", 0x0b8, 4, PCI_PLAIN, 0x0, 0x1},
    {"MSI_PEND", "SYS-118", 0x0bc, 4, PCI_PLAIN, 0x0, 0x0},
    {"BDSM_LSB", "SYS-119", 0x0c0, 4, PCI_PLAIN, 0x0, 0x0},
    {"BDSM_MSB", "SYS-119", 0x0c4, 4, PCI_PLAIN, 0x0, 0x0},
    {"GFX_VTDBAR_LSB", "SYS-120", 0x0c8, 4, PCI_PLAIN, 0x0, 0x0},
    {"GFX_VTDBAR_MSB", "SYS-121", 0x0cc, 4, PCI_PLAIN, 0x0, 0x0},
    {"PMCAPID", "SYS-122", 0x0d0, 2, PCI_PLAIN, 0x1, 0x0},
    {"PMCAP", "SYS-123", 0x0d2, 2, PCI_PLAIN, 0x22, 0x0},
    {"PMCS", "SYS-124", 0x0d4, 2, PCI_PLAIN, 0x0, 0x3},
    {"SWSMI", "SYS-125", 0x0e0, 2, PCI_PLAIN, 0x0, 0xffff},
    {"GSE", "SYS-126", 0x0e4, 4, PCI_PLAIN, 0x0, 0xffffffff},
    {"SWSCI", "SYS-127", 0x0e8, 2, PCI_PLAIN, 0x0, 0xffff},
    {"ASLS", "SYS-128", 0x0fc, 4, PCI_PLAIN, 0x0, 0xffffffff},
    {"PASID_EXTCAP", "SYS-129", 0x100, 4, PCI_PLAIN, 0x2001001b, 0x0},
    {"PASID_CAP", "SYS-130", 0x104, 2, PCI_PLAIN, 0x1400, 0x0},
    {"PASID_CTRL", "SYS-131", 0x106, 2, PCI_PLAIN, 0x0, 0x7},
    {"ATS_EXTCAP", "SYS-132", 0x200, 4, PCI_PLAIN, 0x3001000f, 0x0},
    {"ATS_CAP", "SYS-133", 0x204, 2, PCI_PLAIN, 0x0, 0x0},
    {"ATS_CTRL", "SYS-134", 0x206, 2, PCI_PLAIN, 0x0, 0x801f},
    {"PR_EXTCAP", "SYS-135", 0x300, 4, PCI_PLAIN, 0x10013, 0x0},
    {"PR_CTRL", "SYS-136", 0x304, 2, PCI_PLAIN, 0x0, 0x1},
    {"PR_STATUS", "SYS-137", 0x306, 2, PCI_PLAIN, 0x100, 0x0},
    {"OPRC", "SYS-138", 0x308, 4, PCI_PLAIN, 0x0, 0x0},
    {"OPRA", "SYS-139", 0x30c, 4, PCI_PLAIN, 0x0, 0xffffffff},
};

#define COUNT(t) (sizeof(t) / sizeof((t)[0]))

static const struct pci_family ivb_family = {
    .table = {gen7, ivb},
    .count = {COUNT(gen7), COUNT(ivb)},
    .size = 0x100,
    .msi = 0x90,
    .aperture = 0x62,
    .reset = 0xa8,
    .reset_bit = 0x01,
};
static const struct pci_family vlv_family = {
    .table = {gen7, vlv},
    .count = {COUNT(gen7), COUNT(vlv)},
    .size = 0x100,
    .msi = 0x90,
    .aperture = 0x62,
};
static const struct pci_family icl_family = {
    .table = {icl},
    .count = {COUNT(icl)},
    .size = 0x1000,
    .msi = 0xac,
    .msi_masks = true,
    .aperture = 0x62,
    .reset = 0x78,
    .reset_bit = 0x8000,
    .hide_io = 0x58,
    .sci = 0xe8,
};

const struct pci_family *
pci_family_of(const struct pergola_device *dev)
{
   switch (dev->hw_device) {
   case HW_ICL:
      return &icl_family;
   case HW_VLV:
      return &vlv_family;
   default:
      return &ivb_family;
   }
}
