/* What Swift's runtime asks of libdispatch, on GLib's main loop.

   All tasks of both programs run there (GLibSupport), and none on threads of libdispatch's. A release has this in its place
   (data/build.sh), and with that no second scheduler, 70 KB less that have to be changed before it begins, and none of the
   questions about processors that libdispatch asks of the system then. Builds for tests have the runtime as a library,
   which brings the real one.

   What is called is what DispatchGlobalExecutor.cpp and ExecutorBridge.cpp of Swift 6.3 call. Where another version calls
   more, the release does not link, and the linker says which function is missing. */
#include <glib.h>

typedef struct Queue {
  void *words[16];
} Queue;
typedef void Work(void *context);

/* Objects that are only ever handed on and compared. */
Queue _dispatch_main_q;
Queue _dispatch_queue_attr_concurrent;
Queue _dispatch_source_type_timer;

typedef struct Job {
  Work *work;
  void *context;
} Job;

static gboolean run(gpointer data) {
  Job *job = data;
  job->work(job->context);
  return G_SOURCE_REMOVE;
}

/* A job that belongs to no executor, such as one of a task that was made without saying where it runs. */
void dispatch_async_f(Queue *queue, void *context, Work *work) {
  (void)queue;
  Job *job = g_new(Job, 1);
  *job = (Job){work, context};
  g_idle_add_full(G_PRIORITY_DEFAULT, run, job, g_free);
}

Queue *dispatch_queue_attr_make_with_qos_class(Queue *attributes, unsigned quality, int priority) {
  (void)quality;
  (void)priority;
  return attributes;
}

Queue *dispatch_queue_create(const char *label, Queue *attributes) {
  (void)label;
  (void)attributes;
  return &_dispatch_main_q;
}

void dispatch_queue_set_width(Queue *queue, long width) {
  (void)queue;
  (void)width;
}

/* Nobody sleeps on Swift's own clocks (a test sees to that: `GLibSupport/Pause.swift` waits), and nothing belongs to
   Swift's main actor. */
#define NEVER(function) \
  void function(void) { g_error(#function " was called, which nothing here needs"); }

NEVER(dispatch_activate)
NEVER(dispatch_after_f)
NEVER(dispatch_assert_queue)
NEVER(dispatch_main)
NEVER(dispatch_release)
NEVER(dispatch_set_context)
NEVER(dispatch_source_create)
NEVER(dispatch_source_set_event_handler_f)
NEVER(dispatch_source_set_timer)
NEVER(dispatch_walltime)
