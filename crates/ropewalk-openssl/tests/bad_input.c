/* Wrong calls of programs: their results must be the same with the module and with OpenSSL's own provider.
 * Prints differences and other errors, and fails then. The folder of the module is the second argument; with a third
 * one, OpenSSL's own provider is not called. */
#define _GNU_SOURCE
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int wrong;
#define CHECK(yes)                                                                                     \
    do {                                                                                               \
        if (!(yes)) {                                                                                  \
            printf("line %d: %s\n", __LINE__, #yes);                                                   \
            ERR_print_errors_fp(stdout);                                                               \
            wrong++;                                                                                   \
        }                                                                                              \
        ERR_clear_error();                                                                             \
    } while (0)

#define OURS "provider=ropewalk"
#define THEIRS "provider=default"
#define COUNT(array) (sizeof(array) / sizeof *(array))

static uint8_t text[1 << 16], key[64], iv[1 << 20];

enum kind { STREAM, BLOCKS, AEAD, CCM, XTS, WRAP, RECORDS };
struct cipher {
    const char *name;
    enum kind kind;
};
static const struct cipher CIPHERS[] = {
    {"AES-128-ECB", BLOCKS},
    {"AES-256-CBC", BLOCKS},
    {"AES-192-CTR", STREAM},
    {"ChaCha20", STREAM},
    {"AES-128-GCM", AEAD},
    {"ChaCha20-Poly1305", AEAD},
    {"AES-256-CCM", CCM},
    {"AES-128-XTS", XTS},
    {"AES-192-WRAP", WRAP},
    {"AES-256-WRAP-PAD", WRAP},
    {"AES-128-CBC-HMAC-SHA1", RECORDS},
    {"AES-256-CBC-HMAC-SHA256", RECORDS},
};

/* ---- Calls of each provider, and the log of their results. */

static FILE *written;
static const char *who, *doing;
/* The variable part of the current call. */
static char at[100];
#define AT(...) snprintf(at, sizeof at, __VA_ARGS__)

/* Logs the result of a call and its errors in the queue: those of providers, and those that OpenSSL raises before them. */
static void note(int line, const char *call, long result) {
    unsigned long error;
    fprintf(written, "%d %s%s: %s = %ld", line, doing, at, call, result);
    while ((error = ERR_get_error()) != 0) {
        const char *reason = ERR_reason_error_string(error);
        fprintf(written, " [%s]", reason == NULL ? "?" : reason);
    }
    fputc('\n', written);
}
#define TRY(call) note(__LINE__, #call, (call))

static void note_bytes(const uint8_t *bytes, int len) {
    fprintf(written, "%s%s: %d bytes", doing, at, len);
    for (int i = 0; i < len; i++)
        fprintf(written, " %02x", bytes[i]);
    fputc('\n', written);
}

/* Known differences: the module refuses more than OpenSSL's own provider. */
static int is_known(const char *what, const char *ours) {
    int chacha = strstr(ours, "ChaCha20-Poly1305") != NULL, ccm = strstr(ours, "AES-256-CCM") != NULL;
    /* The module refuses numbers that are not integers, and checks lengths of keys that cannot be set. */
    if (strstr(ours, " type 6") != NULL || strstr(ours, "keylen type") != NULL)
        return 1;
    /* Some of OpenSSL's ciphers have no padding, and do not report it. */
    if (strcmp(what, "answers") == 0 && strstr(ours, "padding type") != NULL)
        return 1;
    /* OpenSSL gives the length of an initialization vector if a number is requested. */
    if (strcmp(what, "answers") == 0 && strstr(ours, "iv type") != NULL && strstr(ours, "type 3") == NULL)
        return 1;
    /* Some do not report theirs, and AES-CCM reports more. */
    if (strcmp(what, "answers") == 0 && strstr(ours, "iv type") != NULL && strstr(ours, "GCM") == NULL
        && strstr(ours, "CBC") == NULL && strstr(ours, "CTR") == NULL)
        return 1;
    /* A tag before the end is zeros with OpenSSL's ChaCha20-Poly1305. Ours also returns pointers to tags. */
    if (strcmp(what, "answers") == 0 && strstr(ours, "tag type") != NULL && (chacha || strstr(ours, "type 7") != NULL))
        return 1;
    /* A record of TLS has 2^14 bytes at most. */
    if (strcmp(what, "records") == 0 && strstr(ours, "[invalid input length]") != NULL)
        return 1;
    /* OpenSSL's ChaCha20-Poly1305 has a key of zeros until one is set. */
    if (chacha && (strcmp(what, "missing keys") == 0 || strcmp(what, "out of order") == 0))
        return 1;
    /* OpenSSL opens a message without a tag; and the end of its AES-CCM always succeeds, even after a forged message. */
    if ((chacha || ccm) && strstr(ours, "[tag not set]") != NULL)
        return 1;
    if (ccm && (strstr(ours, ": result = 0") != NULL || strcmp(what, "out of order") == 0))
        return 1;
    /* OpenSSL reports tags of 0 bytes until one is set. */
    if (chacha && (strstr(ours, "get_tag_length") != NULL || strstr(ours, "taglen") != NULL))
        return 1;
    /* OpenSSL 3.0 wraps two keys by one context, and ends SHAKE twice. */
    if (strstr(ours, "[update call out of order]") != NULL || strstr(ours, "[final call out of order]") != NULL)
        return 1;
    /* Since OpenSSL 3.4, its SHAKE has no default length, and 0 bytes are requested of others. */
    if (strcmp(what, "digests") == 0 && OpenSSL_version_num() >= 0x30400000L
        && (strstr(ours, "SHAKE") != NULL || strstr(ours, "FinalXOF(state, out, 0)") != NULL))
        return 1;
    /* OpenSSL's SHA-1 accepts any parameter, and gives its digest if another length is requested. */
    return strcmp(what, "digests") == 0 && strstr(ours, "SHA1") != NULL;
}

/* Whether only the module runs, under memory checks: OpenSSL's own provider reads uninitialized memory. */
static int alone;

static void compare(const char *what, void (*scenario)(void)) {
    char *logs[2], *places[2];
    for (int i = 0; i < 2; i++) {
        size_t size;
        who = i == 0 ? OURS : THEIRS;
        written = open_memstream(&logs[i], &size);
        ERR_clear_error();
        at[0] = 0;
        scenario();
        fclose(written);
        places[i] = logs[i];
        if (alone) {
            free(logs[i]);
            return;
        }
    }
    int lines = 0, same = 1;
    while (*places[0] != '\0' && *places[1] != '\0') {
        char *ours = strsep(&places[0], "\n"), *theirs = strsep(&places[1], "\n");
        const char *results[2] = {strstr(ours, " = "), strstr(theirs, " = ")};
        lines++;
        if (results[0] == NULL || results[1] == NULL) {
            /* The logs; a call that only one of them made was reported before. */
            if (same && strcmp(ours, theirs) != 0 && !is_known(what, ours)) {
                printf("%s: other bytes\n  ropewalk %s\n  default  %s\n", what, ours, theirs);
                wrong++;
            }
        } else {
            /* Each provider has its own error texts. */
            long numbers[2] = {atol(results[0] + 3), atol(results[1] + 3)};
            same = numbers[0] == numbers[1] || (numbers[0] <= 0 && numbers[1] <= 0);
            if (same || is_known(what, ours))
                continue;
            printf("%s\n  ropewalk %s\n  default  %s\n", what, ours, theirs);
            wrong++;
        }
    }
    CHECK(*places[0] == '\0' && *places[1] == '\0');
    CHECK(lines > 0);
    free(logs[0]);
    free(logs[1]);
}

/* For each cipher, in both directions, with a new context. */
static const struct cipher *cipher_;
static EVP_CIPHER *fetched;
static int way;
static EVP_CIPHER_CTX *context;
static uint8_t out[1 << 17];
static int len;

static void renew(void) {
    EVP_CIPHER_CTX_free(context);
    context = EVP_CIPHER_CTX_new();
    EVP_CIPHER_CTX_set_flags(context, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
    memset(out, 0xaa, 256);
    len = -77;
}

static void for_each(void (*scenario)(void)) {
    for (size_t i = 0; i < COUNT(CIPHERS); i++) {
        cipher_ = &CIPHERS[i];
        fetched = EVP_CIPHER_fetch(NULL, cipher_->name, who);
        if (fetched == NULL) {
            /* OpenSSL has the stitched ciphers for some processors only. */
            CHECK(cipher_->kind == RECORDS && who[9] == 'd');
            continue;
        }
        /* Ours has them for all, and runs without a comparison there. */
        EVP_CIPHER *theirs = EVP_CIPHER_fetch(NULL, cipher_->name, THEIRS);
        FILE *compared = written;
        if (theirs == NULL)
            written = fopen("/dev/null", "w");
        ERR_clear_error();
        for (way = 0; way < 2; way++) {
            char words[100];
            snprintf(words, sizeof words, "%s %s", cipher_->name, way ? "encrypts" : "decrypts");
            doing = words;
            at[0] = 0;
            renew();
            scenario();
            renew();
        }
        if (theirs == NULL)
            fclose(written);
        written = compared;
        EVP_CIPHER_free(theirs);
        EVP_CIPHER_free(fetched);
    }
    EVP_CIPHER_CTX_free(context);
    context = NULL;
}

static void begin(void) {
    TRY(EVP_CipherInit_ex2(context, fetched, key, iv, way, NULL));
}

/* The output for a text, in whole blocks, and the result at the end of the message. */
static void go_on(int size) {
    int result = EVP_CipherUpdate(context, out, &len, text, size);
    TRY(result);
    note_bytes(out, result <= 0 ? 0 : len < 64 ? len : 64);
    result = EVP_CipherFinal_ex(context, out, &len);
    TRY(result);
    note_bytes(out, result <= 0 ? 0 : len);
}

static void missing_keys(void) {
    TRY(EVP_CipherUpdate(context, out, &len, text, 32));
    TRY(EVP_CipherFinal_ex(context, out, &len));
    TRY(EVP_CipherInit_ex2(context, NULL, key, iv, way, NULL));
    TRY(EVP_CipherInit_ex2(context, fetched, NULL, NULL, way, NULL));
    /* OpenSSL's own key wrap crashes. */
    if (cipher_->kind == WRAP)
        return;
    go_on(32);
    renew();
    TRY(EVP_CipherInit_ex2(context, fetched, NULL, iv, way, NULL));
    go_on(32);
    TRY(EVP_Cipher(context, out, text, 32));
    renew();
    TRY(EVP_CipherInit_ex2(context, fetched, key, NULL, way, NULL));
    /* Sealing without a nonce generates a random one. */
    if (cipher_->kind != AEAD || !way)
        go_on(32);
}

static void out_of_order(void) {
    begin();
    TRY(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, out));
    go_on(64);
    TRY(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, out));
    TRY(EVP_CipherFinal_ex(context, out, &len));
    TRY(EVP_CipherUpdate(context, out, &len, text, 64));
    if (cipher_->kind == AEAD || cipher_->kind == CCM)
        TRY(EVP_CipherUpdate(context, NULL, &len, text, 5));
    TRY(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, text));
    TRY(EVP_CipherFinal_ex(context, out, &len));
    /* Additional data after a text. */
    renew();
    begin();
    TRY(EVP_CipherUpdate(context, out, &len, text, 64));
    if (cipher_->kind == AEAD || cipher_->kind == CCM)
        TRY(EVP_CipherUpdate(context, NULL, &len, text, 5) >= 0);
    /* The other direction in the middle of a message, which for others is undefined without a key. */
    TRY(EVP_CipherInit_ex2(context, NULL, NULL, NULL, !way, NULL));
    if (cipher_->kind == STREAM)
        TRY(EVP_CipherUpdate(context, out, &len, text, 64));
    /* A new key, a new nonce, in turn. */
    renew();
    TRY(EVP_CipherInit_ex2(context, fetched, NULL, NULL, way, NULL));
    TRY(EVP_CipherInit_ex2(context, NULL, NULL, iv, way, NULL));
    TRY(EVP_CipherInit_ex2(context, NULL, key, NULL, way, NULL));
    go_on(64);
}

