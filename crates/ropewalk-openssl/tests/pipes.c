/* Pipes of the module, for OpenSSL 3.5 and later, compared with the same messages serially by OpenSSL's own provider.
 * It prints the line of each error, and fails then. */
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define MOST EVP_MAX_PIPES
#define LONGEST 16384
#define LONGEST_AAD 200
#define TAG 16
#define NONCE 12

static const size_t COUNTS[] = {1, 2, 3, 7, 8, 16, MOST};
/* Around a block, the module's buffer for whole texts, and a record. */
static const size_t LENS[] = {0, 1, 15, 16, 17, 64, 1350, 2048, 2049, LONGEST};
/* Around the buffer for additional data. */
static const size_t AADS[] = {0, 13, 64, 65, LONGEST_AAD};

/* Messages of one key. */
struct pipes {
    size_t count;
    size_t lens[MOST], aads[MOST];
    uint8_t key[32], nonces[MOST][NONCE];
    uint8_t (*aad)[LONGEST_AAD], (*text)[LONGEST], (*sealed)[LONGEST];
    uint8_t tags[MOST][TAG];
};

/* How they are divided into calls. */
struct way {
    /* Calls for the additional data, and for the texts. */
    size_t aad_calls, text_calls;
    int in_place;
};

static uint32_t chance(void) {
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 32;
}

static void fill(void *bytes, size_t len) {
    for (size_t i = 0; i < len; i++)
        ((uint8_t *)bytes)[i] = chance();
}

/* Where the call `i` of `calls` begins in a text of that length. The pipes differ in it. */
static size_t cut(size_t len, size_t i, size_t calls, size_t pipe) {
    if (i == 0 || i == calls)
        return i == 0 ? 0 : len;
    size_t at = len * i / calls + pipe % 3;
    return at < len ? at : len;
}

/* All pipes without their ends: a context that has written to `to`, or NULL. */
static EVP_CIPHER_CTX *begun(EVP_CIPHER *cipher, int seals, struct pipes *all, const struct way *way, uint8_t (*from)[LONGEST],
                             uint8_t (*to)[LONGEST]) {
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    const uint8_t *nonces[MOST], *in[MOST];
    uint8_t *out[MOST];
    size_t lens[MOST], rooms[MOST], written[MOST];
    for (size_t i = 0; i < all->count; i++)
        nonces[i] = all->nonces[i];
    size_t key_len = EVP_CIPHER_get_key_length(cipher);
    int fine = seals ? EVP_CipherPipelineEncryptInit(context, cipher, all->key, key_len, all->count, nonces, NONCE)
                     : EVP_CipherPipelineDecryptInit(context, cipher, all->key, key_len, all->count, nonces, NONCE);
    for (size_t call = 0; fine && call < way->aad_calls; call++) {
        for (size_t i = 0; i < all->count; i++) {
            size_t start = cut(all->aads[i], call, way->aad_calls, i);
            in[i] = all->aad[i] + start;
            lens[i] = cut(all->aads[i], call + 1, way->aad_calls, i) - start;
        }
        fine = EVP_CipherPipelineUpdate(context, NULL, written, NULL, in, lens);
    }
    for (size_t call = 0; fine && call < way->text_calls; call++) {
        for (size_t i = 0; i < all->count; i++) {
            size_t start = cut(all->lens[i], call, way->text_calls, i);
            in[i] = from[i] + start;
            out[i] = to[i] + start;
            rooms[i] = lens[i] = cut(all->lens[i], call + 1, way->text_calls, i) - start;
        }
        memset(written, 0xff, sizeof written);
        fine = EVP_CipherPipelineUpdate(context, out, written, rooms, in, lens);
        for (size_t i = 0; fine && i < all->count; i++)
            fine = written[i] == lens[i];
    }
    if (!fine) {
        EVP_CIPHER_CTX_free(context);
        return NULL;
    }
    return context;
}

