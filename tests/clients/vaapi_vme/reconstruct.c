/* Loaded into an encoding program ahead of libva: after every picture its source is copied to its
 * reconstructed picture, as a coder without loss would leave it. The codec engine, which does that
 * on the chip, is not modelled; without this all references would be black. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

/* The little of libva's interface that is needed, so that its headers are not. */
enum { MPEG2_MAIN = 1 }; /* the last of its profiles */
enum { ENCODE_SLICE = 6 };
enum { ENCODE_PICTURE_PARAMETERS = 23 };
/* Words of the picture parameters that name the reconstructed picture. */
enum { H264_RECONSTRUCTED = 0, MPEG2_RECONSTRUCTED = 2 };
struct image_format {
   uint32_t fourcc, byte_order, bits_per_pixel, depth, masks[4], reserved[4];
};
struct image {
   uint32_t id;
   uint32_t rest[63]; /* more than the structure has */
};
typedef int create_config(void *, int, int, void *, int, uint32_t *);
typedef int create_context(void *, uint32_t, int, int, int, uint32_t *, int, uint32_t *);
typedef int create_buffer(void *, uint32_t, int, unsigned, unsigned, void *, uint32_t *);
typedef int begin_picture(void *, uint32_t, uint32_t);
typedef int end_picture(void *, uint32_t);
typedef int create_image(void *, struct image_format *, int, int, struct image *);
typedef int get_image(void *, uint32_t, int, int, unsigned, unsigned, uint32_t);
typedef int put_image(void *, uint32_t, uint32_t, int, int, unsigned, unsigned, int, int, unsigned,
                      unsigned);
typedef int destroy_image(void *, uint32_t);

/* Found by the program instead of those of libva. */
#define INSTEAD __attribute__((visibility("default")))
INSTEAD create_config vaCreateConfig;
INSTEAD create_context vaCreateContext;
INSTEAD create_buffer vaCreateBuffer;
INSTEAD begin_picture vaBeginPicture;
INSTEAD end_picture vaEndPicture;

#define NONE 0xffffffffu
static uint32_t source, reconstructed = NONE;
static int profile, width, height;

static void *
next(const char *name)
{
   return dlsym(RTLD_NEXT, name);
}

int
vaCreateConfig(void *d, int p, int entry, void *list, int count, uint32_t *id)
{
   create_config *real = next("vaCreateConfig");
   if (entry == ENCODE_SLICE)
      profile = p;
   return real(d, p, entry, list, count, id);
}

int
vaCreateContext(void *d, uint32_t config, int w, int h, int flag, uint32_t *targets, int count,
                uint32_t *id)
{
   create_context *real = next("vaCreateContext");
   width = w;
   height = h;
   return real(d, config, w, h, flag, targets, count, id);
}

int
vaCreateBuffer(void *d, uint32_t c, int type, unsigned size, unsigned count, void *data,
               uint32_t *id)
{
   create_buffer *real = next("vaCreateBuffer");
   if (type == ENCODE_PICTURE_PARAMETERS && data)
      reconstructed =
          ((uint32_t *)data)[profile <= MPEG2_MAIN ? MPEG2_RECONSTRUCTED : H264_RECONSTRUCTED];
   return real(d, c, type, size, count, data, id);
}

int
vaBeginPicture(void *d, uint32_t c, uint32_t target)
{
   begin_picture *real = next("vaBeginPicture");
   source = target;
   return real(d, c, target);
}

static void
copy(void *d)
{
   create_image *create = next("vaCreateImage");
   get_image *get = next("vaGetImage");
   put_image *put = next("vaPutImage");
   destroy_image *destroy = next("vaDestroyImage");
   struct image_format nv12 = {.fourcc = 0x3231564e, .byte_order = 1, .bits_per_pixel = 12};
   unsigned w = (unsigned)width, h = (unsigned)height;
   struct image image;
   if (create(d, &nv12, width, height, &image)) {
      fprintf(stderr, "reconstruct: no image\n");
      return;
   }
   if (get(d, source, 0, 0, w, h, image.id) ||
       put(d, reconstructed, image.id, 0, 0, w, h, 0, 0, w, h))
      fprintf(stderr, "reconstruct: not copied\n");
   destroy(d, image.id);
}

int
vaEndPicture(void *d, uint32_t c)
{
   end_picture *real = next("vaEndPicture");
   int status = real(d, c);
   if (reconstructed != NONE)
      copy(d);
   reconstructed = NONE;
   return status;
}
