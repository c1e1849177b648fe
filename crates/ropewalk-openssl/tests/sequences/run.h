/* One random sequence of calls, made through the module and through OpenSSL's default provider: random choices, the log of
 * calls, each provider's results, and their comparison. */
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The two providers. Every call is made with each of them in turn. */
enum { OURS, THEIRS, SIDES };
static const char *const PROPERTIES[SIDES] = {"provider=ropewalk", "provider=default"};
/* The current one. */
static int turn;
#define EACH(side) for (int side = turn = 0; side < SIDES; turn = ++side)

/* A function that OpenSSL 3.0 lacks. NULL if this library lacks it. */
static int (*digest_squeeze)(EVP_MD_CTX *, unsigned char *, size_t);
static int (*digest_size_ex)(const EVP_MD_CTX *);
static EVP_MD_CTX *(*digest_dup)(const EVP_MD_CTX *);
static EVP_CIPHER_CTX *(*cipher_dup)(const EVP_CIPHER_CTX *);
static int (*cipher_copy)(EVP_CIPHER_CTX *, const EVP_CIPHER_CTX *);
static unsigned long version;

static void find_functions(void) {
    version = OpenSSL_version_num();
    *(void **)&digest_squeeze = dlsym(RTLD_DEFAULT, "EVP_DigestSqueeze");
    *(void **)&digest_size_ex = dlsym(RTLD_DEFAULT, "EVP_MD_CTX_get_size_ex");
    *(void **)&digest_dup = dlsym(RTLD_DEFAULT, "EVP_MD_CTX_dup");
    *(void **)&cipher_dup = dlsym(RTLD_DEFAULT, "EVP_CIPHER_CTX_dup");
    *(void **)&cipher_copy = dlsym(RTLD_DEFAULT, "EVP_CIPHER_CTX_copy");
}

/* ---- Chance. A sequence follows from its seed. */

static uint64_t state;

static void seed(uint64_t from, uint64_t which) {
    state = from * 0x9e3779b97f4a7c15u ^ which * 0xd1342543de82ef95u;
}

static uint32_t chance(uint32_t below) {
    state += 0x9e3779b97f4a7c15u;
    uint64_t mixed = (state ^ state >> 30) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((mixed ^ mixed >> 31) >> 32) % below;
}

#define PICK(array) ((array)[chance(COUNT(array))])
/* Once in `times` calls. */
#define RARELY(times) (chance(times) == 0)

/* Around the block lengths of each algorithm, and the module's buffer for whole messages. */
static size_t any_length(void) {
    static const size_t lengths[] = {0,  1,  2,  7,  8,  9,  12,  13,  15,  16,  17,  20,  23,  24,  31,  32, 33,
                                     40, 47, 48, 49, 63, 64, 65,  71,  72,  80,  100, 103, 104, 111, 112, 127, 128,
                                     129, 135, 136, 137, 143, 144, 167, 168, 169, 200, 255, 256, 257, 300};
    static const size_t long_lengths[] = {512, 1000, 1024, 1350, 2047, 2048, 2049, 4096, 4097};
    return RARELY(12) ? PICK(long_lengths) : PICK(lengths);
}

enum { MOST = 8192 };
static uint8_t text[2 * MOST];

static const uint8_t *any_text(void) { return text + chance(MOST / 2); }

/* ---- The log of calls and results. */

static char calls[1 << 16], call[600], answers[SIDES][1 << 16];
static const char *algorithm;
static int differences, compared;

/* Begins a call. */
__attribute__((format(printf, 1, 2))) static void begin(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(call, sizeof call, format, arguments);
    va_end(arguments);
    EACH(side) answers[side][0] = 0;
    ERR_clear_error();
}

/* Adds to the call. */
__attribute__((format(printf, 1, 2))) static void with(const char *format, ...) {
    size_t len = strlen(call);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(call + len, sizeof call - len, format, arguments);
    va_end(arguments);
}

/* Adds to the result. */
__attribute__((format(printf, 2, 3))) static void say(int side, const char *format, ...) {
    size_t len = strlen(answers[side]);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(answers[side] + len, sizeof answers[side] - len, format, arguments);
    va_end(arguments);
}

/* Whether a call succeeded. Error codes are not compared: each provider has its own. */
static int said(int side, int result) {
    say(side, result > 0 ? "done" : "failed");
    return result > 0;
}