/* The ends of all, which write no text. */
static int ended(EVP_CIPHER_CTX *context, size_t count) {
    uint8_t room[MOST][16], *out[MOST];
    size_t rooms[MOST], written[MOST];
    for (size_t i = 0; i < count; i++) {
        out[i] = room[i];
        rooms[i] = sizeof room[i];
        written[i] = 1;
    }
    if (!EVP_CipherPipelineFinal(context, out, written, rooms))
        return 0;
    for (size_t i = 0; i < count; i++)
        CHECK(written[i] == 0);
    return 1;
}

static int tags_are(EVP_CIPHER_CTX *context, uint8_t (*tags)[TAG], size_t count, int set) {
    uint8_t *each[MOST];
    for (size_t i = 0; i < count; i++)
        each[i] = tags[i];
    OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_ptr(OSSL_CIPHER_PARAM_PIPELINE_AEAD_TAG, (void **)each, TAG),
                           OSSL_PARAM_construct_end()};
    return set ? EVP_CIPHER_CTX_set_params(context, params) : EVP_CIPHER_CTX_get_params(context, params);
}

static int sealed(EVP_CIPHER *cipher, struct pipes *all, const struct way *way, uint8_t (*to)[LONGEST], uint8_t (*tags)[TAG]) {
    EVP_CIPHER_CTX *context = begun(cipher, 1, all, way, way->in_place ? to : all->text, to);
    int fine = context != NULL && ended(context, all->count) && tags_are(context, tags, all->count, 0);
    EVP_CIPHER_CTX_free(context);
    return fine;
}

static int opened(EVP_CIPHER *cipher, struct pipes *all, const struct way *way, uint8_t (*to)[LONGEST], uint8_t (*tags)[TAG]) {
    EVP_CIPHER_CTX *context = begun(cipher, 0, all, way, way->in_place ? to : all->sealed, to);
    int fine = context != NULL && tags_are(context, tags, all->count, 1) && ended(context, all->count);
    EVP_CIPHER_CTX_free(context);
    return fine;
}

/* A single one, by OpenSSL's own provider. */
static int sealed_alone(EVP_CIPHER *cipher, struct pipes *all, size_t i) {
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int len;
    int fine = EVP_EncryptInit_ex2(context, cipher, all->key, all->nonces[i], NULL)
        && EVP_EncryptUpdate(context, NULL, &len, all->aad[i], all->aads[i])
        && EVP_EncryptUpdate(context, all->sealed[i], &len, all->text[i], all->lens[i])
        && EVP_EncryptFinal_ex(context, all->sealed[i] + len, &len)
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, TAG, all->tags[i]);
    EVP_CIPHER_CTX_free(context);
    return fine;
}

static int same(struct pipes *all, uint8_t (*these)[LONGEST], uint8_t (*those)[LONGEST]) {
    for (size_t i = 0; i < all->count; i++)
        if (memcmp(these[i], those[i], all->lens[i]) != 0)
            return 0;
    return 1;
}

static void copy(struct pipes *all, uint8_t (*to)[LONGEST], uint8_t (*from)[LONGEST]) {
    for (size_t i = 0; i < all->count; i++)
        memcpy(to[i], from[i], all->lens[i]);
}

/* All checks of these messages, divided in this way. */
static void both_ways(EVP_CIPHER *ours, struct pipes *all, const struct way *way, uint8_t (*room)[LONGEST]) {
    uint8_t tags[MOST][TAG];
    copy(all, room, all->text);
    CHECK(sealed(ours, all, way, room, tags));
    CHECK(same(all, room, all->sealed));
    CHECK(memcmp(tags, all->tags, all->count * TAG) == 0);

    copy(all, room, all->sealed);
    CHECK(opened(ours, all, way, room, tags));
    CHECK(same(all, room, all->text));

    /* One pipe is forged, and the others are not. */
    size_t forged = chance() % all->count;
    copy(all, room, all->sealed);
    tags[forged][chance() % TAG] ^= 1 << chance() % 8;
    CHECK(!opened(ours, all, way, room, tags));
    memcpy(tags, all->tags, sizeof tags);
    if (all->lens[forged] > 0) {
        uint8_t *byte = &all->sealed[forged][chance() % all->lens[forged]];
        *byte ^= 1;
        copy(all, room, all->sealed);
        CHECK(!opened(ours, all, way, room, tags));
        *byte ^= 1;
    }
    if (all->aads[forged] > 0) {
        uint8_t *byte = &all->aad[forged][chance() % all->aads[forged]];
        *byte ^= 1;
        copy(all, room, all->sealed);
        CHECK(!opened(ours, all, way, room, tags));
        *byte ^= 1;
    }
}