/* Values of every type under every name. */
enum { TYPES = 9 };
static OSSL_PARAM typed(const char *name, int type, size_t number) {
    static int32_t i32;
    static uint64_t u64;
    static uint8_t u8;
    static uint16_t u16;
    static double real;
    static uint8_t octets[64];
    static char words[20];
    static void *pointer;
    i32 = number, u64 = number, u8 = number, u16 = number, real = number, pointer = octets;
    snprintf(words, sizeof words, "%zu", number);
    OSSL_PARAM all[TYPES] = {
        OSSL_PARAM_construct_int32(name, &i32),
        OSSL_PARAM_construct_uint64(name, &u64),
        OSSL_PARAM_construct_utf8_string(name, words, 0),
        OSSL_PARAM_construct_octet_string(name, octets, number),
        {name, OSSL_PARAM_UNSIGNED_INTEGER, &u8, 1, OSSL_PARAM_UNMODIFIED},
        {name, OSSL_PARAM_UNSIGNED_INTEGER, &u16, 2, OSSL_PARAM_UNMODIFIED},
        OSSL_PARAM_construct_double(name, &real),
        OSSL_PARAM_construct_octet_ptr(name, &pointer, number),
        {name, 77, octets, number, OSSL_PARAM_UNMODIFIED},
    };
    return all[type];
}

