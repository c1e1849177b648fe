/* MAC and KDF of the module, compared with OpenSSL's own provider: calls that the command line lacks.
 * It prints the line of each error, and fails then. */
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

/* Whether memory is checked, which is slow. */
static int watched;

static uint8_t text[4096], key[256];

static OSSL_PARAM words(const char *name, const char *value) {
    return OSSL_PARAM_construct_utf8_string(name, (char *)value, 0);
}

static OSSL_PARAM octets(const char *name, const void *value, size_t len) {
    return OSSL_PARAM_construct_octet_string(name, (void *)value, len);
}

/* A MAC of a provider, based on a digest or cipher. */
static EVP_MAC_CTX *new_mac(const char *provider, const char *name, const char *made_of, const char *what) {
    EVP_MAC *mac = EVP_MAC_fetch(NULL, name, provider);
    EVP_MAC_CTX *context = EVP_MAC_CTX_new(mac);
    OSSL_PARAM params[] = {words(made_of, what), OSSL_PARAM_END};
    EVP_MAC_free(mac);
    if (context == NULL || (what != NULL && !EVP_MAC_CTX_set_params(context, params))) {
        EVP_MAC_CTX_free(context);
        return NULL;
    }
    return context;
}

static int same_tag(EVP_MAC_CTX *one, EVP_MAC_CTX *other) {
    uint8_t tags[2][64];
    size_t lens[2] = {0, 0};
    return EVP_MAC_final(one, tags[0], &lens[0], 64) && EVP_MAC_final(other, tags[1], &lens[1], 64)
        && lens[0] > 0 && lens[0] == lens[1] && EVP_MAC_CTX_get_mac_size(one) == lens[0]
        && memcmp(tags[0], tags[1], lens[0]) == 0;
}

/* Chunks, a duplicate in the middle, the same key again, another key. */
static void streams(const char *name, const char *made_of, const char *what, size_t key_len, int again) {
    EVP_MAC_CTX *ours = new_mac(OURS, name, made_of, what);
    EVP_MAC_CTX *theirs = new_mac(THEIRS, name, made_of, what);
    OSSL_PARAM iv[] = {octets("iv", text + 7, 12), OSSL_PARAM_END};
    int gmac = strcmp(name, "GMAC") == 0;
    CHECK((ours == NULL) == (theirs == NULL));
    /* Some are built without it. */
    if (ours == NULL || theirs == NULL)
        return;
    for (size_t len = 0; len < 300; len = len * 3 / 2 + 1) {
        iv[0].data = text + len;
        CHECK(EVP_MAC_init(ours, key + len % 64, key_len, gmac ? iv : NULL));
        CHECK(EVP_MAC_init(theirs, key + len % 64, key_len, gmac ? iv : NULL));
        for (int round = 0; round < 2; round++) {
            CHECK(EVP_MAC_update(ours, text, len) && EVP_MAC_update(ours, text, 0));
            CHECK(EVP_MAC_update(theirs, text, len));
            EVP_MAC_CTX *twin = EVP_MAC_CTX_dup(ours), *their_twin = EVP_MAC_CTX_dup(theirs);
            CHECK(EVP_MAC_update(ours, text + len, 77) && EVP_MAC_update(theirs, text + len, 77));
            CHECK(EVP_MAC_update(twin, text, 33) && EVP_MAC_update(their_twin, text, 33));
            CHECK(same_tag(ours, theirs));
            CHECK(same_tag(twin, their_twin));
            EVP_MAC_CTX_free(twin);
            EVP_MAC_CTX_free(their_twin);
            if (!again)
                break;
            CHECK(EVP_MAC_init(ours, NULL, 0, gmac ? iv : NULL));
            CHECK(EVP_MAC_init(theirs, NULL, 0, gmac ? iv : NULL));
        }
    }
    EVP_MAC_CTX_free(ours);
    EVP_MAC_CTX_free(theirs);
}

