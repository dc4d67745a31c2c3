// RulesBase, the base of the Python class Rules: the questions that programs ask most, without the cost of a call
// through cffi. Part of the extension module, whose source includes Python.h and robotrules.h before. DOC_... are
// docstrings of robotrules/_rules_base.py, which is the base where this type cannot be compiled (PyPy).
//
// A question is answered here if its URL is a str or bytes and so short that the call may keep the GIL, and if the
// verdict for check() was made before. The methods _check and _allowed of Rules answer all others, and raise all
// exceptions. Only the stable ABI of CPython 3.9 is used, and two older things that were added to it later.
#ifndef PYPY_VERSION
#include <dlfcn.h>
#include <structmember.h>
#include <time.h>

#ifndef METH_FASTCALL
#define METH_FASTCALL 0x0080  // in CPython since 3.7, in the headers of the stable ABI since 3.10
#endif

enum { recent_count = 4 };
typedef struct {
  uint64_t key;
  PyObject* verdict;
} Recent;

typedef struct {
  PyObject ob_base;
  const robotrules_rules* rules;  // null until _bind()
  Py_ssize_t short_url;           // bytes of the longest URL that is answered here
  PyObject* handle;               // owns the rules; refers to no object of a cycle
  Recent recent[recent_count];    // verdicts of the last questions, each at the place of its key
  PyObject* verdicts;             // dict: the verdicts made, by verdict_key()
} RulesBase;

// Answers a question, or returns null: the Python method has to.
typedef PyObject* Quick(RulesBase* self, const char* url, Py_ssize_t size);
typedef struct {
  Quick* quick;
  const char* otherwise;  // the Python method
} Question;

// PyUnicode_AsUTF8AndSize: in CPython since 3.3, in the stable ABI since 3.10. Null: not found; Python encodes then.
static const char* (*utf8_of)(PyObject* text, Py_ssize_t* size);

// Returns the bytes of a text, which live as long as it does. Null: it is neither bytes nor a str that UTF-8 can have,
// or it has more than `most` characters: a str keeps its bytes, so a long one would take twice the memory.
static const char* bytes_of(PyObject* text, Py_ssize_t most, Py_ssize_t* size) {
  if (PyUnicode_CheckExact(text))
    return utf8_of == NULL || PyUnicode_GetLength(text) > most ? NULL : utf8_of(text, size);
  char* bytes = NULL;
  if (PyBytes_CheckExact(text)) PyBytes_AsStringAndSize(text, &bytes, size);
  return bytes;
}

static PyObject* quick_allowed(RulesBase* self, const char* url, Py_ssize_t size) {
  const int32_t access = robotrules_rules_access(self->rules, url, (size_t)size);
  if (access == ROBOTRULES_ACCESS_UNKNOWN) return NULL;
  PyObject* const answer = access == ROBOTRULES_ACCESS_ALLOWED ? Py_True : Py_False;
  Py_INCREF(answer);
  return answer;
}

// Returns the verdict of this key, or null: it was not made yet.
static PyObject* known_verdict(const RulesBase* self, uint64_t key) {
  PyObject* const number = PyLong_FromUnsignedLongLong(key);
  PyObject* const known = number == NULL ? NULL : PyDict_GetItemWithError(self->verdicts, number);
  Py_XINCREF(known);
  Py_XDECREF(number);
  return known;
}

static PyObject* quick_check(RulesBase* self, const char* url, Py_ssize_t size) {
  robotrules_verdict said;
  if (robotrules_rules_check(self->rules, url, (size_t)size, &said) != ROBOTRULES_OK) return NULL;
  const uint64_t key = verdict_key(&said);
  Recent* const recent = &self->recent[(key ^ key >> 32) % recent_count];
  PyObject* verdict = recent->verdict;
  if (recent->key == key && verdict != NULL) {
    Py_INCREF(verdict);
    return verdict;
  }
  verdict = known_verdict(self, key);
  if (verdict == NULL) return NULL;
  PyObject* const before = recent->verdict;
  *recent = (Recent){key, verdict};
  Py_INCREF(verdict);
  Py_XDECREF(before);  // may call back, and ask this object again
  return verdict;
}

static const Question allowed_question = {quick_allowed, "_allowed"};
static const Question check_question = {quick_check, "_check"};

static PyObject* ask(RulesBase* self, PyObject* url, const Question* question, Py_ssize_t* size) {
  const char* const text = bytes_of(url, self->short_url, size);
  if (text != NULL && *size <= self->short_url && self->rules != NULL) {
    PyObject* const answer = question->quick(self, text, *size);
    if (answer != NULL) return answer;
  }
  PyErr_Clear();
  return PyObject_CallMethod((PyObject*)self, question->otherwise, "(O)", url);
}

static int64_t microseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

// Lets signal handlers and other threads of Python run if none could for a millisecond. Returns -1 with an exception.
static int give_way(int64_t* held_since) {
  if (microseconds_now() - *held_since < 1000) return 0;
  if (PyErr_CheckSignals() != 0) return -1;
  Py_BEGIN_ALLOW_THREADS;
  Py_END_ALLOW_THREADS;
  *held_since = microseconds_now();
  return 0;
}