static void wrong_types(void) {
    static const char *const names[] = {"keylen", "ivlen", "padding", "tag", "tlsaad", "tlsivfixed",
                                        "tlsivinv", "mackey", "nonsense"};
    static const size_t numbers[] = {0, 1, 4, 12, 13, 16, 32};
    for (size_t i = 0; i < COUNT(names); i++)
        for (int type = 0; type < TYPES; type++)
            for (size_t j = 0; j < COUNT(numbers); j++) {
                OSSL_PARAM params[] = {typed(names[i], type, numbers[j]), OSSL_PARAM_END};
                AT(", %s type %d of %zu", names[i], type, numbers[j]);
                /* OpenSSL's own provider writes past its nonce if the fixed part is longer. */
                if (strncmp(names[i], "tlsiv", 5) == 0 && numbers[j] > 12)
                    continue;
                renew();
                begin();
                TRY(EVP_CIPHER_CTX_set_params(context, params));
                renew();
                TRY(EVP_CipherInit_ex2(context, fetched, key, iv, way, params) > 0);
            }
}

/* Logs a parameter, if the call succeeded. */
static void note_answer(int result, const OSSL_PARAM *param) {
    TRY(result);
    int answered = result > 0 && param->return_size != OSSL_PARAM_UNMODIFIED && param->data_type != OSSL_PARAM_OCTET_PTR;
    note_bytes(param->data, answered ? param->return_size : 0);
}

static void answers(void) {
    static const char *const names[] = {"keylen", "ivlen", "padding", "iv", "updated-iv", "tag", "taglen",
                                        "tlsaadpad", "mode", "blocksize", "nonsense"};
    for (int asked = 0; asked < 3; asked++) {
        for (size_t i = 0; i < COUNT(names); i++)
            for (int type = 0; type < TYPES; type++) {
                OSSL_PARAM params[] = {typed(names[i], type, 16), OSSL_PARAM_END};
                renew();
                begin();
                if (asked > 0)
                    TRY(EVP_CipherUpdate(context, out, &len, text, 64));
                if (asked > 1)
                    TRY(EVP_CipherFinal_ex(context, out, &len));
                AT(", %s type %d", names[i], type);
                note_answer(EVP_CIPHER_CTX_get_params(context, params), params);
                params[0] = typed(names[i], type, 4);
                note_answer(EVP_CIPHER_CTX_get_params(context, params), params);
                params[0] = typed(names[i], type, 16);
                /* OpenSSL's own provider expects a number that is not an integer there, and a tag. */
                if (type != 6 && strcmp(names[i], "tag") != 0)
                    params[0].data = NULL;
                TRY(EVP_CIPHER_CTX_get_params(context, params));
                params[0] = typed(names[i], type, 16);
                note_answer(EVP_CIPHER_get_params(fetched, params), params);
            }
    }
}

static void lengths(void) {
    static const int ivs[] = {0, 1, 6, 7, 8, 11, 12, 13, 14, 16, 17, 64, 128, 129, 1 << 20, -1};
    static const int tags[] = {0, 1, 3, 4, 5, 8, 12, 14, 15, 16, 17, 1000, -1};
    static const int keys[] = {0, 1, 15, 16, 24, 32, 33, 64, 65, 1000, -1};
    for (size_t i = 0; i < COUNT(ivs); i++) {
        renew();
        TRY(EVP_CipherInit_ex2(context, fetched, NULL, NULL, way, NULL));
        AT(", nonce of %d", ivs[i]);
        TRY(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, ivs[i], NULL));
        TRY(EVP_CIPHER_CTX_get_iv_length(context));
        TRY(EVP_CipherInit_ex2(context, NULL, key, iv, way, NULL));
        go_on(64);
    }
    for (size_t i = 0; i < COUNT(tags); i++)
        for (int given = 0; given < 2; given++) {
            renew();
            TRY(EVP_CipherInit_ex2(context, fetched, NULL, NULL, way, NULL));
            AT(", tag of %d, given %d", tags[i], given);
            TRY(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, tags[i], given ? iv : NULL));
            TRY(EVP_CIPHER_CTX_get_tag_length(context));
            TRY(EVP_CipherInit_ex2(context, NULL, key, iv, way, NULL));
            go_on(64);
            TRY(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, tags[i], out));
        }
    for (size_t i = 0; i < COUNT(keys); i++) {
        renew();
        TRY(EVP_CipherInit_ex2(context, fetched, NULL, NULL, way, NULL));
        AT(", key of %d", keys[i]);
        TRY(EVP_CIPHER_CTX_set_key_length(context, keys[i]));
    }
}

