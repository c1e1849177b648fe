/* Checks of these tests' programs: each failure prints its line and is counted. */
#include <openssl/err.h>
#include <stdio.h>

static int wrong;
/* The variable part of the current call, if any. */
static char at[200];
#define CHECK(yes)                                                                                     \
    do {                                                                                               \
        if (!(yes)) {                                                                                  \
            printf("line %d, %s: %s\n", __LINE__, at, #yes);                                           \
            ERR_print_errors_fp(stdout);                                                               \
            wrong++;                                                                                   \
        }                                                                                              \
        ERR_clear_error();                                                                             \
    } while (0)

#define OURS "provider=ropewalk"
#define THEIRS "provider=default"
#define COUNT(array) (sizeof(array) / sizeof *(array))