static PyObject* ask_many(RulesBase* self, PyObject* urls, const Question* question) {
  PyObject* const iterable = PyObject_CallMethod((PyObject*)self, "_iterate", "(O)", urls);
  PyObject* const rest = iterable == NULL ? NULL : PyObject_GetIter(iterable);
  Py_XDECREF(iterable);
  if (rest == NULL) return NULL;
  PyObject* answers = PyList_New(0);
  int64_t held_since = microseconds_now();
  Py_ssize_t before_clock = 0;  // bytes of URLs until the clock is read again
  PyObject* url = NULL;
  while (answers != NULL && (url = PyIter_Next(rest)) != NULL) {
    Py_ssize_t size = 0;
    PyObject* const answer = ask(self, url, question, &size);
    Py_DECREF(url);
    if (answer == NULL || PyList_Append(answers, answer) != 0) Py_CLEAR(answers);
    Py_XDECREF(answer);
    before_clock -= size + 1;
    if (before_clock < 0 && answers != NULL) {
      before_clock = self->short_url < 4096 ? self->short_url : 4096;
      if (give_way(&held_since) != 0) Py_CLEAR(answers);
    }
  }
  Py_DECREF(rest);
  if (PyErr_Occurred() != NULL) Py_CLEAR(answers);
  return answers;
}

// Returns the one argument of a method, which may be passed by its name; null, with an exception: it was not passed.
static PyObject* argument(const char* name, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  const Py_ssize_t named = names == NULL ? 0 : PyTuple_Size(names);
  if (count + named == 1 && (named == 0 || PyUnicode_CompareWithASCIIString(PyTuple_GetItem(names, 0), name) == 0)) {
    return args[0];
  }
  PyErr_Format(PyExc_TypeError, "pass exactly one argument: %s", name);
  return NULL;
}

static PyObject* rules_allowed(RulesBase* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  Py_ssize_t size = 0;
  PyObject* const url = argument("url", args, count, names);
  return url == NULL ? NULL : ask(self, url, &allowed_question, &size);
}

static PyObject* rules_check(RulesBase* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  Py_ssize_t size = 0;
  PyObject* const url = argument("url", args, count, names);
  return url == NULL ? NULL : ask(self, url, &check_question, &size);
}

static PyObject* rules_allowed_many(RulesBase* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  PyObject* const urls = argument("urls", args, count, names);
  return urls == NULL ? NULL : ask_many(self, urls, &allowed_question);
}

static PyObject* rules_check_many(RulesBase* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  PyObject* const urls = argument("urls", args, count, names);
  return urls == NULL ? NULL : ask_many(self, urls, &check_question);
}

static PyObject* rules_bind(RulesBase* self, PyObject* args) {
  PyObject *handle = NULL, *verdicts = NULL;
  unsigned long long address = 0;
  Py_ssize_t short_url = 0;
  if (!PyArg_ParseTuple(args, "OKnO!", &handle, &address, &short_url, &PyDict_Type, &verdicts)) return NULL;
  if (self->rules != NULL) {
    PyErr_SetString(PyExc_RuntimeError, "the object has its rules already");
    return NULL;
  }
  Py_INCREF(handle);
  Py_INCREF(verdicts);
  self->handle = handle;
  self->verdicts = verdicts;
  self->short_url = short_url;
  self->rules = (const robotrules_rules*)(uintptr_t)address;
  Py_RETURN_NONE;
}

static int rules_traverse(RulesBase* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(self->verdicts);
  for (int i = 0; i < recent_count; ++i) Py_VISIT(self->recent[i].verdict);
  return 0;
}

// The dict of verdicts is cleared by itself, and the handle is in no cycle, so the object has its rules until the end.
static int rules_clear(RulesBase* self) {
  for (int i = 0; i < recent_count; ++i) Py_CLEAR(self->recent[i].verdict);
  return 0;
}

static void rules_dealloc(RulesBase* self) {
  PyTypeObject* const type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  rules_clear(self);
  Py_XDECREF(self->verdicts);
  Py_XDECREF(self->handle);
  PyObject_GC_Del(self);
  Py_DECREF(type);
}

#define RULES_QUESTION(name) \
  {#name, (PyCFunction)(void (*)(void))rules_##name, METH_FASTCALL | METH_KEYWORDS, DOC_##name}

static PyMethodDef rules_methods[] = {
    RULES_QUESTION(check),
    RULES_QUESTION(allowed),
    RULES_QUESTION(check_many),
    RULES_QUESTION(allowed_many),
    {"_bind", (PyCFunction)rules_bind, METH_VARARGS, DOC__bind},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef rules_members[] = {
    {"_handle", T_OBJECT_EX, offsetof(RulesBase, handle), READONLY, NULL},
    {"_short", T_PYSSIZET, offsetof(RulesBase, short_url), READONLY, NULL},
    {"_verdicts", T_OBJECT_EX, offsetof(RulesBase, verdicts), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot rules_slots[] = {
    {Py_tp_doc, DOC_RulesBase},
    {Py_tp_methods, rules_methods},
    {Py_tp_members, rules_members},
    {Py_tp_traverse, rules_traverse},
    {Py_tp_clear, rules_clear},
    {Py_tp_dealloc, rules_dealloc},
    {0, NULL},
};

static PyType_Spec rules_spec = {"robotrules._native.RulesBase", sizeof(RulesBase), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, rules_slots};

// Adds the type to the module that cffi makes.
static PyObject* with_rules_base(PyObject* module) {
  *(void**)&utf8_of = dlsym(RTLD_DEFAULT, "PyUnicode_AsUTF8AndSize");
  PyObject* const type = module == NULL ? NULL : PyType_FromSpec(&rules_spec);
  if (type != NULL && PyModule_AddObject(module, "RulesBase", type) == 0) return module;
  Py_XDECREF(type);
  Py_XDECREF(module);
  return NULL;
}
#endif