static void nothing(void) {
    for (int size = 0; size < 2; size++) {
        renew();
        begin();
        TRY(EVP_CipherUpdate(context, out, &len, text, 0));
        TRY(EVP_CipherUpdate(context, out, &len, NULL, 0));
        TRY(EVP_CipherFinal_ex(context, out, &len));
        renew();
        begin();
        TRY(EVP_Cipher(context, NULL, NULL, 0) >= 0);
        TRY(EVP_Cipher(context, out, text, 0));
        renew();
        begin();
        TRY(EVP_CipherFinal_ex(context, out, &len));
    }
    /* No output: additional data for some, no effect for others. */
    renew();
    begin();
    if (cipher_->kind == AEAD || cipher_->kind == CCM || cipher_->kind == WRAP) {
        TRY(EVP_CipherUpdate(context, NULL, &len, text, 64));
        TRY(len);
        /* Some take it as the end. */
        if (cipher_->kind != AEAD)
            TRY(EVP_CipherUpdate(context, NULL, &len, NULL, 64));
        go_on(64);
    }
}

static void wrong_tags(void) {
    if (cipher_->kind != AEAD && cipher_->kind != CCM)
        return;
    uint8_t sealed[100], tag[16];
    EVP_CIPHER_CTX *seals = EVP_CIPHER_CTX_new();
    TRY(EVP_EncryptInit_ex2(seals, fetched, NULL, NULL, NULL));
    TRY(EVP_CIPHER_CTX_ctrl(seals, EVP_CTRL_AEAD_SET_IVLEN, 12, NULL));
    TRY(EVP_CIPHER_CTX_ctrl(seals, EVP_CTRL_AEAD_SET_TAG, 16, NULL));
    TRY(EVP_EncryptInit_ex2(seals, NULL, key, iv, NULL));
    TRY(EVP_EncryptUpdate(seals, sealed, &len, text, 100));
    TRY(EVP_EncryptFinal_ex(seals, out, &len));
    TRY(EVP_CIPHER_CTX_ctrl(seals, EVP_CTRL_AEAD_GET_TAG, 16, tag));
    note_bytes(tag, 16);
    EVP_CIPHER_CTX_free(seals);
    for (int bit = -1; bit < 128; bit += 9)
        for (int size = 16; size >= 4; size -= 4) {
            renew();
            TRY(EVP_DecryptInit_ex2(context, fetched, NULL, NULL, NULL));
            TRY(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, 12, NULL));
            if (bit >= 0)
                tag[bit / 8] ^= 1 << bit % 8;
            TRY(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, size, tag));
            if (bit >= 0)
                tag[bit / 8] ^= 1 << bit % 8;
            TRY(EVP_DecryptInit_ex2(context, NULL, key, iv, NULL));
            int result = EVP_DecryptUpdate(context, out, &len, sealed, 100);
            if (cipher_->kind == AEAD) {
                TRY(result);
                result = EVP_DecryptFinal_ex(context, out, &len);
                CHECK(result == (bit < 0 || bit >= size * 8));
                /* Programs recognize a forged message by the empty queue. */
                CHECK(ERR_peek_error() == 0);
            } else {
                TRY(result);
                CHECK((result > 0) == (bit < 0 && size == 16));
            }
        }
    renew();
    TRY(EVP_DecryptInit_ex2(context, fetched, key, iv, NULL));
    TRY(EVP_DecryptUpdate(context, out, &len, sealed, 100));
    TRY(EVP_DecryptFinal_ex(context, out, &len));
}

