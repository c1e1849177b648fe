// What a message of AES-128-GCM costs by the calls of a row of `openssl speed -evp`, what a piece of an endless one does,
// and what those calls cost where the cipher does nothing: that much is libcrypto itself, whichever provider serves.
//
// usage: calls BYTES SECONDS
// It prints nanoseconds: of the message, of the piece, and of the message by a cipher that does nothing.

#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { KEY = 16, NONCE = 12, CALLS = 32, MOST = 100000 };

static void *new_context(void *provider) {
    (void)provider;
    return malloc(1);
}

static int init(void *context, const unsigned char *key, size_t key_len, const unsigned char *nonce, size_t nonce_len,
                const OSSL_PARAM params[]) {
    (void)context, (void)key, (void)key_len, (void)nonce, (void)nonce_len, (void)params;
    return 1;
}

static int update(void *context, unsigned char *out, size_t *out_len, size_t room, const unsigned char *in, size_t len) {
    (void)context, (void)out, (void)room, (void)in;
    *out_len = len;
    return 1;
}

static int finish(void *context, unsigned char *out, size_t *out_len, size_t room) {
    (void)context, (void)out, (void)room;
    *out_len = 0;
    return 1;
}

static int set(OSSL_PARAM params[], const char *name, int number) {
    OSSL_PARAM *param = OSSL_PARAM_locate(params, name);
    return param == NULL || OSSL_PARAM_set_int(param, number);
}

static int describe(OSSL_PARAM params[]) {
    return set(params, OSSL_CIPHER_PARAM_MODE, EVP_CIPH_GCM_MODE) && set(params, OSSL_CIPHER_PARAM_KEYLEN, KEY) &&
           set(params, OSSL_CIPHER_PARAM_IVLEN, NONCE) && set(params, OSSL_CIPHER_PARAM_BLOCK_SIZE, 1) &&
           set(params, OSSL_CIPHER_PARAM_AEAD, 1) && set(params, OSSL_CIPHER_PARAM_CUSTOM_IV, 1);
}

// Of a context there are two lengths to ask for, and that takes as little as it can.
static int get(void *context, OSSL_PARAM params[]) {
    (void)context;
    for (; params->key != NULL; params++) {
        if (params->data_size != sizeof(size_t)) return 0;
        *(size_t *)params->data = params->key[0] == 'i' ? NONCE : KEY;
        params->return_size = sizeof(size_t);
    }
    return 1;
}

static int take(void *context, const OSSL_PARAM params[]) {
    (void)context, (void)params;
    return 1;
}

static const OSSL_DISPATCH NOTHING[] = {
    {OSSL_FUNC_CIPHER_NEWCTX, (void (*)(void))new_context},
    {OSSL_FUNC_CIPHER_FREECTX, (void (*)(void))free},
    {OSSL_FUNC_CIPHER_ENCRYPT_INIT, (void (*)(void))init},
    {OSSL_FUNC_CIPHER_DECRYPT_INIT, (void (*)(void))init},
    {OSSL_FUNC_CIPHER_UPDATE, (void (*)(void))update},
    {OSSL_FUNC_CIPHER_FINAL, (void (*)(void))finish},
    {OSSL_FUNC_CIPHER_GET_PARAMS, (void (*)(void))describe},
    {OSSL_FUNC_CIPHER_GET_CTX_PARAMS, (void (*)(void))get},
    {OSSL_FUNC_CIPHER_SET_CTX_PARAMS, (void (*)(void))take},
    {0, NULL},
};
static const OSSL_ALGORITHM CIPHERS[] = {{"AES-128-GCM", "provider=nothing", NOTHING, NULL}, {NULL, NULL, NULL, NULL}};

static const OSSL_ALGORITHM *query(void *provider, int operation, int *no_store) {
    (void)provider;
    *no_store = 0;
    return operation == OSSL_OP_CIPHER ? CIPHERS : NULL;
}

static const OSSL_DISPATCH PROVIDER[] = {{OSSL_FUNC_PROVIDER_QUERY_OPERATION, (void (*)(void))query}, {0, NULL}};

static int nothing_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in, const OSSL_DISPATCH **out, void **context) {
    (void)in;
    *out = PROVIDER;
    *context = (void *)handle;
    return 1;
}

static const unsigned char key[KEY] = "key", nonce[NONCE] = "nonce";

static int begin(EVP_CIPHER_CTX *context) {
    return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, NONCE, NULL) &&
           EVP_CipherInit_ex(context, NULL, NULL, key, nonce, -1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

// Nanoseconds of a message, or of a piece of one.
static double cost(EVP_CIPHER_CTX *context, int whole, unsigned char *text, int bytes) {
    int len, right = whole || begin(context);
    double start = now();
    for (int i = 0; i < CALLS && right; i++) {
        right = (!whole || begin(context)) && EVP_EncryptUpdate(context, text, &len, text, bytes) &&
                (!whole || EVP_EncryptFinal_ex(context, text, &len));
    }
    double end = now();
    if (!right || (!whole && !EVP_EncryptFinal_ex(context, text, &len))) {
        fputs("calls: a call failed\n", stderr);
        exit(1);
    }
    return (end - start) / CALLS;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int count, char **words) {
    if (count != 3) {
        fputs("usage: calls BYTES SECONDS\n", stderr);
        return 2;
    }
    int bytes = atoi(words[1]);
    OSSL_LIB_CTX *apart = OSSL_LIB_CTX_new();
    if (!OSSL_PROVIDER_add_builtin(apart, "nothing", nothing_init) || !OSSL_PROVIDER_load(apart, "nothing")) {
        fputs("calls: no provider\n", stderr);
        return 1;
    }
    EVP_CIPHER *ciphers[] = {EVP_CIPHER_fetch(NULL, "AES-128-GCM", NULL), EVP_CIPHER_fetch(apart, "AES-128-GCM", NULL)};
    EVP_CIPHER_CTX *contexts[] = {EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_new()};
    unsigned char *text = calloc(1, (size_t)bytes + 1);
    for (int i = 0; i < 2; i++) {
        if (ciphers[i] == NULL || text == NULL || !EVP_CipherInit_ex(contexts[i], ciphers[i], NULL, NULL, NULL, 1)) {
            fputs("calls: no cipher\n", stderr);
            return 1;
        }
    }
    static double costs[3][MOST];
    int turns = 0;
    for (double end = now() + atof(words[2]) * 1e9; turns < MOST && (turns < 3 || now() < end); turns++) {
        costs[0][turns] = cost(contexts[0], 1, text, bytes);
        costs[1][turns] = cost(contexts[0], 0, text, bytes);
        costs[2][turns] = cost(contexts[1], 1, text, bytes);
    }
    for (int i = 0; i < 3; i++) {
        qsort(costs[i], (size_t)turns, sizeof(double), compare);
        printf("%.1f%c", costs[i][turns / 2], i < 2 ? ' ' : '\n');
    }
    return 0;
}
