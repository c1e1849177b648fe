/* Many records of TLS 1.1 and 1.2 from one text, which libssl calls a multi-block: each record of the module is opened by
 * OpenSSL's own provider, and serially by the module. Also the module's interface of pipes, if OpenSSL may lack them.
 * It prints the line of each error, and fails then. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define MOST 8
#define LONGEST 16384
#define HEAD 5
#define BLOCK 16
/* The overhead of a record: header, initialization vector, MAC, padding. */
#define ROOM (HEAD + BLOCK + 32 + BLOCK)

/* The total length of four and of eight records, and the length of one. */
static const size_t LENS[] = {64, 127, 1000, 1024, 4096, 8191, 8192, 32768, 63488, 65535, 65536};

static uint8_t key[32], mac_key[100], text[MOST * LONGEST], records[MOST * (LONGEST + ROOM) + 1], record[LONGEST + ROOM];
static size_t mac_key_len;

static void fill(uint8_t *bytes, size_t len) {
    static uint64_t state = 1;
    for (size_t i = 0; i < len; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        bytes[i] = state >> 56;
    }
}

static EVP_CIPHER_CTX *begun(EVP_CIPHER *cipher, int seals) {
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    static const uint8_t iv[BLOCK];
    if (EVP_CipherInit_ex2(context, cipher, key, iv, seals, NULL)
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_MAC_KEY, mac_key_len, mac_key) > 0)
        return context;
    EVP_CIPHER_CTX_free(context);
    return NULL;
}

static void aad_of(uint8_t *aad, uint64_t number, int version, size_t len) {
    for (int i = 0; i < 8; i++)
        aad[i] = number >> (56 - 8 * i);
    aad[8] = 23;
    aad[9] = version >> 8;
    aad[10] = version;
    aad[11] = len >> 8;
    aad[12] = len;
}

/* Opens the record, and returns whether it is authentic. Its text follows the vector. */
static int opens(EVP_CIPHER *cipher, uint64_t number, int version, const uint8_t *body, size_t len) {
    uint8_t aad[13];
    EVP_CIPHER_CTX *context = begun(cipher, 0);
    aad_of(aad, number, version, len);
    memcpy(record, body, len);
    int fine = context != NULL && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_TLS1_AAD, sizeof aad, aad) > 0
        && EVP_Cipher(context, record, record, len) > 0;
    EVP_CIPHER_CTX_free(context);
    return fine;
}

/* Announces records, and returns their total length. */
static int told(EVP_CIPHER_CTX *context, uint64_t number, int version, size_t len, unsigned *interleave, int in_aad) {
    uint8_t aad[13];
    aad_of(aad, number, version, in_aad ? len : 0);
    EVP_CTRL_TLS1_1_MULTIBLOCK_PARAM all = {NULL, aad, in_aad ? sizeof aad : len, *interleave};
    int sum = EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_TLS1_1_MULTIBLOCK_AAD, sizeof all, &all);
    *interleave = all.interleave;
    return sum;
}

static int sealed(EVP_CIPHER_CTX *context, size_t len, unsigned interleave) {
    EVP_CTRL_TLS1_1_MULTIBLOCK_PARAM all = {records, text, len, interleave};
    return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_TLS1_1_MULTIBLOCK_ENCRYPT, sizeof all, &all);
}

