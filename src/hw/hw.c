#include "hw/hw.h"

#include "hw/header.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

const struct hw_device hw_devices[] = {
    {"ivb", "Ivy Bridge", HW_IVB},
    {"vlv", "Valleyview", HW_VLV},
    {"hsw", "Haswell", HW_HSW},
    {"icl", "Ice Lake", HW_ICL},
};
const size_t hw_device_count = sizeof(hw_devices) / sizeof(hw_devices[0]);

const struct hw_device *
hw_device_find(const char *name)
{
   for (size_t i = 0; i < hw_device_count; i++)
      if (!strcmp(hw_devices[i].name, name))
         return &hw_devices[i];
   return NULL;
}

const struct hw_layout *
hw_struct_by_name(const char *name)
{
   for (size_t i = 0; i < hw_struct_count; i++)
      if (!strcasecmp(hw_structs[i].name, name))
         return &hw_structs[i];
   return NULL;
}

const struct hw_layout *
hw_field_structure(const struct hw_field *f, unsigned index)
{
   char name[64];
   for (const char *at = f->structure; *at;) {
      size_t n = strcspn(at, ",");
      if (!index--)
         return snprintf(name, sizeof(name), "%.*s", (int)n, at) < (int)sizeof(name)
                    ? hw_struct_by_name(name)
                    : NULL;
      at += n + strspn(at + n, ", ");
   }
   return NULL;
}

const struct hw_command *
hw_command_by_name(const char *name, unsigned device_bit)
{
   for (size_t i = 0; i < hw_command_count; i++)
      if (hw_commands[i].devices & device_bit && !strcasecmp(hw_commands[i].layout.name, name))
         return &hw_commands[i];
   return NULL;
}

/* Headers are sorted, and within a client all masks are equal: binary search for the first row with
 * this header, then the few that share it (other engines, other parts). */
const struct hw_command *
hw_command_find(uint32_t header, unsigned engine_bit, unsigned device_bit)
{
   uint32_t key = header & hw_header_mask(header);
   size_t lo = 0, hi = hw_command_count;
   while (lo < hi) {
      size_t mid = (lo + hi) / 2;
      if (hw_commands[mid].header < key)
         lo = mid + 1;
      else
         hi = mid;
   }
   for (; lo < hw_command_count && hw_commands[lo].header == key; lo++)
      if (hw_commands[lo].engines & engine_bit && hw_commands[lo].devices & device_bit)
         return &hw_commands[lo];
   return NULL;
}

uint32_t
hw_command_length(const struct hw_command *cmd, uint32_t header)
{
   if (!cmd->length_bits)
      return cmd->layout.length_dw;
   return (header >> cmd->length_lo & ((1u << cmd->length_bits) - 1)) + cmd->bias;
}

uint32_t
hw_default_length(uint32_t header, unsigned device_bit)
{
   switch (hw_client(header)) {
   case HW_CLIENT_MI: /* opcodes below 0x10 are single dwords */
      return hw_get(header, GEN7_MI_HEADER__OPCODE) < 0x10
                 ? 1
                 : (header & (device_bit == HW_ICL ? GEN11_MI_HEADER__DWORD_LENGTH
                                                   : GEN7_MI_HEADER__DWORD_LENGTH)) +
                       2;
   case HW_CLIENT_2D:
      return (header & GEN7_2D_HEADER__DWORD_LENGTH) + 2;
   case HW_CLIENT_GFX:
      return (header & (hw_is_media(header) ? GEN7_MEDIA_HEADER__DWORD_LENGTH
                                            : GEN7_GFX_HEADER__DWORD_LENGTH)) +
             2;
   default:
      return 1;
   }
}

const struct hw_register *
hw_register_at(uint32_t offset, unsigned device_bit)
{
   size_t lo = 0, hi = hw_register_count;
   while (lo < hi) {
      size_t mid = (lo + hi) / 2;
      if (hw_registers[mid].offset < offset)
         lo = mid + 1;
      else
         hi = mid;
   }
   for (; lo < hw_register_count && hw_registers[lo].offset == offset; lo++)
      if (hw_registers[lo].devices & device_bit)
         return &hw_registers[lo];
   return NULL;
}

const struct hw_register *
hw_register_by_name(const char *name, unsigned device_bit)
{
   for (size_t i = 0; i < hw_register_count; i++)
      if (hw_registers[i].devices & device_bit && hw_registers[i].dword == 0 &&
          !strcasecmp(hw_registers[i].layout->name, name))
         return &hw_registers[i];
   return NULL;
}

