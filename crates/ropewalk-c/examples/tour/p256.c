/* Keys of P-256, one at a time and many. */

#include "tour.h"

enum { MANY = 70 };

/* RFC 6979, section A.2.5. */
static const char *const SECRET = "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721";
static const char *const PUBLIC =
    "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
    "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299";
static const char *const SIGNATURE =
    "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
    "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8";

/* n, the order of the base point. */
static const char *const ORDER = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";

static void private_keys(void) {
  uint8_t secret[32], out[32], bytes[65];
  char words[100];
  ropewalk_p256_key key;
  tour_hex(SECRET, secret);
  DOES(ropewalk_p256_key_init(&key, secret, &tour_error));
  DOES(ropewalk_p256_key_bytes(&key, out, &tour_error));
  HOLDS(memcmp(out, secret, 32) == 0);
  DOES(ropewalk_p256_public(&key, bytes, ROPEWALK_P256_UNCOMPRESSED_LEN, &tour_error));
  HOLDS(tour_is(bytes, PUBLIC));
  DOES(ropewalk_p256_public(&key, bytes, ROPEWALK_P256_COMPRESSED_LEN, &tour_error));
  HOLDS(bytes[0] == 3 && tour_is(bytes + 1, "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"));
  memset(bytes, 7, sizeof bytes);
  FAILS(ROPEWALK_LENGTH, ropewalk_p256_public(&key, bytes, 64, &tour_error));
  HOLDS(tour_error.got == 64 && strcmp(tour_error.allowed, "33 or 65 bytes") == 0 && bytes[0] == 7);
  FAILS(ROPEWALK_LENGTH, ropewalk_p256_public(&key, NULL, 0, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_p256_public(&key, NULL, 65, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_p256_public(NULL, bytes, 65, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_p256_key_bytes(&key, NULL, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_p256_public(&key, &key.words[7], 33, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_p256_key_bytes(&key, &key, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_p256_key_init(&key, &key.words[2], &tour_error));

  /* Numbers that are no private key: 0, n and more. */
  memset(secret, 0, sizeof secret);
  FAILS(ROPEWALK_INVALID, ropewalk_p256_key_init(&key, secret, &tour_error));
  (void)ropewalk_error_text(&tour_error, words, sizeof words);
  HOLDS(strcmp(words, "private key is invalid: it is not from 1 to n - 1") == 0);
  for (size_t i = 0; i < ROPEWALK_P256_KEY_WORDS; i++) HOLDS(key.words[i] == 0);
  tour_hex(ORDER, secret);
  FAILS(ROPEWALK_INVALID, ropewalk_p256_key_init(&key, secret, &tour_error));
  memset(secret, 0xff, sizeof secret);
  FAILS(ROPEWALK_INVALID, ropewalk_p256_key_init(&key, secret, &tour_error));
  FAILS(ROPEWALK_NOT_READY, ropewalk_p256_public(&key, bytes, 65, &tour_error));
  FAILS(ROPEWALK_NOT_READY, ropewalk_p256_key_bytes(&key, out, &tour_error));
  tour_hex(ORDER, secret);
  secret[31] -= 1;
  DOES(ropewalk_p256_key_init(&key, secret, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_p256_key_init(&key, NULL, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_p256_key_init(NULL, secret, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_p256_key_generate(NULL, &tour_error));
  DOES(ropewalk_p256_key_generate(&key, &tour_error));
  ropewalk_p256_key_wipe(&key);
  for (size_t i = 0; i < ROPEWALK_P256_KEY_WORDS; i++) HOLDS(key.words[i] == 0);
  ropewalk_p256_key_wipe(NULL);
}

static void public_keys(void) {
  uint8_t bytes[65], compressed[33], out[65];
  char words[100];
  ropewalk_p256_public_key key;
  tour_hex(PUBLIC, bytes);
  DOES(ropewalk_p256_public_key_init(&key, bytes, 65, &tour_error));
  DOES(ropewalk_p256_public_key_bytes(&key, out, 65, &tour_error));
  HOLDS(memcmp(out, bytes, 65) == 0);
  DOES(ropewalk_p256_public_key_bytes(&key, compressed, 33, &tour_error));
  ropewalk_p256_public_key_wipe(&key);
  DOES(ropewalk_p256_public_key_init(&key, compressed, 33, &tour_error));
  DOES(ropewalk_p256_public_key_bytes(&key, out, 65, &tour_error));
  HOLDS(memcmp(out, bytes, 65) == 0);
  FAILS(ROPEWALK_LENGTH, ropewalk_p256_public_key_bytes(&key, out, 32, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_p256_public_key_bytes(&key, NULL, 65, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_p256_public_key_bytes(&key, &key, 65, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_p256_public_key_init(&key, &key, 65, &tour_error));

  /* Another y, another form, another length. */
  bytes[64] ^= 1;
  FAILS(ROPEWALK_INVALID, ropewalk_p256_public_key_init(&key, bytes, 65, &tour_error));
  (void)ropewalk_error_text(&tour_error, words, sizeof words);
  HOLDS(strcmp(words, "public key is invalid: it is not on the curve") == 0);
  for (size_t i = 0; i < ROPEWALK_P256_PUBLIC_KEY_WORDS; i++) HOLDS(key.words[i] == 0);
  FAILS(ROPEWALK_NOT_READY, ropewalk_p256_public_key_bytes(&key, out, 65, &tour_error));
  bytes[64] ^= 1;
  bytes[0] = 6;
  FAILS(ROPEWALK_INVALID, ropewalk_p256_public_key_init(&key, bytes, 65, &tour_error));
  FAILS(ROPEWALK_LENGTH, ropewalk_p256_public_key_init(&key, bytes, 64, &tour_error));
  FAILS(ROPEWALK_LENGTH, ropewalk_p256_public_key_init(&key, NULL, 0, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_p256_public_key_init(&key, NULL, 33, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_p256_public_key_init(NULL, compressed, 33, &tour_error));
}

static void signatures(void) {
  uint8_t bytes[65], digest[64], signature[64];
  ropewalk_p256_key key;
  ropewalk_p256_public_key public_key;
  tour_hex(SECRET, bytes);
  DOES(ropewalk_p256_key_init(&key, bytes, &tour_error));
  tour_hex(PUBLIC, bytes);
  DOES(ropewalk_p256_public_key_init(&public_key, bytes, 65, &tour_error));
  DOES(ropewalk_hash_digest(ROPEWALK_SHA256, "sample", 6, digest, 32, &tour_error));
  DOES(ropewalk_p256_sign_deterministic(&key, digest, 32, signature, &tour_error));
  HOLDS(tour_is(signature, SIGNATURE));
  tour_print("P-256", signature, ROPEWALK_P256_SIGNATURE_LEN);
  DOES(ropewalk_p256_verify(&public_key, digest, 32, signature, &tour_error));

  /* With random bytes, each is another one. */
  DOES(ropewalk_p256_sign(&key, digest, 32, signature, &tour_error));
  HOLDS(!tour_is(signature, SIGNATURE));
  DOES(ropewalk_p256_verify(&public_key, digest, 32, signature, &tour_error));
  signature[40] ^= 1;
  FAILS(ROPEWALK_FORGED, ropewalk_p256_verify(&public_key, digest, 32, signature, &tour_error));
  /* An s of 0. */
  memset(signature + 32, 0, 32);
  FAILS(ROPEWALK_FORGED, ropewalk_p256_verify(&public_key, digest, 32, signature, &tour_error));

  /* A longer digest, of which the first 32 bytes count; the signature goes where it is. */
  DOES(ropewalk_hash_digest(ROPEWALK_SHA512, "sample", 6, digest, 64, &tour_error));
  DOES(ropewalk_p256_sign(&key, digest, 64, signature, &tour_error));
  DOES(ropewalk_p256_verify(&public_key, digest, 64, signature, &tour_error));
  DOES(ropewalk_p256_verify(&public_key, digest, 32, signature, &tour_error));
  FAILS(ROPEWALK_FORGED, ropewalk_p256_verify(&public_key, digest, 31, signature, &tour_error));
  DOES(ropewalk_p256_sign_deterministic(&key, digest, 64, digest, &tour_error));
  HOLDS(tour_is(digest, "8496a60b5e9b47c825488827e0495b0e3fa109ec4568fd3f8d1097678eb97f00"
                        "2362ab1adbe2b8adf9cb9edab740ea6049c028114f2460f96554f61fae3302fe"));

  memset(signature, 7, sizeof signature);
  FAILS(ROPEWALK_LENGTH, ropewalk_p256_sign(&key, digest, 19, signature, &tour_error));
  HOLDS(tour_error.got == 19 && strcmp(tour_error.allowed, "20 bytes or more") == 0);
  FAILS(ROPEWALK_LENGTH, ropewalk_p256_sign_deterministic(&key, NULL, 0, signature, &tour_error));
  FAILS(ROPEWALK_LENGTH, ropewalk_p256_verify(&public_key, digest, 19, signature, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_p256_sign(&key, NULL, 32, signature, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_p256_sign(NULL, digest, 32, signature, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_p256_sign_deterministic(&key, digest, 32, NULL, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_p256_sign(&key, digest, 32, &key.words[7], &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_p256_verify(&public_key, digest, 32, NULL, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_p256_verify(&public_key, NULL, 32, signature, &tour_error));
  ropewalk_p256_key_wipe(&key);
  ropewalk_p256_public_key_wipe(&public_key);
  FAILS(ROPEWALK_NOT_READY, ropewalk_p256_sign(&key, digest, 32, signature, &tour_error));
  FAILS(ROPEWALK_NOT_READY, ropewalk_p256_verify(&public_key, digest, 32, signature, &tour_error));
  HOLDS(signature[0] == 7 && signature[63] == 7);
}

static void in_der(void) {
  uint8_t bytes[65], digest[32], signature[64], der[72], out[72];
  char words[100];
  size_t der_len = 0;
  ropewalk_p256_public_key public_key;
  tour_hex(PUBLIC, bytes);
  tour_hex(SIGNATURE, signature);
  DOES(ropewalk_p256_public_key_init(&public_key, bytes, 65, &tour_error));
  DOES(ropewalk_hash_digest(ROPEWALK_SHA256, "sample", 6, digest, 32, &tour_error));
  DOES(ropewalk_p256_signature_to_der(signature, der, &der_len, &tour_error));
  HOLDS(der_len == ROPEWALK_P256_DER_LEN);
  HOLDS(tour_is(der, "3046022100efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
                     "022100f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"));
  DOES(ropewalk_p256_verify_der(&public_key, digest, 32, der, der_len, &tour_error));
  FAILS(ROPEWALK_FORGED, ropewalk_p256_verify_der(&public_key, digest, 32, der, der_len - 1, &tour_error));
  FAILS(ROPEWALK_FORGED, ropewalk_p256_verify_der(&public_key, digest, 32, NULL, 0, &tour_error));
  FAILS(ROPEWALK_LENGTH, ropewalk_p256_verify_der(&public_key, digest, 19, der, der_len, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_p256_verify_der(&public_key, NULL, 32, der, der_len, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_p256_verify_der(&public_key, digest, 32, NULL, der_len, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_p256_verify_der(NULL, digest, 32, der, der_len, &tour_error));
  DOES(ropewalk_p256_signature_from_der(der, der_len, out, &tour_error));
  HOLDS(tour_is(out, SIGNATURE));

  /* Small numbers are short, and the rest of `der` is left as it was. In place. */
  memset(out, 0, 64);
  out[31] = out[63] = 1;
  out[64] = 7;
  DOES(ropewalk_p256_signature_to_der(out, out, &der_len, &tour_error));
  HOLDS(der_len == 8 && tour_is(out, "3006020101020101") && out[63] == 1 && out[64] == 7);
  DOES(ropewalk_p256_signature_from_der(out, der_len, out, &tour_error));
  HOLDS(out[30] == 0 && out[31] == 1 && out[62] == 0 && out[63] == 1);
  FAILS(ROPEWALK_FORGED, ropewalk_p256_verify(&public_key, digest, 32, out, &tour_error));

  memset(out, 5, sizeof out);
  FAILS(ROPEWALK_INVALID, ropewalk_p256_signature_from_der(der, der_len + 1, out, &tour_error));
  der[3] = 0x20;
  FAILS(ROPEWALK_INVALID, ropewalk_p256_signature_from_der(der, 72, out, &tour_error));
  (void)ropewalk_error_text(&tour_error, words, sizeof words);
  HOLDS(strncmp(words, "signature in DER is invalid: ", 29) == 0);
  FAILS(ROPEWALK_INVALID, ropewalk_p256_signature_from_der(NULL, 0, out, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_p256_signature_from_der(NULL, 8, out, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_p256_signature_from_der(der, 72, NULL, &tour_error));
  memset(signature, 0, 32);
  der_len = 9;
  FAILS(ROPEWALK_INVALID, ropewalk_p256_signature_to_der(signature, out, &der_len, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_p256_signature_to_der(NULL, out, &der_len, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_p256_signature_to_der(signature, NULL, &der_len, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_p256_signature_to_der(signature, out, NULL, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_p256_signature_to_der(signature, &der_len, &der_len, &tour_error));
  HOLDS(out[0] == 5 && out[63] == 5 && der_len == 9);
  ropewalk_p256_public_key_wipe(&public_key);
  FAILS(ROPEWALK_NOT_READY, ropewalk_p256_verify_der(&public_key, digest, 32, der, 72, &tour_error));
}

static void agreements(void) {
  uint8_t bytes[65], compressed[33], out[32], other[32];
  ropewalk_p256_key key, theirs;
  /* RFC 5903, section 8.1. */
  tour_hex("c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433", bytes);
  DOES(ropewalk_p256_key_init(&key, bytes, &tour_error));
  tour_hex("04d12dfb5289c8d4f81208b70270398c342296970a0bccb74c736fc7554494bf63"
           "56fbf3ca366cc23e8157854c13c58d6aac23f046ada30f8353e74f33039872ab",
           bytes);
  DOES(ropewalk_p256_agree(&key, bytes, 65, out, &tour_error));
  HOLDS(tour_is(out, "d6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442de"));
  memcpy(compressed, bytes, 33);
  compressed[0] = 3;
  DOES(ropewalk_p256_agree(&key, compressed, 33, other, &tour_error));
  HOLDS(memcmp(out, other, ROPEWALK_P256_LEN) == 0);
  /* In place. */
  DOES(ropewalk_p256_agree(&key, bytes, 65, bytes, &tour_error));
  HOLDS(memcmp(out, bytes, 32) == 0);

  DOES(ropewalk_p256_key_generate(&theirs, &tour_error));
  DOES(ropewalk_p256_public(&theirs, bytes, 65, &tour_error));
  DOES(ropewalk_p256_agree(&key, bytes, 65, out, &tour_error));
  DOES(ropewalk_p256_public(&key, compressed, 33, &tour_error));
  DOES(ropewalk_p256_agree(&theirs, compressed, 33, other, &tour_error));
  HOLDS(memcmp(out, other, 32) == 0);

  bytes[64] ^= 1;
  FAILS(ROPEWALK_INVALID, ropewalk_p256_agree(&key, bytes, 65, out, &tour_error));
  HOLDS(memcmp(out, other, 32) == 0 && strcmp(tour_error.what, "public key") == 0);
  FAILS(ROPEWALK_LENGTH, ropewalk_p256_agree(&key, bytes, 64, out, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_p256_agree(&key, NULL, 65, out, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_p256_agree(&key, bytes, 65, NULL, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_p256_agree(NULL, bytes, 65, out, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_p256_agree(&key, bytes, 65, &key.words[1], &tour_error));
  ropewalk_p256_key_wipe(&key);
  ropewalk_p256_key_wipe(&theirs);
  FAILS(ROPEWALK_NOT_READY, ropewalk_p256_agree(&key, compressed, 33, out, &tour_error));
  HOLDS(memcmp(out, other, 32) == 0);
}

static void agreements_many(void) {
  static ropewalk_p256_item items[MANY];
  static ropewalk_p256_public_item public_items[MANY];
  static uint8_t public_keys[MANY][65], secrets[MANY][32];
  static ropewalk_p256_key keys[MANY];
  uint8_t bytes[65], out[32];
  for (size_t i = 0; i < MANY; i++) {
    memset(bytes, (int)i + 1, 32);
    DOES(ropewalk_p256_key_init(&keys[i], bytes, &tour_error));
    public_items[i].key = &keys[i];
    public_items[i].public_key = public_keys[i];
    public_items[i].public_key_len = i % 3 ? 65 : 33;
  }
  DOES(ropewalk_p256_public_many(public_items, MANY, &tour_error));
  for (size_t i = 0; i < MANY; i++) {
    size_t len = public_items[i].public_key_len;
    DOES(ropewalk_p256_public(&keys[i], bytes, len, &tour_error));
    HOLDS(memcmp(bytes, public_keys[i], len) == 0);
    items[i].key = &keys[MANY - 1 - i];
    items[i].public_key = public_keys[i];
    items[i].public_key_len = len;
    items[i].secret = secrets[i];
  }
  DOES(ropewalk_p256_public_many(NULL, 0, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_p256_public_many(NULL, 1, &tour_error));
  public_items[7].public_key_len = 64;
  FAILS(ROPEWALK_LENGTH, ropewalk_p256_public_many(public_items, MANY, &tour_error));
  HOLDS(tour_error.index == 7 && tour_error.got == 64);
  public_items[7].public_key_len = 65;
  public_items[7].public_key = &public_items[9];
  FAILS(ROPEWALK_OVERLAP, ropewalk_p256_public_many(public_items, MANY, &tour_error));
  HOLDS(tour_error.index == 7);
  public_items[7].public_key = &keys[8];
  FAILS(ROPEWALK_OVERLAP, ropewalk_p256_public_many(public_items, MANY, &tour_error));
  public_items[7].public_key = NULL;
  FAILS(ROPEWALK_NULL, ropewalk_p256_public_many(public_items, MANY, &tour_error));
  HOLDS(tour_error.index == 7);

  DOES(ropewalk_p256_agree_many(items, MANY, &tour_error));
  for (size_t i = 0; i < MANY; i++) {
    DOES(ropewalk_p256_agree(items[i].key, public_keys[i], items[i].public_key_len, out, &tour_error));
    HOLDS(memcmp(out, secrets[i], 32) == 0 && items[i].status == ROPEWALK_OK);
  }
  /* Two are not on the curve; the others are done. */
  public_keys[5][64] ^= 1;
  public_keys[67][64] ^= 1;
  memset(secrets, 5, sizeof secrets);
  FAILS(ROPEWALK_INVALID, ropewalk_p256_agree_many(items, MANY, &tour_error));
  HOLDS(tour_error.index == 5 && strcmp(tour_error.what, "public key") == 0);
  for (size_t i = 0; i < MANY; i++) {
    int is_wrong = i == 5 || i == 67;
    HOLDS(items[i].status == (uint32_t)(is_wrong ? ROPEWALK_INVALID : ROPEWALK_OK));
    HOLDS((secrets[i][0] == 5 && secrets[i][31] == 5) == is_wrong);
  }
  HOLDS(memcmp(out, secrets[MANY - 1], 32) == 0);
  FAILS(ROPEWALK_INVALID, ropewalk_p256_agree_many(&items[67], 1, &tour_error));
  HOLDS(tour_error.index == 0 && items[67].status == ROPEWALK_INVALID);

  memset(secrets, 6, sizeof secrets);
  items[9].secret = &items[20].status;
  FAILS(ROPEWALK_OVERLAP, ropewalk_p256_agree_many(items, MANY, &tour_error));
  HOLDS(tour_error.index == 9);
  items[9].secret = &keys[0];
  FAILS(ROPEWALK_OVERLAP, ropewalk_p256_agree_many(items, MANY, &tour_error));
  items[9].secret = secrets[9];
  items[9].public_key_len = 0;
  FAILS(ROPEWALK_LENGTH, ropewalk_p256_agree_many(items, MANY, &tour_error));
  items[9].public_key_len = 33;
  items[9].public_key = NULL;
  FAILS(ROPEWALK_NULL, ropewalk_p256_agree_many(items, MANY, &tour_error));
  items[9].public_key = public_keys[9];
  ropewalk_p256_key_wipe(&keys[MANY - 1 - 9]);
  FAILS(ROPEWALK_NOT_READY, ropewalk_p256_agree_many(items, MANY, &tour_error));
  HOLDS(tour_error.index == 9 && secrets[0][0] == 6);
  for (size_t i = 0; i < MANY; i++) ropewalk_p256_key_wipe(&keys[i]);
}

static void signatures_many(void) {
  static ropewalk_p256_to_sign to_sign[MANY];
  static ropewalk_p256_signed signed_digests[MANY];
  static uint8_t digests[MANY][64], signatures[MANY][64];
  uint8_t bytes[65], signature[64];
  ropewalk_p256_key keys[2];
  ropewalk_p256_public_key public_keys[2];
  for (size_t i = 0; i < 2; i++) {
    DOES(ropewalk_p256_key_generate(&keys[i], &tour_error));
    DOES(ropewalk_p256_public(&keys[i], bytes, 65, &tour_error));
    DOES(ropewalk_p256_public_key_init(&public_keys[i], bytes, 65, &tour_error));
  }
  for (size_t i = 0; i < MANY; i++) {
    memset(digests[i], (int)i, 64);
    to_sign[i].key = &keys[i % 2];
    signed_digests[i].key = &public_keys[i % 2];
    to_sign[i].digest = signed_digests[i].digest = digests[i];
    to_sign[i].digest_len = signed_digests[i].digest_len = i % 45 + 20;
    to_sign[i].signature = signatures[i];
    signed_digests[i].signature = signatures[i];
  }
  DOES(ropewalk_p256_sign_deterministic_many(to_sign, MANY, &tour_error));
  for (size_t i = 0; i < MANY; i++) {
    DOES(ropewalk_p256_sign_deterministic(&keys[i % 2], digests[i], i % 45 + 20, signature, &tour_error));
    HOLDS(memcmp(signature, signatures[i], 64) == 0);
  }
  DOES(ropewalk_p256_verify_many(signed_digests, MANY, &tour_error));
  DOES(ropewalk_p256_sign_many(to_sign, MANY, &tour_error));
  HOLDS(memcmp(signature, signatures[MANY - 1], 64) != 0);
  DOES(ropewalk_p256_verify_many(signed_digests, MANY, &tour_error));
  signatures[5][40] ^= 1;
  /* An r of 0. */
  memset(signatures[65], 0, 32);
  FAILS(ROPEWALK_FORGED, ropewalk_p256_verify_many(signed_digests, MANY, &tour_error));
  HOLDS(tour_error.index == 5);
  for (size_t i = 0; i < MANY; i++) {
    HOLDS(signed_digests[i].status == (uint32_t)(i == 5 || i == 65 ? ROPEWALK_FORGED : ROPEWALK_OK));
  }
  FAILS(ROPEWALK_FORGED, ropewalk_p256_verify_many(&signed_digests[65], 1, &tour_error));
  HOLDS(tour_error.index == 0);

  /* In their order: a signature goes where a later digest is. */
  to_sign[3].signature = digests[69];
  DOES(ropewalk_p256_sign_deterministic_many(to_sign, MANY, &tour_error));
  HOLDS(memcmp(digests[69], signatures[3], 64) != 0);
  DOES(ropewalk_p256_sign_deterministic(&keys[1], digests[3], 23, signature, &tour_error));
  HOLDS(memcmp(digests[69], signature, 64) == 0);
  DOES(ropewalk_p256_verify_many(&signed_digests[69], 1, &tour_error));

  memset(signatures, 6, sizeof signatures);
  to_sign[3].signature = &to_sign[4];
  FAILS(ROPEWALK_OVERLAP, ropewalk_p256_sign_many(to_sign, MANY, &tour_error));
  HOLDS(tour_error.index == 3);
  to_sign[3].signature = &keys[0];
  FAILS(ROPEWALK_OVERLAP, ropewalk_p256_sign_many(to_sign, MANY, &tour_error));
  to_sign[3].signature = NULL;
  FAILS(ROPEWALK_NULL, ropewalk_p256_sign_deterministic_many(to_sign, MANY, &tour_error));
  to_sign[3].signature = signatures[3];
  to_sign[3].digest_len = 19;
  FAILS(ROPEWALK_LENGTH, ropewalk_p256_sign_many(to_sign, MANY, &tour_error));
  HOLDS(tour_error.index == 3 && tour_error.got == 19);
  signed_digests[3].digest_len = 19;
  FAILS(ROPEWALK_LENGTH, ropewalk_p256_verify_many(signed_digests, MANY, &tour_error));
  signed_digests[3].digest_len = 20;
  signed_digests[3].signature = NULL;
  FAILS(ROPEWALK_NULL, ropewalk_p256_verify_many(signed_digests, MANY, &tour_error));
  signed_digests[3].signature = signatures[3];
  signed_digests[3].digest = NULL;
  FAILS(ROPEWALK_NULL, ropewalk_p256_verify_many(signed_digests, MANY, &tour_error));
  HOLDS(tour_error.index == 3 && signatures[0][0] == 6);
  for (size_t i = 0; i < 2; i++) {
    ropewalk_p256_key_wipe(&keys[i]);
    ropewalk_p256_public_key_wipe(&public_keys[i]);
  }
  signed_digests[3].digest = digests[3];
  FAILS(ROPEWALK_NOT_READY, ropewalk_p256_verify_many(signed_digests, MANY, &tour_error));
  HOLDS(tour_error.index == 0);
}

void tour_p256(void) {
  private_keys();
  public_keys();
  signatures();
  in_der();
  agreements();
  agreements_many();
  signatures_many();
}