/* All short outputs, and the head and a checksum of long ones. */
static void say_bytes(int side, const uint8_t *bytes, size_t len) {
    uint32_t sum = 0;
    say(side, " %zu:", len);
    for (size_t i = 0; i < len; i++) {
        sum = (sum ^ bytes[i]) * 16777619u;
        if (i < 40)
            say(side, "%02x", bytes[i]);
    }
    if (len > 40)
        say(side, "..%08x", sum);
}

/* A difference that is on purpose. */
struct known {
    /* Patterns of the algorithm's name, of the call, and of the answers. */
    const char *algorithm, *call, *ours, *theirs;
    /* The first version of OpenSSL with it, and the first without it. */
    unsigned long from, before;
    const char *reason;
};
static const struct known *known_difference(void);
static uint64_t sequence;

/* Whether the results agree. After an intended difference the sequence continues with new contexts. */
enum agreement { AGREED, ON_PURPOSE, DIFFERENT };
static enum agreement compare(void) {
    size_t len = strlen(calls);
    compared++;
    if (strcmp(answers[OURS], answers[THEIRS]) == 0) {
        snprintf(calls + len, sizeof calls - len, "  %s: %.200s\n", call, answers[OURS]);
        return AGREED;
    }
    if (known_difference() != NULL) {
        snprintf(calls + len, sizeof calls - len, "  %s: differs on purpose\n", call);
        return ON_PURPOSE;
    }
    differences++;
    printf("%s, sequence %llu\n%s  %s\n    ropewalk %s\n    default  %s\n", algorithm, (unsigned long long)sequence, calls, call,
           answers[OURS], answers[THEIRS]);
    return DIFFERENT;
}

/* ---- Parameters. */

/* A parameter of any type, to be read or to be written. */
struct value {
    union {
        size_t size;
        uint32_t u32;
        int32_t i32;
        uint64_t u64;
        int64_t i64;
        uint8_t bytes[MOST];
        char words[40];
    };
};

enum type { SIZE, U32, I32, U64, I64, OCTETS, WORDS, TYPES };

/* A number of any type that can hold it. */
static OSSL_PARAM number(const char *name, struct value *value, enum type type, uint64_t of) {
    switch (type) {
    case U32:
        value->u32 = of;
        return OSSL_PARAM_construct_uint32(name, &value->u32);
    case I32:
        value->i32 = of;
        return OSSL_PARAM_construct_int32(name, &value->i32);
    case U64:
        value->u64 = of;
        return OSSL_PARAM_construct_uint64(name, &value->u64);
    case I64:
        value->i64 = of;
        return OSSL_PARAM_construct_int64(name, &value->i64);
    default:
        value->size = of;
        return OSSL_PARAM_construct_size_t(name, &value->size);
    }
}

/* Mostly a size, as in programs. */
static enum type any_number_type(void) { return RARELY(3) ? chance(OCTETS) : SIZE; }

static OSSL_PARAM octets(const char *name, const void *bytes, size_t len) {
    return OSSL_PARAM_construct_octet_string(name, (void *)bytes, len);
}

static OSSL_PARAM words(const char *name, const char *text) {
    return OSSL_PARAM_construct_utf8_string(name, (char *)text, 0);
}

/* Room for an answer. */
static OSSL_PARAM room(const char *name, struct value *value, enum type type, size_t size) {
    memset(value, 0xaa, sizeof *value);
    if (type == OCTETS)
        return octets(name, value->bytes, size);
    if (type == WORDS)
        return OSSL_PARAM_construct_utf8_string(name, value->words, sizeof value->words);
    return number(name, value, type, 0);
}

/* Logs the result, if that call succeeded. */
static void say_answer(int side, const OSSL_PARAM *param) {
    if (!OSSL_PARAM_modified(param)) {
        say(side, " %s not written", param->key);
        return;
    }
    say(side, " %s", param->key);
    if (param->data_type == OSSL_PARAM_UTF8_STRING)
        say(side, " %s", (char *)param->data);
    else
        say_bytes(side, param->data, param->return_size);
}

/* Whether a list of parameters has that name. */
static int lists(const OSSL_PARAM *list, const char *name) {
    return list != NULL && OSSL_PARAM_locate_const(list, name) != NULL;
}

/* Logs parameters of the default provider that the module lacks. Those without meaning for the algorithm are omitted. */
static void say_missing(const char *what, const OSSL_PARAM *ours, const OSSL_PARAM *theirs, const char *meaningless) {
    for (; theirs != NULL && theirs->key != NULL; theirs++)
        if (!lists(ours, theirs->key) && strstr(meaningless, theirs->key) == NULL)
            say(THEIRS, " %s %s", what, theirs->key);
}