static void aad_of(uint8_t aad[13], int version, int size) {
    static const uint8_t start[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    memcpy(aad, start, 8);
    aad[8] = 23, aad[9] = version >> 8, aad[10] = version, aad[11] = size >> 8, aad[12] = size;
}

/* TLS records of every length, also with another length in the header. */
static void records(void) {
    if (cipher_->kind != AEAD && cipher_->kind != CCM && cipher_->kind != RECORDS)
        return;
    static const int versions[] = {0x0301, 0x0302, 0x0303, 0xfefd, 0};
    static const int sizes[] = {0, 1, 7, 8, 15, 16, 17, 23, 24, 25, 31, 32, 36, 37, 40, 48, 52, 53, 64, 80, 96,
                                100, 112, 272, 304, 1000, 1024, 16384};
    static const int shifts[] = {-64, -16, -8, -1, 0, 1, 16};
    uint8_t aad[20] = {0};
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (size_t j = 0; j < COUNT(shifts); j++)
            for (size_t k = 0; k < COUNT(versions); k++) {
                if (cipher_->kind != RECORDS && k != 2)
                    continue;
                int told = sizes[i] + shifts[j];
                if (told < 0)
                    continue;
                renew();
                TRY(EVP_CipherInit_ex2(context, fetched, NULL, NULL, way, NULL));
                TRY(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, 12, NULL));
                TRY(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, NULL));
                TRY(EVP_CipherInit_ex2(context, NULL, key, iv, way, NULL));
                if (cipher_->kind == RECORDS)
                    TRY(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_MAC_KEY, 20, text));
                else if (cipher_->kind == AEAD && strncmp(cipher_->name, "AES", 3) == 0)
                    TRY(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IV_FIXED, -1, iv));
                else if (cipher_->kind == AEAD)
                    TRY(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IV_FIXED, 12, iv));
                else
                    TRY(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IV_FIXED, 4, iv));
                aad_of(aad, versions[k], told);
                AT(", record of %d, told %d", sizes[i], told);
                int pad = EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_TLS1_AAD, 13, aad);
                TRY(pad);
                /* Only a caller that ignores the result would continue. */
                if (pad <= 0)
                    continue;
                memcpy(out, text, sizes[i] + 256);
                int result = EVP_Cipher(context, out, out, sizes[i]);
                TRY(result);
                note_bytes(out, result < 0 ? 0 : result < 100 ? result : 100);
                /* As in libssl: a sealed record is longer than the text by `pad`. */
                if (!way || pad <= 0)
                    continue;
                aad_of(aad, versions[k], told);
                TRY(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_TLS1_AAD, 13, aad));
                memcpy(out, text, sizes[i] + 256);
                int extra = cipher_->kind == AEAD && strncmp(cipher_->name, "AES", 3) != 0 ? 16 : pad;
                result = EVP_Cipher(context, out, out, told + extra);
                TRY(result);
                note_bytes(out, result < 0 ? 0 : result < 100 ? result : 100);
                /* Not in place, and without a header. */
                aad_of(aad, versions[k], told);
                TRY(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_TLS1_AAD, 13, aad));
                if (cipher_->kind != RECORDS)
                    TRY(EVP_Cipher(context, out, text, told + extra));
            }
    for (int size = 0; size <= 20; size++) {
        renew();
        begin();
        TRY(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_TLS1_AAD, size, aad) > 0);
        if (cipher_->kind == RECORDS || size > 12)
            continue;
        TRY(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IV_FIXED, size, aad) > 0);
        if (cipher_->kind == AEAD) {
            TRY(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_IV_INV, size, aad) > 0);
            TRY(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_IV_GEN, size, out) > 0);
        }
    }
}

static void for_missing_keys(void) { for_each(missing_keys); }
static void for_out_of_order(void) { for_each(out_of_order); }
static void for_wrong_types(void) { for_each(wrong_types); }
static void for_answers(void) { for_each(answers); }
static void for_lengths(void) { for_each(lengths); }
static void for_nothing(void) { for_each(nothing); }
static void for_wrong_tags(void) { for_each(wrong_tags); }
static void for_records(void) { for_each(records); }

static void digests(void) {
    static const char *const names[] = {"MD5", "SHA1", "SHA256", "SHA512-256", "SHA3-384", "SHAKE128", "SHAKE256"};
    for (size_t i = 0; i < COUNT(names); i++) {
        doing = names[i];
        EVP_MD *digest = EVP_MD_fetch(NULL, names[i], who);
        EVP_MD_CTX *state = EVP_MD_CTX_new(), *other = EVP_MD_CTX_new();
        unsigned int size = 0;
        TRY(digest != NULL);
        TRY(EVP_DigestUpdate(state, text, 10));
        TRY(EVP_DigestFinal_ex(state, out, &size));
        TRY(EVP_MD_CTX_copy_ex(other, state));
        TRY(EVP_DigestInit_ex2(state, digest, NULL));
        TRY(EVP_DigestUpdate(state, NULL, 0));
        TRY(EVP_DigestUpdate(state, text, 0));
        TRY(EVP_DigestUpdate(state, text, 10));
        TRY(EVP_DigestFinal_ex(state, out, &size));
        note_bytes(out, size);
        TRY(EVP_DigestFinal_ex(state, out, &size));
        TRY(EVP_DigestUpdate(state, text, 10));
        TRY(EVP_MD_CTX_copy_ex(other, state));
        TRY(EVP_DigestFinalXOF(other, out, 10));
        TRY(EVP_DigestInit_ex2(state, digest, NULL));
        TRY(EVP_DigestFinalXOF(state, out, 0));
        TRY(EVP_DigestInit_ex2(state, digest, NULL));
        TRY(EVP_DigestFinalXOF(state, out, 1000));
        TRY(EVP_DigestFinalXOF(state, out, 1000));
        for (int type = 0; type < TYPES; type++)
            for (size_t number = 0; number < 64; number += 21) {
                static const char *const params_of[] = {"xoflen", "size", "nonsense"};
                for (size_t j = 0; j < COUNT(params_of); j++) {
                    OSSL_PARAM params[] = {typed(params_of[j], type, number), OSSL_PARAM_END};
                    AT(", %s type %d of %zu", params_of[j], type, number);
                    TRY(EVP_DigestInit_ex2(state, digest, NULL));
                    /* Since 3.5 or so SHAKE answers other names. */
                    if (j != 1)
                        TRY(EVP_MD_CTX_set_params(state, params));
                    TRY(EVP_DigestInit_ex2(state, digest, NULL));
                    params[0] = typed("nonsense", type, number);
                    TRY(EVP_MD_get_params(digest, params));
                }
            }
        TRY(EVP_Digest(text, 100, out, &size, digest, NULL));
        TRY(EVP_Digest(NULL, 0, out, NULL, digest, NULL));
        TRY(EVP_Digest(text, 0, out, &size, digest, NULL));
        note_bytes(out, size);
        EVP_MD_CTX_free(state);
        EVP_MD_CTX_free(other);
        EVP_MD_free(digest);
    }
}

/* ---- Calls of the module only. */