/* A MAC that is freed in the middle of a message, and calls out of order. */
static void misuse(const char *name, const char *made_of, const char *what, size_t key_len) {
    uint8_t tag[64];
    size_t len;
    EVP_MAC_CTX *mac = new_mac(OURS, name, made_of, NULL);
    OSSL_PARAM bad_key[] = {words("key", "a key that is words"), OSSL_PARAM_END};
    OSSL_PARAM bad_choice[] = {octets(made_of, what, strlen(what)), OSSL_PARAM_END};
    OSSL_PARAM no_choice[] = {words(made_of, "nothing has this name"), OSSL_PARAM_END};
    OSSL_PARAM bad_size[] = {words("tls-data-size", "12"), OSSL_PARAM_END};
    OSSL_PARAM null_key[] = {octets("key", NULL, 0), OSSL_PARAM_END};
    OSSL_PARAM unknown[] = {words("unheard of", "12"), OSSL_PARAM_END};
    CHECK(!EVP_MAC_update(mac, text, 1));
    CHECK(!EVP_MAC_final(mac, tag, &len, sizeof tag));
    CHECK(!EVP_MAC_init(mac, key, key_len + 1000, NULL));
    CHECK(!EVP_MAC_CTX_set_params(mac, bad_key));
    if (strcmp(name, "POLY1305") != 0) {
        CHECK(!EVP_MAC_init(mac, key, key_len, NULL));
        CHECK(!EVP_MAC_CTX_set_params(mac, bad_choice));
        CHECK(!EVP_MAC_CTX_set_params(mac, no_choice));
    }
    EVP_MAC_CTX_free(mac);

    mac = new_mac(OURS, name, made_of, strcmp(name, "POLY1305") == 0 ? NULL : what);
    CHECK(EVP_MAC_CTX_set_params(mac, unknown));
    CHECK(EVP_MAC_CTX_set_params(mac, NULL));
    CHECK(EVP_MAC_CTX_set_params(mac, null_key) && !EVP_MAC_update(mac, text, 1));
    if (strcmp(name, "HMAC") == 0)
        CHECK(!EVP_MAC_CTX_set_params(mac, bad_size));
    if (strcmp(name, "GMAC") == 0) {
        OSSL_PARAM iv[] = {octets("iv", text, 12), OSSL_PARAM_END};
        CHECK(EVP_MAC_init(mac, key, key_len, NULL));
        CHECK(!EVP_MAC_update(mac, text, 1));
        CHECK(EVP_MAC_init(mac, NULL, 0, iv));
    } else {
        CHECK(EVP_MAC_init(mac, key, key_len, NULL));
    }
    CHECK(EVP_MAC_update(mac, text, 100));
    CHECK(!EVP_MAC_final(mac, tag, &len, EVP_MAC_CTX_get_mac_size(mac) - 1));
    CHECK(EVP_MAC_final(mac, NULL, &len, 0) && len == EVP_MAC_CTX_get_mac_size(mac));
    CHECK(EVP_MAC_final(mac, tag, &len, sizeof tag));
    CHECK(!EVP_MAC_final(mac, tag, &len, sizeof tag));
    CHECK(!EVP_MAC_update(mac, text, 1));
    EVP_MAC_CTX_free(mac);

    /* A key after one that has failed. */
    mac = new_mac(OURS, name, made_of, strcmp(name, "POLY1305") == 0 ? NULL : what);
    CHECK(EVP_MAC_init(mac, key, key_len, NULL));
    if (strcmp(name, "HMAC") != 0)
        CHECK(!EVP_MAC_init(mac, key, key_len - 1, NULL));
    EVP_MAC_CTX_free(mac);
}

/* From one hash function to another, which may be of another provider. */
static void changes(void) {
    static const char *const names[] = {"SM3", "SHA256", "RIPEMD160", "BLAKE2B512", "SHA512-224", "sha-384", "SHA1"};
    EVP_MAC_CTX *ours = new_mac(OURS, "HMAC", "digest", "SM3");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        EVP_MAC_CTX *theirs = new_mac(THEIRS, "HMAC", "digest", names[i]);
        OSSL_PARAM params[] = {words("digest", names[i]), OSSL_PARAM_END};
        if (theirs == NULL)
            continue;
        CHECK(EVP_MAC_init(ours, key, 20 + i, params) && EVP_MAC_init(theirs, key, 20 + i, NULL));
        CHECK(EVP_MAC_update(ours, text, 200) && EVP_MAC_update(theirs, text, 200));
        EVP_MAC_CTX *twin = EVP_MAC_CTX_dup(ours);
        CHECK(EVP_MAC_CTX_get_block_size(ours) == EVP_MAC_CTX_get_block_size(theirs));
        CHECK(same_tag(twin, theirs));
        EVP_MAC_CTX_free(twin);
        EVP_MAC_CTX_free(theirs);
    }
    EVP_MAC_CTX_free(ours);
}

