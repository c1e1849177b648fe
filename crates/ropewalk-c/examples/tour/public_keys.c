/* Keys of X25519 and Ed25519, one at a time and many. */

#include "tour.h"

enum { MANY = 70 };

static void x25519(void) {
  uint8_t secret[32], public_key[32], out[32], other[32];
  char words[100];
  ropewalk_x25519_key key, theirs;
  tour_hex("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4", secret);
  tour_hex("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c", public_key);
  DOES(ropewalk_x25519_key_init(&key, secret, &tour_error));
  DOES(ropewalk_x25519_agree(&key, public_key, out, &tour_error));
  HOLDS(tour_is(out, "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"));
  tour_print("X25519", out, ROPEWALK_X25519_LEN);
  DOES(ropewalk_x25519_key_bytes(&key, other, &tour_error));
  HOLDS(memcmp(other, secret, 32) == 0);
  /* In place. */
  DOES(ropewalk_x25519_agree(&key, public_key, public_key, &tour_error));
  HOLDS(memcmp(public_key, out, 32) == 0);

  DOES(ropewalk_x25519_key_generate(&theirs, &tour_error));
  DOES(ropewalk_x25519_public(&theirs, public_key, &tour_error));
  DOES(ropewalk_x25519_agree(&key, public_key, out, &tour_error));
  DOES(ropewalk_x25519_public(&key, public_key, &tour_error));
  DOES(ropewalk_x25519_agree(&theirs, public_key, other, &tour_error));
  HOLDS(memcmp(out, other, 32) == 0);

  /* A public key of small order. */
  memset(public_key, 0, sizeof public_key);
  FAILS(ROPEWALK_INVALID, ropewalk_x25519_agree(&key, public_key, out, &tour_error));
  HOLDS(memcmp(out, other, 32) == 0 && strcmp(tour_error.what, "public key") == 0);
  (void)ropewalk_error_text(&tour_error, words, sizeof words);
  HOLDS(strcmp(words, "public key is invalid: it has small order") == 0);

  FAILS(ROPEWALK_NULL, ropewalk_x25519_agree(&key, NULL, out, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_x25519_agree(&key, public_key, NULL, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_x25519_agree(NULL, public_key, out, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_x25519_public(&key, NULL, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_x25519_key_bytes(&key, NULL, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_x25519_agree(&key, public_key, &key.words[1], &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_x25519_public(&key, &key, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_x25519_key_bytes(&key, &key, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_x25519_key_init(&key, &key.words[2], &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_x25519_key_init(NULL, secret, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_x25519_key_generate(NULL, &tour_error));
  ropewalk_x25519_key_wipe(&theirs);
  FAILS(ROPEWALK_NOT_READY, ropewalk_x25519_public(&theirs, public_key, &tour_error));
  FAILS(ROPEWALK_NOT_READY, ropewalk_x25519_key_bytes(&theirs, out, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_x25519_key_init(&key, NULL, &tour_error));
  for (size_t i = 0; i < ROPEWALK_X25519_KEY_WORDS; i++) HOLDS(key.words[i] == 0 && theirs.words[i] == 0);
  FAILS(ROPEWALK_NOT_READY, ropewalk_x25519_agree(&key, public_key, out, &tour_error));
}

static void x25519_many(void) {
  static ropewalk_x25519_item items[MANY];
  static ropewalk_x25519_public_item public_items[MANY];
  static uint8_t public_keys[MANY][32], secrets[MANY][32];
  static ropewalk_x25519_key keys[MANY];
  uint8_t secret[32], out[32];
  for (size_t i = 0; i < MANY; i++) {
    memset(secret, (int)i + 1, sizeof secret);
    DOES(ropewalk_x25519_key_init(&keys[i], secret, &tour_error));
    public_items[i].key = &keys[i];
    public_items[i].public_key = public_keys[i];
  }
  DOES(ropewalk_x25519_public_many(public_items, MANY, &tour_error));
  for (size_t i = 0; i < MANY; i++) {
    DOES(ropewalk_x25519_public(&keys[i], out, &tour_error));
    HOLDS(memcmp(out, public_keys[i], 32) == 0);
    items[i].key = &keys[MANY - 1 - i];
    items[i].public_key = public_keys[i];
    items[i].secret = secrets[i];
  }
  DOES(ropewalk_x25519_public_many(NULL, 0, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_x25519_public_many(NULL, 1, &tour_error));
  public_items[7].public_key = &public_items[9];
  FAILS(ROPEWALK_OVERLAP, ropewalk_x25519_public_many(public_items, MANY, &tour_error));
  HOLDS(tour_error.index == 7);
  public_items[7].public_key = &keys[8];
  FAILS(ROPEWALK_OVERLAP, ropewalk_x25519_public_many(public_items, MANY, &tour_error));
  HOLDS(tour_error.index == 7);
  public_items[7].public_key = NULL;
  FAILS(ROPEWALK_NULL, ropewalk_x25519_public_many(public_items, MANY, &tour_error));
  HOLDS(tour_error.index == 7);

  DOES(ropewalk_x25519_agree_many(items, MANY, &tour_error));
  for (size_t i = 0; i < MANY; i++) {
    DOES(ropewalk_x25519_agree(items[i].key, public_keys[i], out, &tour_error));
    HOLDS(memcmp(out, secrets[i], 32) == 0 && items[i].status == ROPEWALK_OK);
  }
  /* One has small order; the others are done. */
  memset(public_keys[66], 0, 32);
  memset(secrets, 5, sizeof secrets);
  FAILS(ROPEWALK_INVALID, ropewalk_x25519_agree_many(items, MANY, &tour_error));
  HOLDS(tour_error.index == 66 && items[66].status == ROPEWALK_INVALID && secrets[66][0] == 5);
  HOLDS(items[67].status == ROPEWALK_OK && memcmp(out, secrets[MANY - 1], 32) == 0);
  FAILS(ROPEWALK_INVALID, ropewalk_x25519_agree_many(&items[66], 1, &tour_error));
  HOLDS(tour_error.index == 0 && strcmp(tour_error.what, "public key") == 0);

  memset(secrets, 6, sizeof secrets);
  items[9].secret = &items[20].status;
  FAILS(ROPEWALK_OVERLAP, ropewalk_x25519_agree_many(items, MANY, &tour_error));
  HOLDS(tour_error.index == 9);
  items[9].secret = &keys[0];
  FAILS(ROPEWALK_OVERLAP, ropewalk_x25519_agree_many(items, MANY, &tour_error));
  items[9].secret = secrets[9];
  items[9].public_key = NULL;
  FAILS(ROPEWALK_NULL, ropewalk_x25519_agree_many(items, MANY, &tour_error));
  items[9].public_key = public_keys[9];
  ropewalk_x25519_key_wipe(&keys[MANY - 1 - 9]);
  FAILS(ROPEWALK_NOT_READY, ropewalk_x25519_agree_many(items, MANY, &tour_error));
  HOLDS(tour_error.index == 9 && secrets[0][0] == 6);
  for (size_t i = 0; i < MANY; i++) ropewalk_x25519_key_wipe(&keys[i]);
}

static void ed25519(void) {
  uint8_t secret[32], bytes[32], message[66] = {0xaf, 0x82}, signature[64], other[64];
  ropewalk_ed25519_key key;
  ropewalk_ed25519_public_key public_key;
  tour_hex("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7", secret);
  DOES(ropewalk_ed25519_key_init(&key, secret, &tour_error));
  DOES(ropewalk_ed25519_key_bytes(&key, bytes, &tour_error));
  HOLDS(memcmp(bytes, secret, 32) == 0);
  DOES(ropewalk_ed25519_public(&key, bytes, &tour_error));
  HOLDS(tour_is(bytes, "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025"));
  DOES(ropewalk_ed25519_public_key_init(&public_key, bytes, &tour_error));
  DOES(ropewalk_ed25519_public_key_bytes(&public_key, other, &tour_error));
  HOLDS(memcmp(bytes, other, 32) == 0);
  DOES(ropewalk_ed25519_sign(&key, message, 2, signature, &tour_error));
  HOLDS(tour_is(signature, "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984d"
                           "c6594a7c15e9716ed28dc027beceea1ec40a"));
  tour_print("Ed25519", signature, ROPEWALK_ED25519_SIGNATURE_LEN);
  DOES(ropewalk_ed25519_verify(&public_key, message, 2, signature, &tour_error));
  FAILS(ROPEWALK_FORGED, ropewalk_ed25519_verify(&public_key, message, 1, signature, &tour_error));
  signature[63] ^= 0x80;
  FAILS(ROPEWALK_FORGED, ropewalk_ed25519_verify(&public_key, message, 2, signature, &tour_error));
  /* Within the message, whose last bytes it replaces. */
  DOES(ropewalk_ed25519_sign(&key, message, 66, signature, &tour_error));
  DOES(ropewalk_ed25519_sign(&key, message, 66, message + 2, &tour_error));
  HOLDS(memcmp(message + 2, signature, 64) == 0);

  FAILS(ROPEWALK_NULL, ropewalk_ed25519_sign(&key, NULL, 1, signature, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_ed25519_sign(&key, message, 2, NULL, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_ed25519_sign(&key, message, 2, &key.words[23], &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_ed25519_public(&key, &key, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_ed25519_key_bytes(&key, &key, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_ed25519_public_key_bytes(&public_key, &public_key, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_ed25519_public(&key, NULL, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_ed25519_key_bytes(&key, NULL, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_ed25519_public_key_bytes(&public_key, NULL, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_ed25519_verify(&public_key, NULL, 1, signature, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_ed25519_verify(&public_key, message, 2, NULL, &tour_error));
  DOES(ropewalk_ed25519_sign(&key, NULL, 0, signature, &tour_error));
  DOES(ropewalk_ed25519_verify(&public_key, NULL, 0, signature, &tour_error));

  /* No point has a y of 2. */
  memset(bytes, 0, sizeof bytes);
  bytes[0] = 2;
  FAILS(ROPEWALK_INVALID, ropewalk_ed25519_public_key_init(&public_key, bytes, &tour_error));
  HOLDS(strcmp(tour_error.what, "public key") == 0 && tour_error.allowed[0] != 0);
  for (size_t i = 0; i < ROPEWALK_ED25519_PUBLIC_KEY_WORDS; i++) HOLDS(public_key.words[i] == 0);
  FAILS(ROPEWALK_NOT_READY, ropewalk_ed25519_verify(&public_key, message, 2, signature, &tour_error));
  FAILS(ROPEWALK_NOT_READY, ropewalk_ed25519_public_key_bytes(&public_key, bytes, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_ed25519_public_key_init(&public_key, NULL, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_ed25519_public_key_init(&public_key, &public_key, &tour_error));
  ropewalk_ed25519_key_wipe(&key);
  for (size_t i = 0; i < ROPEWALK_ED25519_KEY_WORDS; i++) HOLDS(key.words[i] == 0);
  FAILS(ROPEWALK_NOT_READY, ropewalk_ed25519_sign(&key, message, 2, signature, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_ed25519_key_init(&key, NULL, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_ed25519_key_generate(NULL, &tour_error));
}

static void ed25519_variants(void) {
  static char context[256];
  uint8_t secret[32], bytes[32], message[16], digest[64], signature[64];
  ropewalk_ed25519_key key;
  ropewalk_ed25519_public_key public_key;
  tour_hex("0305334e381af78f141cb666f6199f57bc3495335a256a95bd2a55bf546663f6", secret);
  tour_hex("f726936d19c800494e3fdaff20b276a8", message);
  DOES(ropewalk_ed25519_key_init(&key, secret, &tour_error));
  DOES(ropewalk_ed25519_public(&key, bytes, &tour_error));
  DOES(ropewalk_ed25519_public_key_init(&public_key, bytes, &tour_error));
  DOES(ropewalk_ed25519_sign_context(&key, "foo", 3, message, 16, signature, &tour_error));
  HOLDS(tour_is(signature, "55a4cc2f70a54e04288c5f4cd1e45a7bb520b36292911876cada7323198dd87a8b36950b95130022907a7fb7c4e9"
                           "b2d5f6cca685a587b4b21f4b888e4e7edb0d"));
  DOES(ropewalk_ed25519_verify_context(&public_key, "foo", 3, message, 16, signature, &tour_error));
  FAILS(ROPEWALK_FORGED, ropewalk_ed25519_verify_context(&public_key, "bar", 3, message, 16, signature, &tour_error));
  FAILS(ROPEWALK_FORGED, ropewalk_ed25519_verify(&public_key, message, 16, signature, &tour_error));
  FAILS(ROPEWALK_LENGTH, ropewalk_ed25519_sign_context(&key, NULL, 0, message, 16, signature, &tour_error));
  FAILS(ROPEWALK_LENGTH, ropewalk_ed25519_sign_context(&key, context, 256, message, 16, signature, &tour_error));
  HOLDS(tour_error.got == 256 && strcmp(tour_error.allowed, "1 to 255 bytes") == 0);
  FAILS(ROPEWALK_LENGTH, ropewalk_ed25519_verify_context(&public_key, NULL, 0, message, 16, signature, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_ed25519_sign_context(&key, NULL, 3, message, 16, signature, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_ed25519_sign_context(&key, "foo", 3, NULL, 16, signature, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_ed25519_sign_context(&key, "foo", 3, message, 16, NULL, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_ed25519_sign_context(&key, "foo", 3, message, 16, &key, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_ed25519_verify_context(&public_key, "foo", 3, message, 16, NULL, &tour_error));
  ropewalk_ed25519_key_wipe(&key);
  ropewalk_ed25519_public_key_wipe(&public_key);

  tour_hex("833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42", secret);
  DOES(ropewalk_hash_digest(ROPEWALK_SHA512, "abc", 3, digest, 64, &tour_error));
  DOES(ropewalk_ed25519_key_init(&key, secret, &tour_error));
  DOES(ropewalk_ed25519_public(&key, bytes, &tour_error));
  DOES(ropewalk_ed25519_public_key_init(&public_key, bytes, &tour_error));
  DOES(ropewalk_ed25519_sign_prehashed(&key, NULL, 0, digest, signature, &tour_error));
  HOLDS(tour_is(signature, "98a70222f0b8121aa9d30f813d683f809e462b469c7ff87639499bb94e6dae4131f85042463c2a355a2003d062ad"
                           "f5aaa10b8c61e636062aaad11c2a26083406"));
  DOES(ropewalk_ed25519_verify_prehashed(&public_key, NULL, 0, digest, signature, &tour_error));
  FAILS(ROPEWALK_FORGED, ropewalk_ed25519_verify_prehashed(&public_key, "foo", 3, digest, signature, &tour_error));
  FAILS(ROPEWALK_LENGTH, ropewalk_ed25519_sign_prehashed(&key, context, 256, digest, signature, &tour_error));
  FAILS(ROPEWALK_LENGTH, ropewalk_ed25519_verify_prehashed(&public_key, context, 256, digest, signature, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_ed25519_sign_prehashed(&key, NULL, 0, NULL, signature, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_ed25519_sign_prehashed(&key, NULL, 0, digest, NULL, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_ed25519_sign_prehashed(&key, NULL, 0, digest, &key, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_ed25519_verify_prehashed(&public_key, NULL, 0, NULL, signature, &tour_error));
  ropewalk_ed25519_key_wipe(&key);
  ropewalk_ed25519_public_key_wipe(&public_key);
  FAILS(ROPEWALK_NOT_READY, ropewalk_ed25519_verify_prehashed(&public_key, NULL, 0, digest, signature, &tour_error));
}

static void ed25519_many(void) {
  static ropewalk_ed25519_to_sign to_sign[MANY];
  static ropewalk_ed25519_signed signed_messages[MANY];
  static uint8_t messages[MANY][MANY], signatures[MANY][64];
  uint8_t bytes[32], signature[64];
  ropewalk_ed25519_key keys[2];
  ropewalk_ed25519_public_key public_keys[2];
  for (size_t i = 0; i < 2; i++) {
    DOES(ropewalk_ed25519_key_generate(&keys[i], &tour_error));
    DOES(ropewalk_ed25519_public(&keys[i], bytes, &tour_error));
    DOES(ropewalk_ed25519_public_key_init(&public_keys[i], bytes, &tour_error));
  }
  for (size_t i = 0; i < MANY; i++) {
    memset(messages[i], (int)i, MANY);
    to_sign[i].key = &keys[i % 2];
    signed_messages[i].key = &public_keys[i % 2];
    to_sign[i].message = signed_messages[i].message = messages[i];
    to_sign[i].message_len = signed_messages[i].message_len = i;
    to_sign[i].signature = signatures[i];
    signed_messages[i].signature = signatures[i];
  }
  DOES(ropewalk_ed25519_sign_many(to_sign, MANY, &tour_error));
  for (size_t i = 0; i < MANY; i++) {
    DOES(ropewalk_ed25519_sign(&keys[i % 2], messages[i], i, signature, &tour_error));
    HOLDS(memcmp(signature, signatures[i], 64) == 0);
  }
  DOES(ropewalk_ed25519_verify_many(signed_messages, MANY, &tour_error));
  signatures[5][40] ^= 1;
  signatures[65][3] ^= 1;
  FAILS(ROPEWALK_FORGED, ropewalk_ed25519_verify_many(signed_messages, MANY, &tour_error));
  HOLDS(tour_error.index == 5);
  for (size_t i = 0; i < MANY; i++) {
    HOLDS(signed_messages[i].status == (uint32_t)(i == 5 || i == 65 ? ROPEWALK_FORGED : ROPEWALK_OK));
  }
  FAILS(ROPEWALK_FORGED, ropewalk_ed25519_verify_many(&signed_messages[65], 1, &tour_error));
  HOLDS(tour_error.index == 0);

  /* In their order: a signature goes where a later message is. */
  to_sign[3].signature = messages[69];
  DOES(ropewalk_ed25519_sign_many(to_sign, MANY, &tour_error));
  HOLDS(memcmp(messages[69], signatures[3], 64) == 0);
  DOES(ropewalk_ed25519_verify_many(&signed_messages[69], 1, &tour_error));

  to_sign[3].signature = &to_sign[4];
  FAILS(ROPEWALK_OVERLAP, ropewalk_ed25519_sign_many(to_sign, MANY, &tour_error));
  HOLDS(tour_error.index == 3);
  to_sign[3].signature = &keys[0];
  FAILS(ROPEWALK_OVERLAP, ropewalk_ed25519_sign_many(to_sign, MANY, &tour_error));
  to_sign[3].signature = NULL;
  FAILS(ROPEWALK_NULL, ropewalk_ed25519_sign_many(to_sign, MANY, &tour_error));
  signed_messages[3].signature = NULL;
  FAILS(ROPEWALK_NULL, ropewalk_ed25519_verify_many(signed_messages, MANY, &tour_error));
  signed_messages[3].signature = signatures[3];
  signed_messages[3].message = NULL;
  FAILS(ROPEWALK_NULL, ropewalk_ed25519_verify_many(signed_messages, MANY, &tour_error));
  HOLDS(tour_error.index == 3);
  for (size_t i = 0; i < 2; i++) {
    ropewalk_ed25519_key_wipe(&keys[i]);
    ropewalk_ed25519_public_key_wipe(&public_keys[i]);
  }
  signed_messages[3].message = messages[3];
  FAILS(ROPEWALK_NOT_READY, ropewalk_ed25519_verify_many(signed_messages, MANY, &tour_error));
  HOLDS(tour_error.index == 0);
}

void tour_public_keys(void) {
  x25519();
  x25519_many();
  ed25519();
  ed25519_variants();
  ed25519_many();
}
