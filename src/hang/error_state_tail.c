/* The end of an error state: what Linux 6.1 knows of the part, and how it was started. Nothing of
 * it changes with a hang. Names and order are the kernel's. */
#include "hang/error_state_tail.h"

enum { NEITHER, IVY_BRIDGE, VALLEYVIEW, BOTH };

static const struct {
   const char *name;
   unsigned of;
} flags[] = {
    {"is_lp", VALLEYVIEW},
    {"require_force_probe", NEITHER},
    {"is_dgfx", NEITHER},
    {"has_64bit_reloc", NEITHER},
    {"has_64k_pages", NEITHER},
    {"needs_compact_pt", NEITHER},
    {"gpu_reset_clobbers_display", NEITHER},
    {"has_reset_engine", BOTH},
    {"has_3d_pipeline", IVY_BRIDGE},
    {"has_4tile", NEITHER},
    {"has_flat_ccs", NEITHER},
    {"has_global_mocs", NEITHER},
    {"has_gt_uc", NEITHER},
    {"has_heci_pxp", NEITHER},
    {"has_heci_gscfi", NEITHER},
    {"has_guc_deprivilege", NEITHER},
    {"has_l3_ccs_read", NEITHER},
    {"has_l3_dpf", IVY_BRIDGE},
    {"has_llc", IVY_BRIDGE},
    {"has_logical_ring_contexts", NEITHER},
    {"has_logical_ring_elsq", NEITHER},
    {"has_media_ratio_mode", NEITHER},
    {"has_mslice_steering", NEITHER},
    {"has_one_eu_per_fuse_bit", NEITHER},
    {"has_pxp", NEITHER},
    {"has_rc6", BOTH},
    {"has_rc6p", IVY_BRIDGE},
    {"has_rps", BOTH},
    {"has_runtime_pm", VALLEYVIEW},
    {"has_snoop", VALLEYVIEW},
    {"has_coherent_ggtt", IVY_BRIDGE},
    {"tuning_thread_rr_after_dep", NEITHER},
    {"unfenced_needs_alignment", NEITHER},
    {"hws_needs_physical", NEITHER},
    {"has_pooled_eu", NEITHER},
    {"cursor_needs_physical", NEITHER},
    {"has_cdclk_crawl", NEITHER},
    {"has_ddi", NEITHER},
    {"has_dp_mst", NEITHER},
    {"has_dsb", NEITHER},
    {"has_fpga_dbg", NEITHER},
    {"has_gmch", VALLEYVIEW},
    {"has_hotplug", VALLEYVIEW},
    {"has_hti", NEITHER},
    {"has_ipc", NEITHER},
    {"has_modular_fia", NEITHER},
    {"has_overlay", NEITHER},
    {"has_psr", NEITHER},
    {"has_psr_hw_tracking", NEITHER},
    {"overlay_needs_physical", NEITHER},
    {"supports_tv", NEITHER},
    {"has_hdcp", NEITHER},
    {"has_dmc", NEITHER},
    {"has_dsc", NEITHER},
};

static const char *const parameters[] = {
    "vbt_firmware=(null)",
    "modeset=-1",
    "lvds_channel_mode=0",
    "panel_use_ssc=-1",
    "vbt_sdvo_panel_type=-1",
    "enable_dc=-1",
    NULL, /* enable_fbc */
    "enable_psr=-1",
    "psr_safest_params=no",
    "enable_psr2_sel_fetch=yes",
    "disable_power_well=1",
    "enable_ips=1",
    "invert_brightness=0",
    "enable_guc=0",
    "guc_log_level=-1",
    "guc_firmware_path=(null)",
    "huc_firmware_path=(null)",
    "dmc_firmware_path=(null)",
    "memtest=no",
    "mmio_debug=0",
    "edp_vswing=0",
    "reset=3",
    "inject_probe_failure=0",
    "fastboot=-1",
    "enable_dpcd_backlight=-1",
    "force_probe=",
    "request_timeout_ms=20000",
    "lmem_size=0",
    "lmem_bar_size=0",
    "enable_hangcheck=yes",
    "load_detect_test=no",
    "force_reset_modeset_test=no",
    "error_capture=yes",
    "disable_display=no",
    "verbose_state_checks=yes",
    "nuclear_pageflip=no",
    "enable_dp_mst=yes",
    "enable_gvt=no",
};

static const char *
yes_no(bool b)
{
   return b ? "yes" : "no";
}

/* Desktop and mobile parts have the same GPU under other numbers. */
static bool
is_mobile(const struct pergola_sku *sku)
{
   return sku->pci_device_id == 0x0156 || sku->pci_device_id == 0x0166;
}

/* This kernel counts no slices and no EUs of parts before Haswell. */
static void
print_topology(FILE *f)
{
   fputs("available engines: 403\n"
         "slice total: 0, mask=0000\nsubslice total: 0\nEU total: 0\nEU per subslice: 0\n"
         "has slice power gating: no\nhas subslice power gating: no\nhas EU power gating: no\n"
         "Unavailable\n",
         f);
}

static void
print_part(FILE *f, const struct pergola_sku *sku, bool ivb)
{
   fputs("graphics version: 7\nmedia version: 7\ndisplay version: 7\n", f);
   fprintf(f, "gt: %u\n", ivb ? sku->half_slices : 0);
   fputs("memory-regions: 21\npage-sizes: 1000\n", f);
   fprintf(f, "platform: %s\n", ivb ? "IVYBRIDGE" : "VALLEYVIEW");
   fputs("ppgtt-size: 31\nppgtt-type: 1\ndma_mask_size: 40\n", f);
   fprintf(f, "is_mobile: %s\n", yes_no(is_mobile(sku)));
   for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
      fprintf(f, "%s: %s\n", flags[i].name, yes_no(flags[i].of & (ivb ? IVY_BRIDGE : VALLEYVIEW)));
   fprintf(f, "rawclk rate: %u kHz\n", ivb ? 0 : 1600000);
   fputs("Has logical contexts? yes\nscheduler: 0\n", f);
}

void
error_state_write_tail(FILE *f, const struct pergola_sku *sku)
{
   bool ivb = sku->has_llc;
   print_topology(f);
   print_part(f, sku, ivb);
   for (size_t i = 0; i < sizeof(parameters) / sizeof(parameters[0]); i++)
      if (parameters[i])
         fprintf(f, "i915.%s\n", parameters[i]);
      else
         fprintf(f, "i915.enable_fbc=%d\n", ivb ? -1 : 0);
}
