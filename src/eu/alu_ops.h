/* Private to src/eu: the operations of the general path. */
#ifndef PERGOLA_EU_ALU_OPS_H
#define PERGOLA_EU_ALU_OPS_H

struct eu_step;

void alu_raw(struct eu_step *s);
void alu_int_mov(struct eu_step *s);
void alu_int_not(struct eu_step *s);
void alu_bfrev(struct eu_step *s);
void alu_cbit(struct eu_step *s);
void alu_fbh(struct eu_step *s);
void alu_fbl(struct eu_step *s);
void alu_lzd(struct eu_step *s);
void alu_int_add(struct eu_step *s);
void alu_int_avg(struct eu_step *s);
void alu_int_mul(struct eu_step *s);
void alu_int_and(struct eu_step *s);
void alu_int_or(struct eu_step *s);
void alu_int_xor(struct eu_step *s);
void alu_int_shr(struct eu_step *s);
void alu_int_shl(struct eu_step *s);
void alu_int_asr(struct eu_step *s);
void alu_bfi1(struct eu_step *s);
void alu_bfe(struct eu_step *s);
void alu_bfi2(struct eu_step *s);
void alu_int_mac(struct eu_step *s);
void alu_mach(struct eu_step *s);
void alu_addc(struct eu_step *s);
void alu_subb(struct eu_step *s);
void alu_sad2(struct eu_step *s);
void alu_sada2(struct eu_step *s);
void alu_int_cmp(struct eu_step *s);
void alu_int_sel(struct eu_step *s);
void alu_f16to32(struct eu_step *s);

void alu_float_mov(struct eu_step *s);
void alu_float_add(struct eu_step *s);
void alu_float_mul(struct eu_step *s);
void alu_float_mac(struct eu_step *s);
void alu_float_mad(struct eu_step *s);
void alu_lrp(struct eu_step *s);
void alu_frc(struct eu_step *s);
void alu_rndu(struct eu_step *s);
void alu_rndd(struct eu_step *s);
void alu_rnde(struct eu_step *s);
void alu_rndz(struct eu_step *s);
void alu_dp4(struct eu_step *s);
void alu_dph(struct eu_step *s);
void alu_dp3(struct eu_step *s);
void alu_dp2(struct eu_step *s);
void alu_line(struct eu_step *s);
void alu_pln(struct eu_step *s);
void alu_float_cmp(struct eu_step *s);
void alu_float_cmpn(struct eu_step *s);
void alu_float_sel(struct eu_step *s);
void alu_f32to16(struct eu_step *s);

void alu_double_mov(struct eu_step *s);
void alu_double_add(struct eu_step *s);
void alu_double_mul(struct eu_step *s);
void alu_double_mac(struct eu_step *s);
void alu_double_mad(struct eu_step *s);
void alu_double_cmp(struct eu_step *s);
void alu_double_cmpn(struct eu_step *s);
void alu_double_sel(struct eu_step *s);

void alu_math(struct eu_step *s);

/* box.c: a transcendental function of the math box, by its code, in double. */
double eu_box(unsigned function, double a, double b);

#endif
