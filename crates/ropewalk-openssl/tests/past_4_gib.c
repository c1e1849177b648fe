/* Messages past 4 GiB, by the module and by OpenSSL's default provider: what both write of each piece must agree.
 *
 * Prints the line of whatever is wrong, and fails then. */
#define _GNU_SOURCE
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "check.h"

/* No multiple of what anything works in. */
#define LEN ((1ull << 32) + (1 << 20) + 77)
/* Of a piece. */
#define LONGEST (32 << 20)

static const char *const PROVIDERS[] = {OURS, THEIRS};

static uint8_t text[LONGEST], sealed[2][LONGEST + 16], opened[2][LONGEST + 32];

/* The length of the next piece: from a byte to many millions. */
static size_t next(uint64_t left) {
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    uint64_t len = 1 + (state >> 32) % (1 << (1 + (state >> 58) % 25));
    return len < left ? len : left;
}

/* In pieces, and in one. */
static void digest(const char *name) {
    uint8_t digests[2][EVP_MAX_MD_SIZE] = {0};
    EVP_MD_CTX *contexts[2];
    snprintf(at, sizeof at, "%s", name);
    for (int i = 0; i < 2; i++) {
        EVP_MD *md = EVP_MD_fetch(NULL, name, PROVIDERS[i]);
        contexts[i] = EVP_MD_CTX_new();
        CHECK(md != NULL && EVP_DigestInit_ex2(contexts[i], md, NULL));
        EVP_MD_free(md);
    }
    for (uint64_t left = LEN; left > 0;) {
        size_t len = next(left);
        for (int i = 0; i < 2; i++)
            CHECK(EVP_DigestUpdate(contexts[i], text, len));
        left -= len;
    }
    for (int i = 0; i < 2; i++)
        CHECK(EVP_DigestFinal_ex(contexts[i], digests[i], NULL));
    CHECK(memcmp(digests[0], digests[1], sizeof digests[0]) == 0);

    /* Pages of zeros, which are there when they are read. */
    void *zeros = mmap(NULL, LEN, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(zeros != MAP_FAILED);
    for (int i = 0; i < 2; i++)
        CHECK(EVP_DigestInit_ex2(contexts[i], NULL, NULL) && EVP_DigestUpdate(contexts[i], zeros, LEN)
              && EVP_DigestFinal_ex(contexts[i], digests[i], NULL));
    CHECK(memcmp(digests[0], digests[1], sizeof digests[0]) == 0);
    munmap(zeros, LEN);
    for (int i = 0; i < 2; i++)
        EVP_MD_CTX_free(contexts[i]);
}

static void mac(const char *name, size_t key_len, const OSSL_PARAM *params) {
    static const uint8_t key[32] = "a key of a MAC";
    uint8_t tags[2][EVP_MAX_MD_SIZE] = {0};
    EVP_MAC_CTX *contexts[2];
    snprintf(at, sizeof at, "%s", name);
    for (int i = 0; i < 2; i++) {
        EVP_MAC *mac = EVP_MAC_fetch(NULL, name, PROVIDERS[i]);
        contexts[i] = EVP_MAC_CTX_new(mac);
        CHECK(contexts[i] != NULL && EVP_MAC_init(contexts[i], key, key_len, params));
        EVP_MAC_free(mac);
    }
    for (uint64_t left = LEN; left > 0;) {
        size_t len = next(left);
        for (int i = 0; i < 2; i++)
            CHECK(EVP_MAC_update(contexts[i], text, len));
        left -= len;
    }
    for (int i = 0; i < 2; i++) {
        size_t len;
        CHECK(EVP_MAC_final(contexts[i], tags[i], &len, sizeof tags[i]));
        EVP_MAC_CTX_free(contexts[i]);
    }
    CHECK(memcmp(tags[0], tags[1], sizeof tags[0]) == 0);
}

static EVP_CIPHER_CTX *begun(const char *name, const char *provider, int encrypts, int has_tag) {
    static const uint8_t key[32] = "a key of a cipher", iv[16] = "an IV";
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, provider);
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int len;
    CHECK(cipher != NULL && EVP_CipherInit_ex2(context, cipher, key, iv, encrypts, NULL));
    CHECK(!has_tag || EVP_CipherUpdate(context, NULL, &len, key, 13));
    EVP_CIPHER_free(cipher);
    return context;
}

/* Both encrypt, and both decrypt what came of it. */
static void cipher(const char *name, int has_tag) {
    EVP_CIPHER_CTX *sealing[2], *opening[2];
    uint8_t tags[2][16] = {0};
    int lens[2], opened_lens[2];
    uint64_t all = 0;
    snprintf(at, sizeof at, "%s", name);
    for (int i = 0; i < 2; i++) {
        sealing[i] = begun(name, PROVIDERS[i], 1, has_tag);
        opening[i] = begun(name, PROVIDERS[i], 0, has_tag);
    }
    for (uint64_t left = LEN, len = 1; len > 0; left -= len) {
        len = next(left);
        for (int i = 0; i < 2; i++) {
            /* The last one, of nothing, is the end. */
            CHECK(len > 0 ? EVP_EncryptUpdate(sealing[i], sealed[i], &lens[i], text, len)
                          : EVP_EncryptFinal_ex(sealing[i], sealed[i], &lens[i]));
            CHECK(EVP_DecryptUpdate(opening[i], opened[i], &opened_lens[i], sealed[0], lens[0]));
        }
        CHECK(lens[0] == lens[1] && memcmp(sealed[0], sealed[1], lens[0]) == 0);
        CHECK(opened_lens[0] == opened_lens[1] && memcmp(opened[0], opened[1], opened_lens[0]) == 0);
        all += opened_lens[0];
    }
    for (int i = 0; i < 2; i++) {
        if (has_tag)
            CHECK(EVP_CIPHER_CTX_ctrl(sealing[i], EVP_CTRL_AEAD_GET_TAG, 16, tags[i])
                  && EVP_CIPHER_CTX_ctrl(opening[i], EVP_CTRL_AEAD_SET_TAG, 16, tags[0]));
        CHECK(EVP_DecryptFinal_ex(opening[i], opened[i], &opened_lens[i]));
        EVP_CIPHER_CTX_free(sealing[i]);
        EVP_CIPHER_CTX_free(opening[i]);
    }
    CHECK(memcmp(tags[0], tags[1], sizeof tags[0]) == 0);
    CHECK(opened_lens[0] == opened_lens[1] && memcmp(opened[0], opened[1], opened_lens[0]) == 0);
    CHECK(all + opened_lens[0] == LEN);
}

int main(void) {
    OSSL_PARAM sha256[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, "SHA256", 0), OSSL_PARAM_construct_end()};
    OSSL_PARAM aes[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_CIPHER, "AES-128-CBC", 0), OSSL_PARAM_construct_end()};
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = i * i % 251 + i / 251;
    digest("SHA1");
    digest("SHA256");
    digest("SHA512");
    mac("HMAC", 32, sha256);
    mac("CMAC", 16, aes);
    mac("POLY1305", 32, NULL);
    cipher("AES-128-GCM", 1);
    cipher("ChaCha20-Poly1305", 1);
    cipher("AES-128-CTR", 0);
    cipher("AES-128-CBC", 0);
    return wrong > 0;
}
