/* What clipping and setup ask of vertices, found for many at once as soon as they are shaded: their
 * clip codes and where they are on the screen. The same operations in the same order as in clip.c
 * and sf.c, so that it does not matter who has found it. */
#include "render/clip/clip.h"
#include "render/sf/sf.h"

bool
found_all(const struct render *r)
{
   const struct hw_3dstate_clip *c = &r->state.clip;
   return c->clip_enable && c->clip_mode == CLIP_NORMAL && !c->perspective_divide_disable &&
          !c->maximum_vp_index && !c->user_clip_distance_clip_test_enable_bitmask &&
          !c->user_clip_distance_cull_test_enable_bitmask &&
          !r->state.sf.vertex_sub_pixel_precision_select;
}

/* ---- objects ----------------------------------------------------------------------------------
 */

/* One that is seen, or has to be clipped, goes the long way. */
bool
found_dropped(struct render *r, const struct object *o)
{
   const struct vertex_found *f[3];
   if (o->kind != OBJECT_TRIANGLE)
      return false;
   for (unsigned i = 0; i < 3; i++) {
      f[i] = render_found(r, o->v[o->inner[i]]);
      if (!f[i] || f[i]->code_viewport != 1 || f[i]->viewport != 1)
         return false;
   }
   uint32_t all = f[0]->code & f[1]->code & f[2]->code, any = f[0]->code | f[1]->code | f[2]->code;
   if (!all && !(any & OUT_BAD)) {
      if (any & OUT_MUST)
         return false;
      if (f[0]->number && f[1]->number && f[2]->number) {
         bool back = sf_faces_back(r, o, sf_area(&f[0]->at, &f[1]->at, &f[2]->at));
         if (!sf_culled(r, back))
            return false;
         r->clip_out++; /* P3D-203 */
      }
   }
   r->clip_in++; /* P3D-202 */
   return true;
}

/* ---- vertices ---------------------------------------------------------------------------------
 */

#ifdef __x86_64__
#include <immintrin.h>

typedef float four_f __attribute__((vector_size(16)));
typedef int32_t four_i __attribute__((vector_size(16)));
typedef double four_d __attribute__((vector_size(32)));

#define LANES 4u

/* Of a draw. */
struct plan {
   const struct hw_3dstate_clip *clip;
   const struct hw_sf_clip_viewport *vp;
   bool transform;
   double ox, oy; /* of the drawing rectangle */
};

/* Positions of four vertices, turned. */
struct four {
   four_f x, y, z, w;
};

static inline STAGE_VECTORS struct four
load(const struct vertex *v)
{
   __m128 a = _mm_loadu_ps((const float *)(const void *)(v[0].vue + 4)),
          b = _mm_loadu_ps((const float *)(const void *)(v[1].vue + 4)),
          c = _mm_loadu_ps((const float *)(const void *)(v[2].vue + 4)),
          d = _mm_loadu_ps((const float *)(const void *)(v[3].vue + 4));
   _MM_TRANSPOSE4_PS(a, b, c, d);
   return (struct four){(four_f)a, (four_f)b, (four_f)c, (four_f)d};
}

static inline STAGE_VECTORS four_i
out_xy(const struct four *p, float x0, float x1, float y0, float y1)
{
   return ((p->x < x0 * p->w) & 1) | ((p->x > x1 * p->w) & 2) | ((p->y < y0 * p->w) & 4) |
          ((p->y > y1 * p->w) & 8);
}

/* outcode() of clip.c. */
static inline STAGE_VECTORS four_i
codes(const struct plan *plan, const struct four *p)
{
   const struct hw_3dstate_clip *s = plan->clip;
   const struct hw_sf_clip_viewport *vp = plan->vp;
   const four_f zero = {0, 0, 0, 0};
   bool view = s->viewport_xy_clip_test_enable, guard = s->guardband_clip_test_enable;
   four_i bad = (p->x != p->x) | (p->y != p->y) | (p->z != p->z) | (p->w != p->w);
   four_i code = ((four_i)p->w >> 31) & OUT_W, xy = {0, 0, 0, 0}; /* P3D-181 */
   if (view)
      code |= xy = out_xy(p, -1, 1, -1, 1);
   if (guard) {
      xy = out_xy(p, vp->x_min_clip_guardband, vp->x_max_clip_guardband, vp->y_min_clip_guardband,
                  vp->y_max_clip_guardband);
      if (!view)
         code |= xy;
   }
   code |= xy << 6; /* P3D-184 */
   if (s->viewport_z_clip_test_enable)
      code |= ((p->z < (s->api_mode ? zero : -p->w)) & OUT_NEAR) | ((p->z > p->w) & OUT_FAR);
   return (bad & OUT_BAD) | (~bad & code); /* P3D-180 */
}