/* Every kind of partial overlap of buffers: a result that is reported as a success must be right. */
static void overlaps(void) {
    enum { SIZE = 200, MOST = 63 };
    who = OURS;
    written = fopen("/dev/null", "w");
    for (size_t i = 0; i < COUNT(CIPHERS); i++) {
        cipher_ = &CIPHERS[i];
        fetched = EVP_CIPHER_fetch(NULL, cipher_->name, who);
        CHECK(fetched != NULL);
        for (way = 0; way < 2; way++)
            for (int shift = -MOST; shift <= MOST; shift += alone ? 7 : 1)
                for (int size = 16; size <= SIZE; size += cipher_->kind == WRAP ? 8 : 23) {
                    uint8_t right[SIZE + 32], room[SIZE + 2 * MOST + 32];
                    int right_len = 0, to_len = 0;
                    renew();
                    EVP_CipherInit_ex2(context, fetched, key, iv, way, NULL);
                    int could = EVP_CipherUpdate(context, right, &right_len, text, size);
                    memcpy(room + MOST, text, size);
                    renew();
                    EVP_CipherInit_ex2(context, fetched, key, iv, way, NULL);
                    int done = EVP_CipherUpdate(context, room + MOST + shift, &to_len, room + MOST, size);
                    CHECK(done <= could);
                    CHECK(shift != 0 || done == could);
                    if (done > 0)
                        CHECK(to_len == right_len && memcmp(right, room + MOST + shift, to_len) == 0);
                    ERR_clear_error();
                }
        EVP_CIPHER_free(fetched);
    }
    EVP_CIPHER_CTX_free(context);
    context = NULL;
    fclose(written);
}

/* A tag computed by a context is not the expected tag of a message to open, and nothing is opened without a message. */
static void own_tags(void) {
    static const char *const names[] = {"AES-256-GCM", "ChaCha20-Poly1305", "AES-256-CCM"};
    uint8_t tag[16];
    for (size_t i = 0; i < COUNT(names); i++) {
        EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, names[i], OURS);
        EVP_CIPHER_CTX *turned = EVP_CIPHER_CTX_new();
        CHECK(EVP_EncryptInit_ex2(turned, cipher, key, iv, NULL));
        CHECK(EVP_EncryptFinal_ex(turned, out, &len));
        CHECK(EVP_DecryptInit_ex2(turned, NULL, key, iv, NULL));
        CHECK(!EVP_DecryptFinal_ex(turned, out, &len));
        CHECK(EVP_EncryptInit_ex2(turned, NULL, key, iv, NULL));
        CHECK(EVP_EncryptUpdate(turned, out, &len, text, 71));
        CHECK(EVP_EncryptFinal_ex(turned, out, &len));
        CHECK(EVP_CIPHER_CTX_ctrl(turned, EVP_CTRL_AEAD_GET_TAG, i == 2 ? 12 : 16, tag));
        CHECK(EVP_DecryptInit_ex2(turned, NULL, NULL, NULL, NULL));
        CHECK(!EVP_DecryptFinal_ex(turned, out, &len));
        CHECK(EVP_DecryptInit_ex2(turned, NULL, key, iv, NULL));
        CHECK(EVP_CIPHER_CTX_ctrl(turned, EVP_CTRL_AEAD_SET_TAG, i == 2 ? 12 : 16, tag));
        CHECK(EVP_DecryptUpdate(turned, out, &len, out, 71));
        CHECK(EVP_DecryptFinal_ex(turned, out + 71, &len));
        CHECK(memcmp(out, text, 71) == 0);
        EVP_CIPHER_CTX_free(turned);
        EVP_CIPHER_free(cipher);
    }
}

/* Calls that crash OpenSSL's own provider, or are undefined there. */
static void worse(void) {
    static const char *const names[] = {"keylen", "ivlen", "padding", "num", "tag", "taglen", "iv", "updated-iv",
                                        "tlsaad", "tlsaadpad", "tlsivfixed", "tlsivinv", "tlsivgen", "mackey",
                                        "tls-version", "tls-mac-size", "tls-mac", "xoflen", "size"};
    static const size_t sizes[] = {0, 1, 13, 16, SIZE_MAX};
    who = OURS;
    written = fopen("/dev/null", "w");
    for (size_t i = 0; i < COUNT(CIPHERS); i++) {
        cipher_ = &CIPHERS[i];
        fetched = EVP_CIPHER_fetch(NULL, cipher_->name, who);
        CHECK(fetched != NULL);
        for (way = 0; way < 2; way++)
            for (size_t j = 0; j < COUNT(names); j++)
                for (unsigned int type = 0; type < 9; type++)
                    for (size_t k = 0; k < COUNT(sizes); k++) {
                        OSSL_PARAM params[] = {{names[j], type, NULL, sizes[k], OSSL_PARAM_UNMODIFIED}, OSSL_PARAM_END};
                        renew();
                        EVP_CipherInit_ex2(context, fetched, key, iv, way, NULL);
                        EVP_CIPHER_CTX_set_params(context, params);
                        EVP_CIPHER_CTX_get_params(context, params);
                        EVP_CipherUpdate(context, out, &len, text, 64);
                        EVP_CIPHER_CTX_set_params(context, params);
                        EVP_CIPHER_CTX_get_params(context, params);
                        EVP_CipherFinal_ex(context, out, &len);
                        ERR_clear_error();
                    }
        for (size_t j = 0; j < COUNT(names); j++)
            for (int type = 0; type < TYPES; type++)
                for (size_t number = 0; number < 64; number += alone ? 13 : 3)
                    for (way = 0; way < 2; way++) {
                        OSSL_PARAM params[] = {typed(names[j], type, number), OSSL_PARAM_END};
                        renew();
                        EVP_CipherInit_ex2(context, fetched, key, iv, way, NULL);
                        EVP_CIPHER_CTX_set_params(context, params);
                        EVP_CIPHER_CTX_get_params(context, params);
                        memset(out, way, 256);
                        EVP_CipherUpdate(context, out, &len, out, 64);
                        EVP_CipherUpdate(context, out, &len, out, 63);
                        EVP_CipherUpdate(context, out, &len, out, 0);
                        EVP_CipherFinal_ex(context, out, &len);
                        EVP_CIPHER_CTX_get_params(context, params);
                        EVP_Cipher(context, out, out, 80);
                        EVP_Cipher(context, NULL, NULL, 0);
                        ERR_clear_error();
                    }
        EVP_CIPHER_free(fetched);
    }
    EVP_CIPHER_CTX_free(context);
    context = NULL;
    fclose(written);
    OSSL_PROVIDER *provider = OSSL_PROVIDER_load(NULL, "ropewalk");
    CHECK(provider != NULL && OSSL_PROVIDER_self_test(provider));
    CHECK(OSSL_PROVIDER_gettable_params(provider) != NULL);
    for (int type = 0; type < TYPES; type++) {
        static const char *const told[] = {"name", "version", "buildinfo", "status", "nonsense"};
        for (size_t i = 0; i < COUNT(told); i++) {
            OSSL_PARAM params[] = {typed(told[i], type, 16), OSSL_PARAM_END};
            OSSL_PROVIDER_get_params(provider, params);
            ERR_clear_error();
        }
    }
    OSSL_PROVIDER_unload(provider);
}