uint64_t
hw_field_get(const struct hw_field *f, const uint32_t *dw, size_t count_dw)
{
   uint64_t v = 0;
   unsigned first = f->start / 32, shift = f->start % 32, width = f->end - f->start + 1;
   for (unsigned i = 0; i < 3; i++) {
      uint64_t word = first + i < count_dw ? dw[first + i] : 0;
      int place = (int)(32 * i) - (int)shift;
      if (place < 0)
         v |= word >> -place;
      else if (place < 64)
         v |= word << place;
   }
   return width < 64 ? v & ((UINT64_C(1) << width) - 1) : v;
}

static int64_t
signed_value(const struct hw_field *f, uint64_t raw)
{
   unsigned width = f->end - f->start + 1;
   if (f->type == HW_INT && width < 64 && raw >> (width - 1) & 1)
      return (int64_t)(raw - (UINT64_C(1) << width));
   return (int64_t)raw;
}

static const char *
value_name(const struct hw_field *f, uint64_t raw)
{
   for (unsigned i = 0; i < f->value_count; i++)
      if (f->values[i].value == raw)
         return f->values[i].name;
   return NULL;
}

int
hw_field_print(const struct hw_field *f, uint64_t raw, char *buf, size_t size)
{
   const char *name = value_name(f, raw);
   const char *space = f->unit[0] ? " " : "";
   if (name)
      return snprintf(buf, size, "%llu (%s)", (unsigned long long)raw, name);
   if (f->type == HW_BOOL)
      return snprintf(buf, size, "%s", raw ? "true" : "false");
   if (f->type == HW_ADDRESS || f->type == HW_OFFSET)
      return snprintf(buf, size, "0x%08llx", (unsigned long long)(raw << f->start % 32));
   if (f->type == HW_FLOAT) {
      uint32_t bits = (uint32_t)raw;
      float v;
      memcpy(&v, &bits, 4);
      return snprintf(buf, size, "%.9g%s%s", v, space, f->unit);
   }
   int64_t v = signed_value(f, raw);
   if (f->fraction)
      return snprintf(buf, size, "%g%s%s", (double)v / (double)(UINT64_C(1) << f->fraction), space,
                      f->unit);
   if (f->type == HW_INT)
      return snprintf(buf, size, "%lld%s%s", (long long)v, space, f->unit);
   if (raw > 0xffff)
      return snprintf(buf, size, "0x%llx%s%s", (unsigned long long)raw, space, f->unit);
   return snprintf(buf, size, "%llu%s%s", (unsigned long long)raw, space, f->unit);
}

const char *
hw_field_problem(const struct hw_field *f, uint64_t raw)
{
   unsigned width = f->end - f->start + 1;
   uint64_t ones = width < 64 ? (UINT64_C(1) << width) - 1 : ~UINT64_C(0);
   if (f->type == HW_MBZ && raw)
      return "reserved bits must be zero";
   if (f->type == HW_MBO && raw != ones)
      return "reserved bits must be one";
   if (f->closed && !value_name(f, raw))
      return "the value is reserved";
   int64_t v = signed_value(f, raw);
   if (f->has_min && v < f->min)
      return "the value is below the least that is allowed";
   if (f->has_max && v > f->max)
      return "the value is above the greatest that is allowed";
   return NULL;
}

unsigned
hw_validate(const struct hw_layout *l, const uint32_t *dw, size_t count_dw, hw_violation_fn fn,
            void *data)
{
   bool suspect = l->ranged;
   size_t n = count_dw < l->length_dw ? count_dw : l->length_dw;
   for (size_t i = 0; i < n && !suspect; i++)
      suspect = (dw[i] & l->mbz[i]) || (dw[i] & l->mbo[i]) != l->mbo[i];
   if (!suspect)
      return 0;
   unsigned broken = 0;
   for (unsigned i = 0; i < l->field_count; i++) {
      const struct hw_field *f = &l->fields[i];
      if (f->end / 32 >= n)
         continue;
      uint64_t raw = hw_field_get(f, dw, n);
      const char *why = hw_field_problem(f, raw);
      if (!why)
         continue;
      broken++;
      if (fn)
         fn(data, l, f, raw, why);
   }
   return broken;
}