/* sf_quantise() of sf.c; rounds as rint() does. */
static inline STAGE_VECTORS four_i
quantise(four_f at)
{
   const four_d low = {-32768.0, -32768.0, -32768.0, -32768.0},
                high = {32767.99609375, 32767.99609375, 32767.99609375, 32767.99609375};
   __m256d d = _mm256_cvtps_pd((__m128)at);
   d = _mm256_min_pd(_mm256_max_pd(d, (__m256d)low), (__m256d)high); /* NaN gives the edge */
   return (four_i)_mm256_cvtpd_epi32(_mm256_mul_pd(d, _mm256_set1_pd(SF_GRID)));
}

/* Four doubles of a kind become four of a vertex. */
static inline STAGE_VECTORS void
store(struct vertex_found *f, four_d x, four_d y, four_d z, four_d w)
{
   __m256d a = _mm256_unpacklo_pd((__m256d)x, (__m256d)y),
           b = _mm256_unpackhi_pd((__m256d)x, (__m256d)y),
           c = _mm256_unpacklo_pd((__m256d)z, (__m256d)w),
           d = _mm256_unpackhi_pd((__m256d)z, (__m256d)w);
   _mm256_storeu_pd(&f[0].at.x, _mm256_permute2f128_pd(a, c, 0x20));
   _mm256_storeu_pd(&f[1].at.x, _mm256_permute2f128_pd(b, d, 0x20));
   _mm256_storeu_pd(&f[2].at.x, _mm256_permute2f128_pd(a, c, 0x31));
   _mm256_storeu_pd(&f[3].at.x, _mm256_permute2f128_pd(b, d, 0x31));
}

/* transform() of sf.c: pixels by floats, values between vertices by doubles. */
static inline STAGE_VECTORS four_i
place(const struct plan *plan, const struct four *p, struct vertex_found *f, four_i *qx, four_i *qy)
{
   const struct hw_sf_clip_viewport *vp = plan->vp;
   four_f x = p->x / p->w, y = p->y / p->w, z = p->z / p->w, w = 1.0f / p->w;
   four_d dw = (four_d)_mm256_cvtps_pd((__m128)p->w), rhw = 1.0 / dw,
          dx = (four_d)_mm256_cvtps_pd((__m128)p->x) * rhw,
          dy = (four_d)_mm256_cvtps_pd((__m128)p->y) * rhw,
          dz = (four_d)_mm256_cvtps_pd((__m128)p->z) * rhw;
   if (plan->transform) {
      float m00 = vp->viewport_matrix_element_m00, m11 = vp->viewport_matrix_element_m11,
            m22 = vp->viewport_matrix_element_m22, m30 = vp->viewport_matrix_element_m30,
            m31 = vp->viewport_matrix_element_m31, m32 = vp->viewport_matrix_element_m32;
      x = x * m00 + m30;
      y = y * m11 + m31;
      z = z * m22 + m32;
      dx = dx * (double)m00 + (double)m30;
      dy = dy * (double)m11 + (double)m31;
      dz = dz * (double)m22 + (double)m32;
   }
   four_i number = (x == x) & (y == y) & (z == z) & (w == w);
   *qx = quantise(x + (float)plan->ox); /* P3D-210 */
   *qy = quantise(y + (float)plan->oy);
   store(f, dx + plan->ox, dy + plan->oy, dz, rhw);
   return number;
}

STAGE_VECTORS void
found_find(struct render *r, unsigned first, unsigned end)
{
   const struct plan plan = {.clip = &r->state.clip,
                             .vp = &r->state.viewport[0],
                             .transform = r->state.sf.viewport_transform_enable,
                             .ox = r->state.area.drawing_rectangle_origin_x,
                             .oy = r->state.area.drawing_rectangle_origin_y};
   if (!found_all(r) || !r->vectors || r->vf.vertex[0].vue_slots < 2)
      return;
   for (; first + LANES <= end; first += LANES) { /* a rest is found when it is asked for */
      struct vertex_found *f = &r->found[first];
      struct four p = load(&r->vf.vertex[first]);
      four_i qx, qy, code = codes(&plan, &p), number = place(&plan, &p, f, &qx, &qy);
      for (unsigned i = 0; i < LANES; i++) {
         f[i].code = (uint32_t)code[i];
         f[i].number = number[i] != 0;
         f[i].at.qx = qx[i];
         f[i].at.qy = qy[i];
         f[i].code_viewport = f[i].viewport = 1;
      }
   }
}

#else

void
found_find(struct render *r, unsigned first, unsigned end)
{
   (void)r;
   (void)first;
   (void)end;
}

#endif
