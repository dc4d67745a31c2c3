// A server on loopback for tests in C: robots.txt disallows /private, /moved redirects to /page, /slow never ends.
#ifndef ROBOTRULES_TESTS_BINDINGS_C_SERVER_H
#define ROBOTRULES_TESTS_BINDINGS_C_SERVER_H

#ifdef __cplusplus
extern "C" {
#endif

// Starts the server and returns its port; 0: it could not be started.
unsigned test_server_start(void);
// Waits until the server has got `count` requests for /slow. Returns 0 if they did not come in time.
int test_server_wait_for_slow(unsigned count);
void test_server_stop(void);

#ifdef __cplusplus
}
#endif

#endif
