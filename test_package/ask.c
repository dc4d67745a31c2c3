/* A program in C of a user of the package: the header and the library are of one version. */
#include <robotrules.h>
#include <stdio.h>

int main(void) {
  printf("librobotrules.so has the parts %u\n", (unsigned)robotrules_features());
  return robotrules_c_api() == ROBOTRULES_C_API ? 0 : 1;
}