/* TLS records with a secret length: the tag is that of a plain message of that length. */
static void records(const char *digest, size_t mac_len, size_t step) {
    EVP_MAC_CTX *ours = new_mac(OURS, "HMAC", "digest", digest);
    EVP_MAC_CTX *theirs = new_mac(THEIRS, "HMAC", "digest", digest);
    const uint8_t *header = text + 1000;
    CHECK(EVP_MAC_init(ours, key, mac_len, NULL) && EVP_MAC_init(theirs, key, mac_len, NULL));
    for (size_t size = mac_len + 1; size < 800; size += !watched && size < 3 * mac_len ? 1 : step) {
        size_t most = size - mac_len, least = most > 256 ? most - 256 : 0;
        OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t("tls-data-size", &size), OSSL_PARAM_END};
        uint8_t *record = OPENSSL_memdup(text, size);
        for (size_t len = least; len <= most; len += watched ? 51 : 1) {
            EVP_MAC_CTX *one = EVP_MAC_CTX_dup(ours), *plain = EVP_MAC_CTX_dup(theirs);
            CHECK(EVP_MAC_CTX_set_params(one, params));
            CHECK(EVP_MAC_update(one, header, 13) && EVP_MAC_update(one, record, len));
            CHECK(EVP_MAC_update(plain, header, 13) && EVP_MAC_update(plain, record, len));
            CHECK(same_tag(one, plain));
            EVP_MAC_CTX_free(one);
            EVP_MAC_CTX_free(plain);
        }
        OPENSSL_free(record);
    }
    /* No header, a longer text than the record, no text. */
    size_t size = 100, len;
    uint8_t tag[64];
    OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t("tls-data-size", &size), OSSL_PARAM_END};
    CHECK(EVP_MAC_CTX_set_params(ours, params));
    CHECK(!EVP_MAC_update(ours, text, 14));
    CHECK(EVP_MAC_update(ours, text, 13));
    CHECK(!EVP_MAC_final(ours, tag, &len, sizeof tag));
    CHECK(!EVP_MAC_update(ours, text, 101));
    /* Shorter than a MAC: it is refused, and nothing beyond it is read. */
    size = 5;
    uint8_t *record = OPENSSL_memdup(text, size);
    CHECK(EVP_MAC_init(ours, NULL, 0, params) && EVP_MAC_update(ours, text, 13));
    CHECK(!EVP_MAC_update(ours, record, 5));
    OPENSSL_free(record);
    EVP_MAC_CTX_free(ours);
    EVP_MAC_CTX_free(theirs);
}

static EVP_KDF_CTX *new_kdf(const char *provider, const char *name) {
    EVP_KDF *kdf = EVP_KDF_fetch(NULL, name, provider);
    EVP_KDF_CTX *context = EVP_KDF_CTX_new(kdf);
    EVP_KDF_free(kdf);
    return context;
}

