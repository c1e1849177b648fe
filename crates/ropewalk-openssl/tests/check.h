/* What programs of these tests hold things against each other with: a line of whatever is wrong, and how many there were. */
#include <openssl/err.h>
#include <stdio.h>

static int wrong;
/* What is asked in turn, if anything. */
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
