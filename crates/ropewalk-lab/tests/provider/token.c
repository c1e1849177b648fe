/* A provider like those of hardware tokens: its one digest exists elsewhere too, and is always of bytes 0x77. */

#include <string.h>

#include <openssl/core_dispatch.h>
#include <openssl/params.h>

static void *newctx(void *provider) {
    (void)provider;
    static int any;
    return &any;
}

static void freectx(void *context) { (void)context; }

static int init(void *context, const OSSL_PARAM params[]) {
    (void)context;
    (void)params;
    return 1;
}

static int update(void *context, const unsigned char *in, size_t len) {
    (void)context;
    (void)in;
    (void)len;
    return 1;
}

static int final(void *context, unsigned char *out, size_t *len, size_t room) {
    (void)context;
    if (room < 64)
        return 0;
    memset(out, 0x77, 64);
    *len = 64;
    return 1;
}

/* The module is not linked to libcrypto, and parses its parameters itself. */
static int get_params(OSSL_PARAM params[]) {
    for (; params->key != NULL; params++) {
        size_t value = strcmp(params->key, "size") == 0 ? 64 : strcmp(params->key, "blocksize") == 0 ? 128 : 0;
        if (params->data_type == OSSL_PARAM_UNSIGNED_INTEGER && params->data_size == sizeof value) {
            memcpy(params->data, &value, sizeof value);
            params->return_size = sizeof value;
        } else if (params->data_type == OSSL_PARAM_INTEGER && params->data_size == sizeof(int)) {
            memset(params->data, 0, sizeof(int));
            params->return_size = sizeof(int);
        }
    }
    return 1;
}

static const OSSL_DISPATCH digest[] = {
    {OSSL_FUNC_DIGEST_NEWCTX, (void (*)(void))newctx},
    {OSSL_FUNC_DIGEST_FREECTX, (void (*)(void))freectx},
    {OSSL_FUNC_DIGEST_INIT, (void (*)(void))init},
    {OSSL_FUNC_DIGEST_UPDATE, (void (*)(void))update},
    {OSSL_FUNC_DIGEST_FINAL, (void (*)(void))final},
    {OSSL_FUNC_DIGEST_GET_PARAMS, (void (*)(void))get_params},
    {0, NULL},
};

static const OSSL_ALGORITHM digests[] = {
    {"SHA2-512:SHA-512:SHA512:2.16.840.1.101.3.4.2.3", "provider=token", digest, NULL},
    {NULL, NULL, NULL, NULL},
};

static const OSSL_ALGORITHM *query(void *provider, int operation, int *no_cache) {
    (void)provider;
    *no_cache = 0;
    return operation == OSSL_OP_DIGEST ? digests : NULL;
}

static const OSSL_DISPATCH functions[] = {
    {OSSL_FUNC_PROVIDER_QUERY_OPERATION, (void (*)(void))query},
    {0, NULL},
};

int OSSL_provider_init(
    const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in, const OSSL_DISPATCH **out, void **context) {
    (void)handle;
    (void)in;
    *out = functions;
    *context = NULL;
    return 1;
}