/* Parameters in several calls, a duplicate between them, and once more after a reset. */
static void derivations(const char *name, const char *digest, const OSSL_PARAM *first, const OSSL_PARAM *second) {
    EVP_KDF_CTX *ours = new_kdf(OURS, name), *theirs = new_kdf(THEIRS, name);
    OSSL_PARAM choice[] = {words("digest", digest), OSSL_PARAM_END};
    uint8_t keys[2][333];
    CHECK(ours != NULL && theirs != NULL);
    for (int round = 0; round < 2; round++) {
        CHECK(EVP_KDF_CTX_set_params(ours, first) && EVP_KDF_CTX_set_params(theirs, first));
        CHECK(EVP_KDF_CTX_set_params(ours, choice) && EVP_KDF_CTX_set_params(theirs, choice));
        EVP_KDF_CTX *twin = EVP_KDF_CTX_dup(ours);
        CHECK(EVP_KDF_CTX_get_kdf_size(twin) == EVP_KDF_CTX_get_kdf_size(theirs));
        size_t len = EVP_KDF_CTX_get_kdf_size(theirs);
        len = len < 333 ? len : 333;
        CHECK(EVP_KDF_derive(twin, keys[0], len, second));
        CHECK(EVP_KDF_derive(theirs, keys[1], len, second));
        CHECK(memcmp(keys[0], keys[1], len) == 0);
        EVP_KDF_CTX_free(twin);
        CHECK(EVP_KDF_derive(ours, keys[0], len, second));
        CHECK(memcmp(keys[0], keys[1], len) == 0);
        EVP_KDF_CTX_reset(ours);
        EVP_KDF_CTX_reset(theirs);
        CHECK(!EVP_KDF_derive(ours, keys[0], len, NULL));
        CHECK(!EVP_KDF_derive(ours, NULL, 0, NULL));
    }
    OSSL_PARAM bad_digest[] = {octets("digest", "SHA256", 6), OSSL_PARAM_END};
    OSSL_PARAM no_digest[] = {words("digest", "nothing has this name"), OSSL_PARAM_END};
    OSSL_PARAM bad_secrets[] = {words("key", "a"), OSSL_PARAM_END};
    int pbkdf2 = strcmp(name, "PBKDF2") == 0;
    bad_secrets[0].key = pbkdf2 ? "salt" : strcmp(name, "TLS1-PRF") == 0 ? "seed" : "key";
    CHECK(!EVP_KDF_CTX_set_params(ours, bad_digest));
    CHECK(!EVP_KDF_CTX_set_params(ours, no_digest));
    CHECK(!EVP_KDF_CTX_set_params(ours, bad_secrets));
    EVP_KDF_CTX_free(ours);
    EVP_KDF_CTX_free(theirs);
}

static void all_derivations(const char *digest) {
    int expand = EVP_KDF_HKDF_MODE_EXPAND_ONLY, extract = EVP_KDF_HKDF_MODE_EXTRACT_ONLY;
    unsigned int iterations = 3;
    OSSL_PARAM hkdf[] = {octets("key", key, 33), octets("salt", text, 17), OSSL_PARAM_END};
    OSSL_PARAM info[] = {octets("info", text, 10), octets("info", text + 20, 11), OSSL_PARAM_END};
    OSSL_PARAM only_extract[] = {octets("key", key, 0), OSSL_PARAM_construct_int("mode", &extract), OSSL_PARAM_END};
    OSSL_PARAM only_expand[] = {octets("key", key, 99), OSSL_PARAM_construct_int("mode", &expand), OSSL_PARAM_END};
    OSSL_PARAM prf[] = {octets("secret", key, 47), octets("seed", text, 13), OSSL_PARAM_END};
    OSSL_PARAM password[] = {octets("pass", "password", 8), octets("salt", text, 8), OSSL_PARAM_END};
    OSSL_PARAM often[] = {OSSL_PARAM_construct_uint("iter", &iterations), OSSL_PARAM_END};
    OSSL_PARAM label[] = {octets("prefix", "tls13 ", 6), octets("label", "derived", 7), OSSL_PARAM_END};
    OSSL_PARAM none[] = {OSSL_PARAM_END};
    derivations("HKDF", digest, hkdf, info);
    derivations("HKDF", digest, only_extract, none);
    derivations("HKDF", digest, only_expand, info);
    derivations("TLS13-KDF", digest, only_extract, label);
    derivations("TLS13-KDF", digest, only_expand, label);
    derivations("TLS1-PRF", digest, prf, none);
    derivations("PBKDF2", digest, password, often);
}

