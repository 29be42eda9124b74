/* Pergola: files about what a device did. Public interface, version 0.
 *
 * Traces of events, reports of diagnostics, and the story of EU threads that do not end. Not while
 * the device runs, except where a comment says so.
 */
#ifndef PERGOLA_PERGOLA_TRACE_H
#define PERGOLA_PERGOLA_TRACE_H

#include "pergola/pergola.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- traces -----------------------------------------------------------------------------------
 */

struct pergola_trace;
/* Text, one line an event; Chrome trace JSON for Perfetto: engines, and a track for every thread
 * slot of the EUs, in model time. "-" is standard output, NULL standard
 * error. NULL with errno set on failure. */
PERGOLA_API struct pergola_trace *pergola_trace_text(struct pergola_device *dev, const char *path,
                                                     uint32_t kinds);
PERGOLA_API struct pergola_trace *pergola_trace_perfetto(struct pergola_device *dev,
                                                         const char *path);
/* Completes the file; before the device is destroyed. */
PERGOLA_API void pergola_trace_close(struct pergola_trace *trace);
/* What has been written so far is in the file, and the file is well-formed, though more may follow.
 * At any time. */
PERGOLA_API void pergola_trace_flush(struct pergola_trace *trace);
/* Could anything not be written to it, now or before? NULL: no. At any time. */
PERGOLA_API bool pergola_trace_failed(struct pergola_trace *trace);
/* In the child of a fork: frees it and leaves the file, which is the parent's, alone. */
PERGOLA_API void pergola_trace_disown(struct pergola_trace *trace);
/* "cs,eu,mmio,…" to a mask of kinds; 0 and *bad set on an unknown word. */
#define PERGOLA_TRACE_WORDS                                                                        \
   "all, cs, eu, thread, send, irq, mmio, command, batch, interrupt, dispatch, end, instruction, " \
   "message, memory, wait, vme, surface"
PERGOLA_API uint32_t pergola_trace_kinds(const char *list, const char **bad);

/* Words "kernel=ADDRESS", "thread=ID" and "batch=ADDRESS" of such a list: events of other kernels
 * and threads, and what is done outside of the batch, are left out. With none of the words above
 * they mean "eu". A text trace only. */
struct pergola_trace_filter {
   bool by_kernel, by_thread, by_batch;
   uint64_t kernel, thread, batch;
};
PERGOLA_API uint32_t pergola_trace_list(const char *list, struct pergola_trace_filter *filter,
                                        const char **bad);
PERGOLA_API void pergola_trace_set_filter(struct pergola_trace *trace,
                                          const struct pergola_trace_filter *filter);

/* The text of an instruction from the dwords of its event; returns `text`. */
PERGOLA_API const char *pergola_instruction_text(const struct pergola_device *dev,
                                                 const uint32_t dwords[4], char *text, size_t size);

/* Counts from now on how often each EU instruction is executed, at little cost. 0 or -ENOMEM. */
PERGOLA_API int pergola_count_instructions(struct pergola_device *dev);
struct pergola_instruction_count {
   uint64_t address, count;
   uint32_t dwords[4]; /* the instruction that was there last */
};
/* Calls fn for every instruction that has been executed since, in no order. */
PERGOLA_API void pergola_instruction_counts(struct pergola_device *dev,
                                            void (*fn)(void *data,
                                                       const struct pergola_instruction_count *c),
                                            void *data);

/* ---- performance counters ----------------------------------------------------------------------
 */

/* Counts what is executed from now on, as Ice Lake's performance unit would, and writes a report
 * behind every dispatch: for 'pergola oa'. One at a time. 0 or a negative errno. */
PERGOLA_API int pergola_oa_open(struct pergola_device *dev, const char *path);
/* Could anything not be written to it? At any time. */
PERGOLA_API bool pergola_oa_failed(const struct pergola_device *dev);
/* Completes the file; before the device is destroyed. 0, or -EIO: it could not be written. */
PERGOLA_API int pergola_oa_close(struct pergola_device *dev);

/* ---- rules ------------------------------------------------------------------------------------
 */

/* A rule by its id, in any letter case; *title is its title, if not NULL. The id as it is written,
 * or NULL: there is none. */
PERGOLA_API const char *pergola_rule_find(const char *id, const char **title);

/* ---- reports ----------------------------------------------------------------------------------
 */

enum pergola_report_format { PERGOLA_REPORT_TEXT, PERGOLA_REPORT_JSON, PERGOLA_REPORT_SARIF };
/* Writes every diagnostic to a file ("-": standard error): text, JSON lines, SARIF 2.1. Completed
 * when the device is destroyed. 0 or a negative errno. */
PERGOLA_API int pergola_report_open(struct pergola_device *dev, const char *path,
                                    enum pergola_report_format format);

/* Could anything not be written to them, now or before? */
PERGOLA_API bool pergola_report_failed(struct pergola_device *dev);

/* "memory,race,init" to a mask of enum pergola_sanitize; "all" is every one. 0 and *bad set on an
 * unknown word. */
#define PERGOLA_SANITIZE_WORDS "memory, race, init, all"
PERGOLA_API unsigned pergola_sanitize_kinds(const char *list, const char **bad);

/* What the driver has given the batches that run from now on: ranges of graphics addresses, of the
 * global GTT or else of the process's own, which do not overlap. The sanitizer (memory) names
 * accesses outside all of them; until this is called it knows nothing of objects. The list is
 * copied. 0 or -ENOMEM. */
struct pergola_object {
   uint64_t address, size;
   uint32_t number; /* as the driver calls it */
};
PERGOLA_API int pergola_set_objects(struct pergola_device *dev, bool global,
                                    const struct pergola_object *list, size_t count);

/* Which pages of its own address space (the PPGTT) an engine writes, from its next invalidation of
 * translations on: for who records what a batch does while the host writes memory too. Each call
 * begins anew. 0 or -ENOMEM. */
PERGOLA_API int pergola_watch_writes(struct pergola_device *dev);
PERGOLA_API bool pergola_written(const struct pergola_device *dev, enum pergola_engine engine,
                                 uint64_t address);

/* Calls fn for every distinct diagnostic so far, in the order of their first appearance, with the
 * count that it has now. */
PERGOLA_API void pergola_diagnostics(struct pergola_device *dev, pergola_diagnostic_fn fn,
                                     void *data);

/* ---- why a batch does not end -----------------------------------------------------------------
 */

/* What a thread did while it was watched. */
struct pergola_story_row {
   uint32_t id;
   uint64_t instructions, first, last; /* addresses */
   uint64_t messages;
   uint32_t functions; /* shared functions that they went to, a bit each */
};
#define PERGOLA_STORY_ROWS 64u
struct pergola_story {
   unsigned count, latest;
   struct pergola_story_row row[PERGOLA_STORY_ROWS];
};
/* Runs the device for so many units more and looks at what its threads execute. */
PERGOLA_API enum pergola_run_result pergola_story_watch(struct pergola_device *dev, uint64_t units,
                                                        struct pergola_story *story);
/* Two lines for each of the first threads, "prefix: where it is" and "prefix: what it does", and
 * one that counts the others. Nothing if there are none. `story` may be NULL. */
PERGOLA_API void pergola_story_print(FILE *f, const char *prefix, struct pergola_device *dev,
                                     const struct pergola_story *story);

#ifdef __cplusplus
}
#endif
#endif
