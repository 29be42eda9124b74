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

/* What is known of a vertex. There is one viewport, so that its bytes are 0 or 1. */
enum { KNOWN = 0x0101, NUMBER = 0x010000 };

static inline uint32_t
marks(const struct vertex_found *f)
{
   return f->code_viewport | (uint32_t)f->viewport << 8 | (uint32_t)f->number << 16 |
          (uint32_t)f->none << 24;
}

/* SEEN: it may be, or has to be clipped, and takes the slow path. */
enum fate { SEEN, UNSEEN, CULLED };

/* Which faces are culled. */
struct faces {
   bool clockwise, other, none; /* by the sign of the area; none: it is 0 */
};

static struct faces
culled_faces(const struct render *r, bool odd)
{
   return (struct faces){.clockwise = sf_culled(r, sf_faces_back(r, odd, 1)),
                         .other = sf_culled(r, sf_faces_back(r, odd, -1)),
                         .none = sf_culled(r, sf_faces_back(r, odd, 0))};
}

/* Of a triangle, by its vertices. */
static inline enum fate
fate_of(const struct vertex_found *a, const struct vertex_found *b, const struct vertex_found *c,
        struct faces culled)
{
   uint32_t known = marks(a) & marks(b) & marks(c), all = a->code & b->code & c->code,
            any = a->code | b->code | c->code;
   if ((known & KNOWN) != KNOWN)
      return SEEN;
   if (all || any & OUT_BAD)
      return UNSEEN;
   if (any & OUT_MUST)
      return SEEN;
   if (!(known & NUMBER))
      return UNSEEN;
   int64_t area = sf_area(a->qx, a->qy, b->qx, b->qy, c->qx, c->qy);
   return (area > 0 ? culled.clockwise : area < 0 ? culled.other : culled.none) ? CULLED : SEEN;
}

bool
found_dropped(struct render *r, const struct object *o)
{
   const struct vertex_found *f[3];
   if (o->kind != OBJECT_TRIANGLE)
      return false;
   for (unsigned i = 0; i < 3; i++)
      if (!(f[i] = render_found(r, o->v[o->inner[i]])))
         return false;
   enum fate fate = fate_of(f[0], f[1], f[2], culled_faces(r, o->odd));
   r->clip_in += fate != SEEN;    /* P3D-202 */
   r->clip_out += fate == CULLED; /* P3D-203 */
   return fate != SEEN;
}

void
found_drop(struct render *r)
{
   struct triangle_list *l = &r->waiting;
   const struct vertex_found *found = r->found;
   const struct faces culled = culled_faces(r, false);
   unsigned kept = 0, out = 0;
   for (unsigned i = 0; i < l->count; i++) {
      struct triangle *t = &l->triangle[i];
      enum fate fate = fate_of(&found[t->v[0]], &found[t->v[1]], &found[t->v[2]], culled);
      out += fate == CULLED;
      if (fate == SEEN)
         l->triangle[kept++] = *t;
   }
   r->clip_in += l->count - kept;
   r->clip_out += out;
   l->count = kept;
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
store(double (*to)[4], four_d x, four_d y, four_d z, four_d w)
{
   __m256d a = _mm256_unpacklo_pd((__m256d)x, (__m256d)y),
           b = _mm256_unpackhi_pd((__m256d)x, (__m256d)y),
           c = _mm256_unpacklo_pd((__m256d)z, (__m256d)w),
           d = _mm256_unpackhi_pd((__m256d)z, (__m256d)w);
   _mm256_storeu_pd(to[0], _mm256_permute2f128_pd(a, c, 0x20));
   _mm256_storeu_pd(to[1], _mm256_permute2f128_pd(b, d, 0x20));
   _mm256_storeu_pd(to[2], _mm256_permute2f128_pd(a, c, 0x31));
   _mm256_storeu_pd(to[3], _mm256_permute2f128_pd(b, d, 0x31));
}

_Static_assert(sizeof(struct vertex_found) == 16 && offsetof(struct vertex_found, code) == 8 &&
                   offsetof(struct vertex_found, code_viewport) == 12 &&
                   offsetof(struct vertex_found, number) == 14,
               "store_found() writes it as four dwords");

static inline STAGE_VECTORS void
store_found(struct vertex_found *f, four_i qx, four_i qy, four_i code, four_i number)
{
   __m128 a = (__m128)qx, b = (__m128)qy, c = (__m128)code, d = (__m128)(KNOWN | (number & NUMBER));
   _MM_TRANSPOSE4_PS(a, b, c, d);
   _mm_storeu_ps((float *)&f[0], a);
   _mm_storeu_ps((float *)&f[1], b);
   _mm_storeu_ps((float *)&f[2], c);
   _mm_storeu_ps((float *)&f[3], d);
}

/* transform() of sf.c: pixels by floats, values between vertices by doubles. */
static inline STAGE_VECTORS four_i
place(const struct plan *plan, const struct four *p, double (*to)[4], four_i *qx, four_i *qy)
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
   store(to, dx + plan->ox, dy + plan->oy, dz, rhw);
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
      struct four p = load(&r->vf.vertex[first]);
      four_i qx, qy, code = codes(&plan, &p), number = place(&plan, &p, &r->place[first], &qx, &qy);
      store_found(&r->found[first], qx, qy, code, number);
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