/* Keys of the older interfaces, which fetch a MAC or a derivation by its name. */
static void keys(const char *ours_or_theirs, uint8_t out[3][64]) {
    EVP_PKEY *secret = EVP_PKEY_new_raw_private_key_ex(NULL, "HMAC", ours_or_theirs, key, 40);
    EVP_MD_CTX *sign = EVP_MD_CTX_new();
    size_t len = 64;
    CHECK(EVP_DigestSignInit_ex(sign, NULL, "SHA256", NULL, NULL, secret, NULL) == 1);
    CHECK(EVP_DigestSignUpdate(sign, text, 500) == 1 && EVP_DigestSignFinal(sign, out[0], &len) == 1);
    CHECK(len == 32);
    EVP_MD_CTX_free(sign);
    EVP_PKEY_free(secret);

    EVP_PKEY_CTX *hkdf = EVP_PKEY_CTX_new_from_name(NULL, "HKDF", NULL);
    len = 64;
    CHECK(EVP_PKEY_derive_init(hkdf) == 1 && EVP_PKEY_CTX_set_hkdf_md(hkdf, EVP_sha384()) == 1);
    CHECK(EVP_PKEY_CTX_set1_hkdf_key(hkdf, key, 40) == 1 && EVP_PKEY_CTX_set1_hkdf_salt(hkdf, text, 9) == 1);
    CHECK(EVP_PKEY_CTX_add1_hkdf_info(hkdf, text, 10) == 1 && EVP_PKEY_derive(hkdf, out[1], &len) == 1);
    EVP_PKEY_CTX_free(hkdf);

    EVP_PKEY_CTX *prf = EVP_PKEY_CTX_new_from_name(NULL, "TLS1-PRF", NULL);
    len = 64;
    CHECK(EVP_PKEY_derive_init(prf) == 1 && EVP_PKEY_CTX_set_tls1_prf_md(prf, EVP_md5_sha1()) == 1);
    CHECK(EVP_PKEY_CTX_set1_tls1_prf_secret(prf, key, 47) == 1);
    CHECK(EVP_PKEY_CTX_add1_tls1_prf_seed(prf, text, 10) == 1 && EVP_PKEY_CTX_add1_tls1_prf_seed(prf, text, 20) == 1);
    CHECK(EVP_PKEY_derive(prf, out[2], &len) == 1);
    EVP_PKEY_CTX_free(prf);
}

int main(int argc, char **argv) {
    watched = argc > 1 && strcmp(argv[1], "watched") == 0;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (uint8_t)(i * i + i / 7);
    for (size_t i = 0; i < sizeof key; i++)
        key[i] = (uint8_t)(i * 73 + 5);

    static const char *const ours[] = {"SHA1", "sha-224", "SHA2-256", "SHA384", "2.16.840.1.101.3.4.2.3",
        "SHA512-256", "SHA3-224", "SHA3-256", "SHA3-384", "SHA3-512", "SM3", "md5"};
    static const char *const others[] = {"BLAKE2S256", "SHA512-224", "MD5-SHA1"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        streams("HMAC", "digest", ours[i], 5 + 20 * (i % 7), 1);
        all_derivations(ours[i]);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        streams("HMAC", "digest", others[i], 50, 1);
        all_derivations(others[i]);
    }
    streams("CMAC", "cipher", "AES-128-CBC", 16, 1);
    streams("CMAC", "cipher", "AES192", 24, 1);
    streams("CMAC", "cipher", "aes-256-cbc", 32, 1);
    streams("CMAC", "cipher", "DES-EDE3-CBC", 24, 1);
    streams("CMAC", "cipher", "CAMELLIA-256-CBC", 32, 1);
    streams("GMAC", "cipher", "AES-128-GCM", 16, 1);
    streams("GMAC", "cipher", "AES-256-GCM", 32, 1);
    /* memcheck considers OpenSSL 3.0's output here undefined, without the module too. */
    if (!watched)
        streams("GMAC", "cipher", "ARIA-128-GCM", 16, 1);
    streams("POLY1305", "none", NULL, 32, 0);
    misuse("HMAC", "digest", "SHA256", 32);
    misuse("CMAC", "cipher", "AES-128-CBC", 16);
    misuse("GMAC", "cipher", "AES-128-GCM", 16);
    misuse("POLY1305", "none", "none", 32);
    changes();
    records("MD5", 16, 331);
    records("SHA1", 20, 97);
    records("SHA256", 32, 199);
    records("SHA384", 48, 199);

    uint8_t made[2][3][64] = {0};
    keys(NULL, made[0]);
    EVP_set_default_properties(NULL, THEIRS);
    keys(NULL, made[1]);
    CHECK(memcmp(made[0], made[1], sizeof made[0]) == 0);
    return wrong != 0;
}