static void filled(EVP_CIPHER *theirs, struct pipes *all) {
    fill(all->key, sizeof all->key);
    fill(all->nonces, sizeof all->nonces);
    for (size_t i = 0; i < all->count; i++) {
        fill(all->aad[i], all->aads[i]);
        fill(all->text[i], all->lens[i]);
        CHECK(sealed_alone(theirs, all, i));
    }
}

static void every_way(const char *name, struct pipes *all, uint8_t (*room)[LONGEST]) {
    EVP_CIPHER *ours = EVP_CIPHER_fetch(NULL, name, OURS), *theirs = EVP_CIPHER_fetch(NULL, name, THEIRS);
    snprintf(at, sizeof at, "%s", name);
    CHECK(ours != NULL && theirs != NULL);
    CHECK(EVP_CIPHER_can_pipeline(ours, 1) && EVP_CIPHER_can_pipeline(ours, 0));
    for (size_t c = 0; c < COUNT(COUNTS); c++) {
        all->count = COUNTS[c];
        /* One length for all, and then unequal ones. */
        for (size_t l = 0; l < COUNT(LENS) + 6; l++) {
            int equal = l < COUNT(LENS);
            for (size_t i = 0; i < all->count; i++) {
                all->lens[i] = equal ? LENS[l] : LENS[(l + i * (l % 3 + 1)) % COUNT(LENS)];
                /* Messages that fit into the buffer for whole texts. */
                if (!equal && l % 2 == 0)
                    all->lens[i] = chance() % 300;
                all->aads[i] = AADS[equal ? (c + l) % COUNT(AADS) : i % COUNT(AADS)];
            }
            filled(theirs, all);
            for (size_t w = 0; w < 4; w++) {
                const struct way way = {1 + w % 2, w == 3 ? 5 : 1 + w, (w + l) % 2};
                snprintf(at, sizeof at, "%s, %zu pipes, lengths %zu, %zu calls, in place %d", name, all->count, l,
                         way.text_calls, way.in_place);
                both_ways(ours, all, &way, room);
            }
        }
    }
    EVP_CIPHER_free(ours);
    EVP_CIPHER_free(theirs);
}

/* The same context again: other nonces with the current key, then fewer pipes. */
static void again(const char *name, struct pipes *all, uint8_t (*room)[LONGEST]) {
    static const size_t counts[] = {8, 3, 16};
    EVP_CIPHER *ours = EVP_CIPHER_fetch(NULL, name, OURS), *theirs = EVP_CIPHER_fetch(NULL, name, THEIRS);
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    uint8_t *out[MOST], key[32], tags[MOST][TAG];
    const uint8_t *nonces[MOST], *in[MOST];
    size_t key_len = EVP_CIPHER_get_key_length(ours), written[MOST];
    fill(key, sizeof key);
    for (size_t c = 0; c < COUNT(counts); c++) {
        snprintf(at, sizeof at, "%s again, %zu pipes", name, counts[c]);
        all->count = counts[c];
        for (size_t i = 0; i < all->count; i++) {
            all->lens[i] = 100 + i;
            all->aads[i] = 0;
            nonces[i] = all->nonces[i];
            in[i] = all->text[i];
            out[i] = room[i];
        }
        filled(theirs, all);
        memcpy(all->key, key, sizeof key);
        for (size_t i = 0; i < all->count; i++)
            CHECK(sealed_alone(theirs, all, i));
        /* A context whose cipher is set again starts without pipes. */
        CHECK(EVP_CipherPipelineEncryptInit(context, c == 0 ? ours : NULL, c == 0 ? key : NULL, c == 0 ? key_len : 0,
                                            all->count, nonces, NONCE));
        CHECK(EVP_CipherPipelineUpdate(context, out, written, all->lens, in, all->lens));
        /* There is no tag before the end. */
        CHECK(!tags_are(context, tags, all->count, 0));
        EVP_CIPHER_CTX *twin = EVP_CIPHER_CTX_dup(context);
        CHECK(twin != NULL && ended(twin, all->count) && tags_are(twin, tags, all->count, 0));
        CHECK(memcmp(tags, all->tags, all->count * TAG) == 0);
        EVP_CIPHER_CTX_free(twin);
        memset(tags, 0, sizeof tags);
        CHECK(ended(context, all->count) && tags_are(context, tags, all->count, 0));
        CHECK(memcmp(tags, all->tags, all->count * TAG) == 0 && same(all, room, all->sealed));
        /* No nonce is used twice. */
        CHECK(!EVP_CipherPipelineUpdate(context, out, written, all->lens, in, all->lens));
    }
    EVP_CIPHER_CTX_free(context);
    EVP_CIPHER_free(ours);
    EVP_CIPHER_free(theirs);
}