/* Checks that the records contain the text, and are authentic. */
static void are_of_the_text(EVP_CIPHER *ours, EVP_CIPHER *theirs, size_t sum, unsigned count, uint64_t number, int version,
                            size_t len, size_t mac_len) {
    const uint8_t *vectors[MOST];
    size_t done = 0, start = 0;
    for (unsigned i = 0; i < count; i++) {
        const uint8_t *head = records + start;
        size_t body = start + HEAD <= sum ? head[3] << 8 | head[4] : sum;
        CHECK(head[0] == 23 && head[1] == version >> 8 && head[2] == (version & 0xff));
        if (start + HEAD + body > sum || body % BLOCK != 0 || body <= BLOCK + mac_len) {
            CHECK(!"a length of a record");
            return;
        }
        /* No two have one initialization vector. */
        vectors[i] = head + HEAD;
        for (unsigned j = 0; j < i; j++)
            CHECK(memcmp(vectors[i], vectors[j], BLOCK) != 0);
        CHECK(opens(ours, number + i, version, head + HEAD, body));
        size_t padding = record[body - 1], kept = body - BLOCK - mac_len - 1;
        CHECK(padding < BLOCK && padding <= kept);
        kept -= padding;
        CHECK(done + kept <= len && memcmp(record + BLOCK, text + done, kept) == 0);
        if (theirs != NULL) {
            CHECK(opens(theirs, number + i, version, head + HEAD, body));
            CHECK(memcmp(record + BLOCK, text + done, kept) == 0);
        }
        /* It fails with another number or after a change. */
        CHECK(!opens(theirs != NULL ? theirs : ours, number + i + 1, version, head + HEAD, body));
        records[start + HEAD + BLOCK + i] ^= 1;
        CHECK(!opens(ours, number + i, version, head + HEAD, body));
        records[start + HEAD + BLOCK + i] ^= 1;
        done += kept;
        start += HEAD + body;
    }
    CHECK(done == len && start == sum);
}

static void multi_blocks(const char *name, size_t key_len, size_t mac_len) {
    static const uint64_t numbers[] = {0, 250, 0xfffffffd, 0xfffffffffffffff0};
    static const size_t mac_key_lens[] = {20, 32, 64, 65, 100};
    EVP_CIPHER *ours = EVP_CIPHER_fetch(NULL, name, OURS), *theirs = EVP_CIPHER_fetch(NULL, name, THEIRS);
    snprintf(at, sizeof at, "%s", name);
    CHECK(ours != NULL && (size_t)EVP_CIPHER_get_key_length(ours) == key_len);
    CHECK(EVP_CIPHER_get_flags(ours) & EVP_CIPH_FLAG_TLS1_1_MULTIBLOCK);
    /* OpenSSL has them on processors with AES instructions. */
    if (theirs == NULL)
        printf("%s is not OpenSSL's own\n", name);
    fill(key, sizeof key);
    fill(mac_key, sizeof mac_key);
    for (size_t l = 0; l < COUNT(LENS); l++)
        for (unsigned count = 4; count <= 8; count += 4)
            for (int version = 0x0302; version <= 0x0303; version++) {
                size_t len = LENS[l];
                uint64_t number = numbers[(l + count / 4) % COUNT(numbers)];
                /* The length in the additional data has 16 bits. */
                int in_aad = l % 2 == 1;
                unsigned interleave = count;
                mac_key_len = mac_key_lens[l % COUNT(mac_key_lens)];
                snprintf(at, sizeof at, "%s, %u records of %zu bytes in all, version %x", name, count, len, version);
                fill(text, len);
                EVP_CIPHER_CTX *context = begun(ours, 1);
                CHECK(context != NULL);
                /* Twice, since libssl reuses one context. */
                for (int round = 0; round < 2; round++) {
                    int longest = EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_TLS1_1_MULTIBLOCK_MAX_BUFSIZE,
                                                      (len + count - 1) / count, NULL);
                    int sum = told(context, number, version, len, &interleave, in_aad);
                    CHECK(interleave == count && sum > 0 && longest > 0);
                    if (sum <= 0 || interleave != count)
                        break;
                    /* Nothing is written beyond the buffer of libssl. */
                    CHECK((unsigned)sum <= longest * count && (size_t)sum < sizeof records);
                    records[sum] = 0xa5;
                    CHECK(sealed(context, len, count) == sum);
                    CHECK(records[sum] == 0xa5);
                    are_of_the_text(ours, theirs, sum, count, number, version, len, mac_len);
                    number += count;
                }
                EVP_CIPHER_CTX_free(context);
            }

    /* What cannot be, or was not told. */
    snprintf(at, sizeof at, "%s misused", name);
    EVP_CIPHER_CTX *context = begun(ours, 1);
    unsigned interleave = 4;
    CHECK(sealed(context, 4096, 4) <= 0);
    CHECK(told(context, 0, 0x0301, 8192, &interleave, 0) <= 0);
    CHECK(told(context, 0, 0x0303, 3, &interleave, 0) <= 0);
    CHECK(told(context, 0, 0x0303, 4 * LONGEST + 4, &interleave, 0) <= 0);
    for (interleave = 0; interleave < 20; interleave++) {
        unsigned asked = interleave;
        CHECK((told(context, 0, 0x0303, 8192, &asked, 0) > 0) == (interleave == 4 || interleave == 8));
    }
    interleave = 4;
    CHECK(told(context, 0, 0x0303, 8192, &interleave, 0) > 0);
    CHECK(sealed(context, 8192, 8) <= 0);
    CHECK(sealed(context, 8192 + 64, 4) <= 0);
    CHECK(sealed(context, 8192, 4) > 0);
    EVP_CIPHER_CTX_free(context);
    context = begun(ours, 0);
    CHECK(told(context, 0, 0x0303, 8192, &interleave, 0) <= 0);
    EVP_CIPHER_CTX_free(context);
    EVP_CIPHER_free(ours);
    EVP_CIPHER_free(theirs);
}

