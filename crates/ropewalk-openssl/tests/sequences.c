/* Random sequences of calls, legal and illegal, through the module and through OpenSSL's default provider: their results
 * and outputs must agree, except for the list of known differences.
 *
 * Arguments: the first seed, the number of seeds, and a part of an algorithm's name that selects algorithms.
 * Prints each difference with the calls that led to it, and fails then. */
#define _GNU_SOURCE
#include <limits.h>
#include <signal.h>
#include <unistd.h>

#include "sequences/run.h"

#include "sequences/ciphers.h"
#include "sequences/digests.h"
#include "sequences/kdfs.h"
#include "sequences/known.h"
#include "sequences/macs.h"

/* The most differences of one algorithm that are printed. */
enum { MOST_PRINTED = 3 };

/* The algorithms of one operation. */
static void each(const char *wanted, uint64_t first, uint64_t count, const char *name, void (*make)(void)) {
    int before = differences;
    algorithm = name;
    if (strstr(name, wanted) == NULL)
        return;
    for (sequence = first; sequence < first + count && differences < before + MOST_PRINTED; sequence++) {
        uint64_t which = 0;
        for (const char *letter = name; *letter != 0; letter++)
            which = which * 31 + *letter;
        seed(sequence, which);
        calls[0] = 0;
        make();
    }
    fflush(stdout);
}

/* The exit status identifies the provider that has crashed. */
static void crashed(int number) {
    printf("%s, sequence %llu\n%s  %s\n    ropewalk %s\n    default  %s\n    and then signal %d in provider %s\n", algorithm,
           (unsigned long long)sequence, calls, call, answers[OURS], answers[THEIRS], number, turn == THEIRS ? "default" : "ropewalk");
    fflush(stdout);
    _exit(turn == THEIRS ? 4 : 3);
}

int main(int argc, char **argv) {
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1, count = argc > 2 ? strtoull(argv[2], NULL, 10) : 100;
    const char *wanted = argc > 3 ? argv[3] : "";
    find_functions();
    signal(SIGSEGV, crashed);
    signal(SIGABRT, crashed);
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = i * i % 251 + i / 251;
    for (size_t i = 0; i < COUNT(DIGESTS); i++)
        each(wanted, first, count, DIGESTS[i], digest_sequence);
    for (size_t i = 0; i < COUNT(CIPHERS); i++) {
        kind = CIPHERS[i].kind;
        each(wanted, first, count, CIPHERS[i].name, cipher_sequence);
    }
    for (size_t i = 0; i < COUNT(MACS); i++)
        each(wanted, first, count, MACS[i], mac_sequence);
    for (size_t i = 0; i < COUNT(KDFS); i++)
        each(wanted, first, count, KDFS[i], kdf_sequence);
    for (size_t i = 0; i < COUNT(KNOWN); i++)
        printf("%lu times on purpose: %s\n", met[i], KNOWN[i].reason);
    printf("%d calls compared with %s, %d differences\n", compared, OpenSSL_version(OPENSSL_VERSION), differences);
    return differences > 0;
}