static void misuse(const char *name, struct pipes *all, uint8_t (*room)[LONGEST]) {
    EVP_CIPHER *ours = EVP_CIPHER_fetch(NULL, name, OURS);
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    const uint8_t *nonces[MOST + 1], *in[MOST + 1];
    uint8_t *out[MOST + 1], tags[MOST][TAG];
    size_t key_len = EVP_CIPHER_get_key_length(ours), lens[MOST + 1], rooms[MOST + 1], written[MOST + 1];
    snprintf(at, sizeof at, "%s misused", name);
    for (size_t i = 0; i <= MOST; i++) {
        nonces[i] = all->nonces[0];
        in[i] = all->text[0];
        out[i] = room[i % MOST];
        lens[i] = 100;
        rooms[i] = i == 1 ? 99 : 100;
    }
    CHECK(!EVP_CipherPipelineEncryptInit(context, ours, all->key, key_len, MOST + 1, nonces, NONCE));
    CHECK(!EVP_CipherPipelineEncryptInit(context, ours, all->key, key_len - 1, 2, nonces, NONCE));
    CHECK(!EVP_CipherPipelineEncryptInit(context, ours, all->key, key_len, 2, nonces, 0));
    /* A new context, since one that has had a cipher forgets the number of pipes. */
    EVP_CIPHER_CTX_free(context);
    context = EVP_CIPHER_CTX_new();
    CHECK(EVP_CipherPipelineEncryptInit(context, ours, all->key, key_len, 2, nonces, NONCE));
    /* Too little room in one. */
    memset(room[1], 7, 101);
    CHECK(!EVP_CipherPipelineUpdate(context, out, written, rooms, in, lens));
    CHECK(room[1][99] == 7);
    EVP_CIPHER_CTX_free(context);
    context = EVP_CIPHER_CTX_new();
    /* No key, and no tag to compare with. */
    CHECK(EVP_CipherPipelineDecryptInit(context, ours, NULL, 0, 2, nonces, NONCE));
    CHECK(!EVP_CipherPipelineUpdate(context, out, written, lens, in, lens));
    EVP_CIPHER_CTX_free(context);
    context = EVP_CIPHER_CTX_new();
    CHECK(EVP_CipherPipelineDecryptInit(context, ours, all->key, key_len, 2, nonces, NONCE));
    CHECK(EVP_CipherPipelineUpdate(context, out, written, lens, in, lens));
    CHECK(!tags_are(context, tags, 2, 0));
    CHECK(!ended(context, 2));
    EVP_CIPHER_CTX_free(context);
    EVP_CIPHER_free(ours);
}

int main(void) {
    static const char *const names[] = {"AES-128-GCM", "AES-256-GCM", "ChaCha20-Poly1305"};
    static struct pipes all;
    all.aad = calloc(MOST, sizeof *all.aad);
    all.text = calloc(MOST, sizeof *all.text);
    all.sealed = calloc(MOST, sizeof *all.sealed);
    uint8_t (*room)[LONGEST] = calloc(MOST, sizeof *room);
    for (size_t i = 0; i < COUNT(names); i++) {
        every_way(names[i], &all, room);
        again(names[i], &all, room);
        misuse(names[i], &all, room);
    }
    free(all.aad);
    free(all.text);
    free(all.sealed);
    free(room);
    return wrong > 0;
}