/* Pipes are called by functions that OpenSSL has had since 3.5. What went before them, flags and controls, was another thing,
 * by which libssl 3.0 would hand in many records. */
static void pipes(const char *name) {
    unsigned version = OPENSSL_version_major() * 100 + OPENSSL_version_minor();
    EVP_CIPHER *ours = EVP_CIPHER_fetch(NULL, name, OURS);
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    void *pointers[32] = {0};
    uint8_t tag[16], aad[13] = {0};
    int len;
    OSSL_PARAM tags[] = {OSSL_PARAM_construct_octet_ptr("pipeline-tag", pointers, sizeof tag), OSSL_PARAM_construct_end()};
    snprintf(at, sizeof at, "%s without pipes", name);
    CHECK(ours != NULL);
    CHECK((dlsym(RTLD_DEFAULT, "EVP_CipherPipelineEncryptInit") != NULL) == (version >= 305));
    CHECK((EVP_CIPHER_get_flags(ours) & EVP_CIPH_FLAG_PIPELINE) == 0);
    for (int seals = 0; seals < 2; seals++) {
        CHECK(EVP_CipherInit_ex2(context, ours, key, mac_key, seals, NULL));
        CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_SET_PIPELINE_OUTPUT_BUFS, 4, pointers) <= 0);
        CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_SET_PIPELINE_INPUT_BUFS, 4, pointers) <= 0);
        CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_SET_PIPELINE_INPUT_LENS, 4, pointers) <= 0);
        /* Their parameter is one of no pipes, and the message goes on. */
        EVP_CIPHER_CTX_set_params(context, tags);
        EVP_CIPHER_CTX_get_params(context, tags);
        CHECK(EVP_CipherUpdate(context, NULL, &len, aad, sizeof aad) && len == sizeof aad);
        CHECK(EVP_CipherUpdate(context, record, &len, text, 100) && len == 100);
        if (seals)
            CHECK(EVP_CipherFinal_ex(context, record, &len)
                  && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, sizeof tag, tag));
    }
    EVP_CIPHER_CTX_free(context);
    EVP_CIPHER_free(ours);
}

int main(void) {
    multi_blocks("AES-128-CBC-HMAC-SHA1", 16, 20);
    multi_blocks("AES-256-CBC-HMAC-SHA1", 32, 20);
    multi_blocks("AES-128-CBC-HMAC-SHA256", 16, 32);
    multi_blocks("AES-256-CBC-HMAC-SHA256", 32, 32);
    pipes("AES-128-GCM");
    pipes("AES-256-GCM");
    pipes("ChaCha20-Poly1305");
    return wrong > 0;
}
