// Handles that Python owns. Part of the extension module, whose source includes Python.h before.

// Takes an object out of the cyclic garbage collector's hands; only its reference count ends it then. The collector
// ends the objects of ffi.gc() before it calls the finalizers of other objects of a cycle, which may still use the
// handle. The object must be one that the collector tracks. The caller holds the global interpreter lock.
static void untrack(void* object) { PyObject_GC_UnTrack((PyObject*)object); }