/* ---- Contexts, threads and processes. */

/* A message sealed and opened again. */
static int seals(EVP_CIPHER *cipher, EVP_CIPHER *opens, uint8_t tag[16]) {
    uint8_t sealed[1000], opened[1000];
    int size, rest;
    EVP_CIPHER_CTX *state = EVP_CIPHER_CTX_new();
    int done = EVP_EncryptInit_ex2(state, cipher, key, iv, NULL) && EVP_EncryptUpdate(state, NULL, &size, text, 20)
        && EVP_EncryptUpdate(state, sealed, &size, text, 1000) && EVP_EncryptFinal_ex(state, sealed + size, &rest)
        && EVP_CIPHER_CTX_ctrl(state, EVP_CTRL_AEAD_GET_TAG, 16, tag);
    EVP_CIPHER_CTX_free(state);
    state = EVP_CIPHER_CTX_new();
    done = done && EVP_DecryptInit_ex2(state, opens, key, iv, NULL)
        && EVP_DecryptUpdate(state, NULL, &size, text, 20)
        && EVP_CIPHER_CTX_ctrl(state, EVP_CTRL_AEAD_SET_TAG, 16, tag)
        && EVP_DecryptUpdate(state, opened, &size, sealed, 1000)
        && EVP_DecryptFinal_ex(state, opened + size, &rest) && memcmp(opened, text, 1000) == 0;
    EVP_CIPHER_CTX_free(state);
    return done;
}

static int maps(void) {
    FILE *file = fopen("/proc/self/maps", "r");
    int lines = 0;
    for (int byte; (byte = getc(file)) != EOF;)
        lines += byte == '\n';
    fclose(file);
    return lines;
}

static EVP_CIPHER *of_provider;
static void keep_of(EVP_CIPHER *cipher, void *provider) {
    if (EVP_CIPHER_get0_provider(cipher) == provider && EVP_CIPHER_is_a(cipher, "AES-256-GCM")) {
        EVP_CIPHER_up_ref(cipher);
        of_provider = cipher;
    }
}

/* Loaded, used, unloaded, repeatedly; in two contexts at once; unloaded before its objects are freed. */
static void life(const char *folder) {
    uint8_t tags[2][16];
    int before = 0;
    for (int round = 0; round < 40; round++) {
        OSSL_LIB_CTX *library = OSSL_LIB_CTX_new();
        CHECK(OSSL_PROVIDER_set_default_search_path(library, folder));
        OSSL_PROVIDER *provider = OSSL_PROVIDER_load(library, "ropewalk");
        EVP_CIPHER *cipher = EVP_CIPHER_fetch(library, "AES-256-GCM", NULL);
        CHECK(provider != NULL && cipher != NULL && seals(cipher, cipher, tags[0]));
        CHECK(round == 0 || memcmp(tags[0], tags[1], 16) == 0);
        memcpy(tags[1], tags[0], 16);
        if (round % 2 == 0)
            CHECK(OSSL_PROVIDER_unload(provider));
        CHECK(seals(cipher, cipher, tags[0]));
        EVP_CIPHER_free(cipher);
        if (round % 2 == 1)
            CHECK(OSSL_PROVIDER_unload(provider));
        OSSL_LIB_CTX_free(library);
        if (round == 9)
            before = maps();
    }
    /* No mapping is left behind. */
    CHECK(maps() <= before + 3);
    if (maps() > before + 3)
        printf("%d maps were %d\n", maps(), before);

    OSSL_LIB_CTX *libraries[2];
    OSSL_PROVIDER *providers[2];
    EVP_CIPHER *ciphers[2];
    for (int i = 0; i < 2; i++) {
        libraries[i] = OSSL_LIB_CTX_new();
        OSSL_PROVIDER_set_default_search_path(libraries[i], folder);
        providers[i] = OSSL_PROVIDER_load(libraries[i], "ropewalk");
        ciphers[i] = EVP_CIPHER_fetch(libraries[i], "AES-256-GCM", NULL);
    }
    CHECK(seals(ciphers[0], ciphers[1], tags[0]) && seals(ciphers[1], ciphers[0], tags[1]));
    OSSL_PROVIDER_unload(providers[0]);
    EVP_CIPHER_free(ciphers[0]);
    OSSL_LIB_CTX_free(libraries[0]);
    CHECK(seals(ciphers[1], ciphers[1], tags[1]) && memcmp(tags[0], tags[1], 16) == 0);
    OSSL_PROVIDER_unload(providers[1]);
    EVP_CIPHER_free(ciphers[1]);
    OSSL_LIB_CTX_free(libraries[1]);

    /* Another version, which is a module of another name, in the same context. */
    OSSL_LIB_CTX *library = OSSL_LIB_CTX_new();
    OSSL_PROVIDER_set_default_search_path(library, folder);
    providers[0] = OSSL_PROVIDER_load(library, "ropewalk");
    providers[1] = OSSL_PROVIDER_load(library, "other");
    CHECK(providers[0] != NULL && providers[1] != NULL && providers[0] != providers[1]);
    for (int i = 0; i < 2; i++) {
        of_provider = NULL;
        EVP_CIPHER_do_all_provided(library, keep_of, providers[i]);
        CHECK(of_provider != NULL);
        ciphers[i] = of_provider;
    }
    CHECK(seals(ciphers[0], ciphers[1], tags[0]) && seals(ciphers[1], ciphers[0], tags[1]));
    for (int i = 0; i < 2; i++) {
        EVP_CIPHER_free(ciphers[i]);
        CHECK(OSSL_PROVIDER_unload(providers[i]));
    }
    OSSL_LIB_CTX_free(library);
    CHECK(OSSL_PROVIDER_load(NULL, "nowhere") == NULL);
}

