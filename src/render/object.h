/* What travels through the 3D pipeline: vertices in the URB, objects made of them, and the stages
 * that hand objects on. docs/decisions/0011-3d-pipeline.md tells why it is so. */
#ifndef PERGOLA_RENDER_OBJECT_H
#define PERGOLA_RENDER_OBJECT_H

#include "cs/cs.h"

#include <stdbool.h>
#include <stdint.h>

struct render;

#define OBJECT_VERTICES 32u /* of a patch: the most */
#define OBJECTS 256u        /* that one stage hands to the next at once */

/* A vertex. Its entry belongs to the stage that made it, until that stage is asked for more. */
struct vertex {
   uint32_t *vue;      /* dwords of its URB entry: header, position, … (P3D-077) */
   uint16_t handle;    /* of the entry, as threads know it */
   uint16_t vue_slots; /* of 128 bits that may be read behind `vue` */
   bool edge_flag;     /* P3D-057 */
};

enum object_kind { OBJECT_POINT, OBJECT_LINE, OBJECT_TRIANGLE, OBJECT_RECTANGLE, OBJECT_PATCH };

/* One object, its vertices in the order of P3D-063: a strip's triangle k is k, k+1, k+2 whatever
 * its parity. */
struct object {
   uint8_t kind;      /* enum object_kind */
   uint8_t topology;  /* 3DPRIMITIVE's or the stage's that made it: R0.0[5:0] of pixel shaders */
   uint8_t vertices;  /* of v[] */
   uint8_t inner[3];  /* which of v[] are the point, line or triangle: 0 1 2, or those without
                         adjacency */
   uint8_t provoking; /* flat values: an index of inner[] (P3D-221) */
   uint8_t leading;   /* viewport and layer: an index of inner[] (P3D-209) */
   uint8_t edges;     /* triangles: bit i: the edge from inner i to i + 1 is one of the polygon's,
                         and its first vertex has the edge flag; bit 3 + i: that vertex has it */
   bool odd;          /* P3D-214: the winding is the other one */
   bool back;         /* points and lines of the _BF topologies */
   bool last;         /* the last object of its strip (P3D-230) */
   bool first;        /* the first one: counters of line stipple start anew (P3D-236) */
   uint8_t stream;    /* of stream output */
   uint32_t id;       /* PrimitiveID */
   const struct vertex *v[OBJECT_VERTICES];
};

/* The topologies by their short names. */
#define TOPOLOGY(name) name = GEN7_3D_PRIMITIVE_TOPOLOGY_TYPE_##name
enum {
   TOPOLOGY(POINTLIST),
   TOPOLOGY(LINELIST),
   TOPOLOGY(LINESTRIP),
   TOPOLOGY(TRILIST),
   TOPOLOGY(TRISTRIP),
   TOPOLOGY(TRIFAN),
   TOPOLOGY(QUADLIST),
   TOPOLOGY(QUADSTRIP),
   TOPOLOGY(LINELIST_ADJ),
   TOPOLOGY(LINESTRIP_ADJ),
   TOPOLOGY(TRILIST_ADJ),
   TOPOLOGY(TRISTRIP_ADJ),
   TOPOLOGY(TRISTRIP_REVERSE),
   TOPOLOGY(POLYGON),
   TOPOLOGY(RECTLIST),
   TOPOLOGY(LINELOOP),
   TOPOLOGY(POINTLIST_BF),
   TOPOLOGY(LINESTRIP_CONT),
   TOPOLOGY(LINESTRIP_BF),
   TOPOLOGY(LINESTRIP_CONT_BF),
   TOPOLOGY(TRIFAN_NOSTIPPLE),
   TOPOLOGY(PATCHLIST_1),
};
#undef TOPOLOGY

struct object_list {
   unsigned count;
   struct object object[OBJECTS];
};

/* Triangles of a list that are not objects yet: where only clip and setup look at them, most that
 * are not seen never become any. */
struct triangle {
   uint16_t v[3]; /* numbers of its vertices */
   bool first, last;
   uint32_t id;
};

struct triangle_list {
   unsigned count;
   struct triangle triangle[OBJECTS];
};

/* Vertices that become objects of a topology (P3D-063). The list must have room for ASSEMBLY_ROOM
 * more before each vertex; the end of a topology is told (assembly_cut()) before its last object is
 * passed on. */
#define ASSEMBLY_ROOM 4u
struct hw_3dstate_sf;
struct assembly {
   const struct vertex *vertex; /* all of them, by number */
   struct object_list *list;
   struct triangle_list *waiting;  /* triangles behind those of the list, or NULL: none may wait */
   const struct hw_3dstate_sf *sf; /* which vertex provokes */
   uint8_t topology, stream;
   bool numbers;                   /* objects are numbered as they come; else they have … */
   uint32_t id;                    /* … this PrimitiveID */
   uint32_t count;                 /* vertices since the topology began, or was cut */
   uint16_t held[OBJECT_VERTICES]; /* those that it still needs */
   unsigned holds;
   uint32_t objects; /* of the instance, before this topology; and … */
   uint32_t made;    /* … of it */
   uint64_t seen;    /* objects, to be counted */
};

bool topology_known(unsigned topology);
unsigned topology_needs(unsigned topology); /* vertices, at least, to make any object */
void assembly_vertex(struct assembly *a, unsigned number);
/* The same for the next three vertices of a triangle list, if it holds none. They are written to
 * the triangle that it returns, which waits. */
static inline struct triangle *
assembly_triangle(struct assembly *a)
{
   struct triangle *t = &a->waiting->triangle[a->waiting->count++];
   t->first = a->made == 0;
   t->last = false;
   t->id = a->objects + a->made;
   a->made++;
   a->seen++;
   a->count += 3;
   return t;
}
/* Makes objects of the triangles that wait. */
void assembly_objects(struct assembly *a);
/* Objects that the list has, or will have. */
static inline unsigned
assembly_all(const struct assembly *a)
{
   return a->list->count + (a->waiting ? a->waiting->count : 0);
}
void assembly_cut(struct assembly *a);
uint32_t assembly_id(const struct assembly *a);
/* Vertices that it may hold between two: the most. */
unsigned assembly_most_held(const struct assembly *a);

/* A stage between the vertex shader and setup. Stages that are off are not in the chain, and cost
 * nothing.
 *
 * `run` takes all objects of the list, in order, and gives what it makes of them to the next stage
 * (pipe_pass). CS_DONE: all of them went on, and their vertices' entries are not needed any more.
 * CS_AGAIN: the budget has ended; it is called again with the same list, and goes on where it was.
 * CS_ERROR: the engine stops. */
struct pipe_stage {
   const char *name;
   enum cs_result (*run)(struct render *r, struct pipe_stage *self, const struct object_list *in,
                         uint64_t *budget);
   struct pipe_stage *next;
   struct object_list *out; /* NULL: it hands on what came in */
   bool passing;            /* `out` is with the next stage, which has not done yet */
   uint32_t at;             /* the object of `in` that is next */
};

/* Gives the list to the next stage, and empties it. First thing in `run`: if (self->passing). */
enum cs_result pipe_pass(struct render *r, struct pipe_stage *self, struct object_list *out,
                         uint64_t *budget);

#endif
