/* TLS records with AES-CBC whose MAC libssl computes: the length of the padding must not decide any branch or address.
 * Decrypted bytes are marked undefined for valgrind, which reports each branch and each address that depends on them. The
 * returned length is secret too, and OpenSSL tests it: those reports are expected, and so is the one of `planted`. */
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

#define BLOCK 16
#define LONGEST 1024

/* A client request of memcheck, without effect elsewhere: see memcheck.h. */
enum { UNDEFINED = 0x4d430001, DEFINED = 0x4d430002 };
static void request(uintptr_t what, const void *from, size_t len) {
    volatile uintptr_t words[6] = {what, (uintptr_t)from, len, 0, 0, 0};
    uintptr_t result = 0;
#if defined(__x86_64__)
    __asm__ volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
                     : "+d"(result)
                     : "a"(words)
                     : "cc", "memory");
#elif defined(__aarch64__)
    register volatile uintptr_t *x4 __asm__("x4") = words;
    register uintptr_t x3 __asm__("x3") = result;
    __asm__ volatile("ror x12, x12, #3; ror x12, x12, #13; ror x12, x12, #51; ror x12, x12, #61; orr x10, x10, x10"
                     : "+r"(x3)
                     : "r"(x4)
                     : "cc", "memory");
#endif
    (void)result;
}

/* A branch that must be reported. */
__attribute__((noinline)) static int planted(const uint8_t *byte) {
    volatile int is_zero = 0;
    if (*byte == 0)
        is_zero = 1;
    return is_zero;
}

/* Opens a record of which so many bytes are text, and all behind the MAC but the last byte is as the last should be. */
static void opens(EVP_CIPHER *cipher, unsigned version, size_t mac_len, size_t text, unsigned padding, unsigned last) {
    static const uint8_t key[16] = {7}, iv[BLOCK];
    uint8_t record[BLOCK + LONGEST + 256];
    size_t start = version > 0x0301 ? BLOCK : 0, len = start + text + mac_len + padding + 1;
    CHECK(len % BLOCK == 0 && len <= sizeof record);
    memset(record, 0x55, len);
    memset(record + len - padding - 1, (int)padding, padding + 1);
    record[len - 1] = (uint8_t)last;

    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int written = 0;
    CHECK(EVP_CipherInit_ex2(context, cipher, key, iv, 1, NULL) && EVP_CIPHER_CTX_set_padding(context, 0));
    CHECK(EVP_CipherUpdate(context, record, &written, record, (int)len) && written == (int)len);
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_TLS_VERSION, &version),
        OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_TLS_MAC_SIZE, &mac_len),
        OSSL_PARAM_construct_end(),
    };
    CHECK(EVP_CipherInit_ex2(context, cipher, key, iv, 0, params) && EVP_CIPHER_CTX_set_padding(context, 1));
    request(UNDEFINED, record, len);
    int opened = EVP_CipherUpdate(context, record, &written, record, (int)len);
    uint8_t *mac = NULL;
    params[0] = OSSL_PARAM_construct_octet_ptr(OSSL_CIPHER_PARAM_TLS_MAC, (void **)&mac, mac_len);
    params[1] = OSSL_PARAM_construct_end();
    CHECK(EVP_CIPHER_CTX_get_params(context, params));
    CHECK(planted(record + len - 1) == (last == 0));
    request(DEFINED, &written, sizeof written);
    request(DEFINED, &opened, sizeof opened);
    request(DEFINED, record, len);
    CHECK(opened == 1);
    if (padding == last) {
        CHECK((size_t)written == text);
        request(DEFINED, mac, mac_len);
        for (size_t i = 0; i < mac_len; i++)
            CHECK(mac[i] == 0x55);
    }
    EVP_CIPHER_CTX_free(context);
}

int main(void) {
    static const size_t mac_lens[] = {20, 32, 48};
    static const unsigned versions[] = {0x0301, 0x0302, 0x0303};
    static const size_t lens[] = {64, 96, 256, 272, 512, 1024};
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, "AES-128-CBC", OURS);
    CHECK(cipher != NULL);
    for (size_t v = 0; v < COUNT(versions); v++)
        for (size_t m = 0; m < COUNT(mac_lens); m++)
            for (size_t l = 0; l < COUNT(lens); l++)
                for (unsigned padding = 0; padding < 256; padding += 51) {
                    if (mac_lens[m] + padding + 1 > lens[l])
                        continue;
                    size_t text = lens[l] - mac_lens[m] - padding - 1;
                    snprintf(at, sizeof at, "version %x, MAC of %zu, %zu bytes, padding of %u", versions[v], mac_lens[m], lens[l], padding);
                    opens(cipher, versions[v], mac_lens[m], text, padding, padding);
                    opens(cipher, versions[v], mac_lens[m], text, padding, padding ^ 2);
                }
    EVP_CIPHER_free(cipher);
    return wrong > 0;
}