static void *thread(void *shared) {
    long errors = 0;
    for (int round = 0; round < 50; round++) {
        uint8_t tag[16], digest[64];
        EVP_CIPHER *own = EVP_CIPHER_fetch(NULL, "AES-256-GCM", OURS);
        errors += !seals(shared, own, tag);
        EVP_CIPHER_free(own);
        EVP_MD *hash = EVP_MD_fetch(NULL, "SHA256", OURS);
        errors += !EVP_Digest(text, sizeof text, digest, NULL, hash, NULL);
        EVP_MD_free(hash);
    }
    return (void *)errors;
}

static void threads(void) {
    EVP_CIPHER *shared = EVP_CIPHER_fetch(NULL, "AES-256-GCM", OURS);
    pthread_t all[8];
    for (int i = 0; i < 8; i++)
        CHECK(pthread_create(&all[i], NULL, thread, shared) == 0);
    for (int i = 0; i < 8; i++) {
        void *errors;
        CHECK(pthread_join(all[i], &errors) == 0 && errors == NULL);
    }
    EVP_CIPHER_free(shared);
}

/* Started before a fork: both processes continue the same message, but no nonce is generated twice. */
static void forks(void) {
    EVP_CIPHER *gcm = EVP_CIPHER_fetch(NULL, "AES-256-GCM", OURS);
    EVP_CIPHER_CTX *begun = EVP_CIPHER_CTX_new();
    uint8_t results[2][16 + 100 + 12], made[12];
    int pipes[2], size, status;
    uint8_t tag[16];
    CHECK(EVP_EncryptInit_ex2(begun, gcm, key, iv, NULL) && EVP_EncryptUpdate(begun, NULL, &size, text, 20));
    /* Random numbers were requested before. */
    EVP_CIPHER_CTX *before = EVP_CIPHER_CTX_new();
    CHECK(EVP_EncryptInit_ex2(before, gcm, key, NULL, NULL) && EVP_EncryptUpdate(before, results[0], &size, text, 10)
          && EVP_CIPHER_CTX_get_updated_iv(before, made, 12));
    EVP_CIPHER_CTX_free(before);
    CHECK(pipe(pipes) == 0);
    fflush(stdout);
    pid_t child = fork();
    uint8_t *own = results[child == 0];
    CHECK(EVP_EncryptUpdate(begun, own, &size, text, 100) && EVP_EncryptFinal_ex(begun, own, &size)
          && EVP_CIPHER_CTX_ctrl(begun, EVP_CTRL_AEAD_GET_TAG, 16, own + 100));
    EVP_CIPHER_CTX *chance = EVP_CIPHER_CTX_new();
    uint8_t sealed[10];
    CHECK(EVP_EncryptInit_ex2(chance, gcm, key, NULL, NULL) && EVP_EncryptUpdate(chance, sealed, &size, text, 10)
          && EVP_CIPHER_CTX_get_updated_iv(chance, own + 116, 12));
    EVP_CIPHER_CTX_free(chance);
    EVP_CIPHER_CTX_free(begun);
    CHECK(seals(gcm, gcm, tag));
    EVP_CIPHER_free(gcm);
    if (child == 0) {
        CHECK(write(pipes[1], own, 128) == 128);
        close(pipes[0]);
        close(pipes[1]);
        exit(wrong);
    }
    CHECK(read(pipes[0], results[1], 128) == 128);
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(memcmp(results[0], results[1], 116) == 0);
    CHECK(memcmp(results[0] + 116, results[1] + 116, 12) != 0 && memcmp(results[0] + 116, made, 12) != 0);
    close(pipes[0]);
    close(pipes[1]);
}

int main(int argc, char **argv) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = i * i % 251;
    for (size_t i = 0; i < sizeof key; i++)
        key[i] = i;
    for (size_t i = 0; i < sizeof iv; i++)
        iv[i] = i % 253;
    const char *what = argc > 2 ? argv[1] : "";
    alone = argc > 3;
    if (strcmp(what, "calls") == 0) {
        compare("missing keys", for_missing_keys);
        compare("out of order", for_out_of_order);
        compare("lengths", for_lengths);
        compare("nothing", for_nothing);
        compare("wrong tags", for_wrong_tags);
        compare("digests", digests);
        overlaps();
        own_tags();
    } else if (strcmp(what, "parameters") == 0) {
        compare("wrong types", for_wrong_types);
        compare("answers", for_answers);
        worse();
    } else if (strcmp(what, "records") == 0) {
        compare("records", for_records);
    } else if (strcmp(what, "life") == 0) {
        life(argv[2]);
    } else if (strcmp(what, "threads") == 0) {
        threads();
    } else if (strcmp(what, "forks") == 0) {
        forks();
    } else {
        return 2;
    }
    return wrong > 0;
}
