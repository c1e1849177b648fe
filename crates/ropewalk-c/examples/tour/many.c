/* Many messages in a call, each held against the same one alone. */

#include "tour.h"

enum { MANY = 150, ROOM = 320 };

static uint8_t texts[MANY][ROOM], outs[MANY][ROOM], nonces[MANY][16], tags[MANY][64];

/* Of lengths that are mixed. */
static size_t len_of(size_t i) { return (37 * i) % 256; }

static void fill(void) {
  for (size_t i = 0; i < MANY; i++) {
    memset(texts[i], (int)(i % 100), ROOM);
    memset(nonces[i], (int)(i % 100 + 1), 16);
    memset(outs[i], 0, ROOM);
  }
}

static void hashes(void) {
  static ropewalk_hash_message messages[MANY];
  uint8_t digest[64];
  for (uint32_t hash = 1; ropewalk_hash_name(hash) != NULL; hash++) {
    size_t digest_len = ropewalk_hash_digest_len(hash);
    for (size_t i = 0; i < MANY; i++) {
      messages[i].message = texts[i];
      messages[i].message_len = len_of(i);
      messages[i].digest = tags[i];
    }
    DOES(ropewalk_hash_digest_many(hash, messages, MANY, digest_len, &tour_error));
    for (size_t i = 0; i < MANY; i++) {
      DOES(ropewalk_hash_digest(hash, texts[i], len_of(i), digest, digest_len, &tour_error));
      HOLDS(memcmp(digest, tags[i], digest_len) == 0);
    }
  }
  DOES(ropewalk_hash_digest_many(ROPEWALK_SHA256, NULL, 0, 32, &tour_error));

  /* In their order: one digest goes where a later message is, whose digest is that of what lies there then. */
  messages[3].digest = texts[7];
  messages[7].message_len = 64;
  DOES(ropewalk_hash_digest_many(ROPEWALK_SHA256, messages, MANY, 32, &tour_error));
  DOES(ropewalk_hash_digest(ROPEWALK_SHA256, texts[3], len_of(3), digest, 32, &tour_error));
  HOLDS(memcmp(digest, texts[7], 32) == 0);
  DOES(ropewalk_hash_digest(ROPEWALK_SHA256, texts[7], 64, digest, 32, &tour_error));
  HOLDS(memcmp(digest, tags[7], 32) == 0);

  messages[99].digest = &messages[3];
  FAILS(ROPEWALK_OVERLAP, ropewalk_hash_digest_many(ROPEWALK_SHA256, messages, MANY, 32, &tour_error));
  HOLDS(tour_error.has_index == 1 && tour_error.index == 99);
}

static void macs(void) {
  static ropewalk_mac_message messages[MANY];
  ropewalk_mac_key keys[3];
  uint8_t tag[64];
  DOES(ropewalk_mac_key_init(&keys[0], ROPEWALK_HMAC_SHA256, "one", 3, &tour_error));
  DOES(ropewalk_mac_key_init(&keys[1], ROPEWALK_HMAC_SHA256, "other", 5, &tour_error));
  DOES(ropewalk_mac_key_init(&keys[2], ROPEWALK_AES_128_CMAC, "sixteen bytes ok", 16, &tour_error));
  for (size_t i = 0; i < MANY; i++) {
    messages[i].key = &keys[i < 100 ? i % 2 : 2];
    messages[i].message = texts[i];
    messages[i].message_len = len_of(i);
    messages[i].tag = tags[i];
    messages[i].tag_len = i < 100 ? 32 : 16;
  }
  DOES(ropewalk_mac_many(messages, MANY, &tour_error));
  for (size_t i = 0; i < MANY; i++) {
    DOES(ropewalk_mac_once(messages[i].key, texts[i], len_of(i), tag, messages[i].tag_len, &tour_error));
    HOLDS(memcmp(tag, tags[i], messages[i].tag_len) == 0);
  }
  DOES(ropewalk_mac_verify_many(messages, MANY, &tour_error));
  tags[120][3] ^= 1;
  FAILS(ROPEWALK_FORGED, ropewalk_mac_verify_many(messages, MANY, &tour_error));
  HOLDS(tour_error.index == 120 && messages[120].status == ROPEWALK_FORGED && messages[121].status == ROPEWALK_OK);
  messages[3].tag_len = 31;
  FAILS(ROPEWALK_LENGTH, ropewalk_mac_many(messages, MANY, &tour_error));
  HOLDS(tour_error.index == 3);
  FAILS(ROPEWALK_LENGTH, ropewalk_mac_many(&messages[3], 1, &tour_error));
  HOLDS(tour_error.index == 0);
  messages[3].tag_len = 32;

  /* No tag goes where the messages are, or a key of any. */
  tags[120][3] ^= 1;
  messages[20].tag = &messages[77];
  FAILS(ROPEWALK_OVERLAP, ropewalk_mac_many(messages, MANY, &tour_error));
  HOLDS(tour_error.index == 20);
  messages[20].tag = &messages[20].status;
  FAILS(ROPEWALK_OVERLAP, ropewalk_mac_many(&messages[20], 1, &tour_error));
  messages[20].tag = &keys[2];
  FAILS(ROPEWALK_OVERLAP, ropewalk_mac_many(messages, MANY, &tour_error));
  HOLDS(tour_error.index == 20);
  messages[20].tag = tags[20];
  DOES(ropewalk_mac_verify_many(messages, MANY, &tour_error));
  for (size_t i = 0; i < 3; i++) ropewalk_mac_key_wipe(&keys[i]);
}

static void aeads(void) {
  static ropewalk_aead_message messages[MANY];
  static ropewalk_aead_key keys[3];
  uint8_t secret[32], text[ROOM], tag[16];
  memset(secret, 5, sizeof secret);
  DOES(ropewalk_aead_key_init(&keys[0], ROPEWALK_AES_256_GCM, secret, 32, &tour_error));
  DOES(ropewalk_aead_key_init(&keys[1], ROPEWALK_AES_256_CCM, secret, 32, &tour_error));
  DOES(ropewalk_aead_key_init(&keys[2], ROPEWALK_CHACHA20_POLY1305, secret, 32, &tour_error));
  fill();
  for (size_t i = 0; i < MANY; i++) {
    /* Every other one in place. */
    ropewalk_aead_message *message = &messages[i];
    message->key = &keys[i / 50];
    message->nonce = nonces[i];
    message->nonce_len = 12;
    message->aad = "header";
    message->aad_len = i % 7;
    message->in = i % 2 ? texts[i] : outs[i];
    message->out = outs[i];
    message->len = len_of(i);
    message->tag = tags[i];
    message->tag_len = 16;
    memcpy(outs[i], texts[i], ROOM);
  }
  DOES(ropewalk_aead_seal_many(messages, MANY, &tour_error));
  for (size_t i = 0; i < MANY; i++) {
    DOES(ropewalk_aead_seal(messages[i].key, nonces[i], 12, "header", i % 7, texts[i], text, len_of(i), tag, 16,
                            &tour_error));
    HOLDS(memcmp(text, outs[i], len_of(i)) == 0 && memcmp(tag, tags[i], 16) == 0);
    messages[i].in = outs[i];
  }
  tags[70][0] ^= 1;
  FAILS(ROPEWALK_FORGED, ropewalk_aead_open_many(messages, MANY, &tour_error));
  HOLDS(tour_error.index == 70 && messages[70].status == ROPEWALK_FORGED && outs[70][0] == 0);
  for (size_t i = 0; i < MANY; i++) {
    HOLDS(i == 70 || (messages[i].status == ROPEWALK_OK && memcmp(outs[i], texts[i], len_of(i)) == 0));
  }

  /* What is wrong with one of them is found before anything is written. */
  memset(text, 0, sizeof text);
  messages[149].nonce_len = 0;
  FAILS(ROPEWALK_LENGTH, ropewalk_aead_seal_many(messages, MANY, &tour_error));
  HOLDS(tour_error.index == 149 && memcmp(outs[1], texts[1], len_of(1)) == 0);
  messages[149].nonce_len = 12;
  messages[140].tag = &messages[11];
  FAILS(ROPEWALK_OVERLAP, ropewalk_aead_seal_many(messages, MANY, &tour_error));
  HOLDS(tour_error.index == 140 && memcmp(outs[1], texts[1], len_of(1)) == 0);
  messages[140].tag = &keys[0];
  FAILS(ROPEWALK_OVERLAP, ropewalk_aead_seal_many(messages, MANY, &tour_error));
  HOLDS(tour_error.index == 140 && memcmp(outs[1], texts[1], len_of(1)) == 0);
  messages[140].tag = tags[140];
  messages[33].out = &messages[34];
  FAILS(ROPEWALK_OVERLAP, ropewalk_aead_open_many(messages, MANY, &tour_error));
  HOLDS(tour_error.index == 33 && messages[70].status == ROPEWALK_FORGED);
  FAILS(ROPEWALK_OVERLAP, ropewalk_aead_seal_many(messages, MANY, &tour_error));
  HOLDS(tour_error.index == 33 && memcmp(outs[1], texts[1], len_of(1)) == 0);
  messages[33].out = &messages[33].status;
  FAILS(ROPEWALK_OVERLAP, ropewalk_aead_seal_many(&messages[33], 1, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_aead_open_many(&messages[33], 1, &tour_error));
  char words[200];
  (void)ropewalk_error_text(&tour_error, words, sizeof words);
  printf("%s\n", words);
  for (size_t i = 0; i < 3; i++) ropewalk_aead_key_wipe(&keys[i]);
}

static void ciphers(void) {
  static const ropewalk_cipher algorithms[4] = {ROPEWALK_AES_128_CTR, ROPEWALK_AES_256_CBC, ROPEWALK_AES_128_XTS,
                                                ROPEWALK_CHACHA20};
  static ropewalk_cipher_message messages[MANY];
  static ropewalk_cipher_key keys[4];
  uint8_t secret[64], text[ROOM];
  for (size_t i = 0; i < sizeof secret; i++) secret[i] = (uint8_t)i;
  fill();
  for (size_t i = 0; i < 4; i++) {
    DOES(ropewalk_cipher_key_init(&keys[i], algorithms[i], secret, ropewalk_cipher_key_len(algorithms[i]), &tour_error));
  }
  for (size_t i = 0; i < MANY; i++) {
    messages[i].key = &keys[i / 40];
    messages[i].nonce = nonces[i];
    messages[i].nonce_len = i / 40 == 3 ? 12 : 16;
    messages[i].in = texts[i];
    messages[i].out = outs[i];
    messages[i].len = 16 + (len_of(i) & ~(size_t)15);
  }
  DOES(ropewalk_cipher_encrypt_many(messages, MANY, &tour_error));
  for (size_t i = 0; i < MANY; i++) {
    ropewalk_cipher_message *message = &messages[i];
    DOES(ropewalk_cipher_encrypt(message->key, nonces[i], message->nonce_len, texts[i], text, message->len, &tour_error));
    HOLDS(memcmp(text, outs[i], message->len) == 0);
    message->in = outs[i];
  }
  DOES(ropewalk_cipher_decrypt_many(messages, MANY, &tour_error));
  for (size_t i = 0; i < MANY; i++) HOLDS(memcmp(outs[i], texts[i], messages[i].len) == 0);
  messages[45].len = 17;
  FAILS(ROPEWALK_LENGTH, ropewalk_cipher_encrypt_many(messages, MANY, &tour_error));
  HOLDS(tour_error.index == 45);
  for (size_t i = 0; i < 4; i++) ropewalk_cipher_key_wipe(&keys[i]);
}

static void records(void) {
  static const char header[] = "\0\0\0\0\0\0\0\x01\x17\x03\x03";
  static ropewalk_record records[MANY];
  static ropewalk_record_key keys[2];
  DOES(ropewalk_record_key_init(&keys[0], ROPEWALK_SHA1, "sixteen bytes ok", 16, "mac", 3, &tour_error));
  DOES(ropewalk_record_key_init(&keys[1], ROPEWALK_SHA256, "sixteen bytes ok", 16, "mac", 3, &tour_error));
  fill();
  for (size_t i = 0; i < MANY; i++) {
    ropewalk_record *record = &records[i];
    record->key = &keys[i / 75];
    record->iv = nonces[i];
    record->header = header;
    record->in = texts[i];
    record->in_len = len_of(i);
    record->out = outs[i];
    record->out_len = ropewalk_record_len(record->key, len_of(i));
  }
  DOES(ropewalk_record_seal_many(records, MANY, &tour_error));
  for (size_t i = 0; i < MANY; i++) {
    records[i].in = outs[i];
    records[i].in_len = records[i].out_len;
  }
  outs[9][0] ^= 1;
  FAILS(ROPEWALK_FORGED, ropewalk_record_open_many(records, MANY, &tour_error));
  HOLDS(tour_error.index == 9 && records[9].status == ROPEWALK_FORGED);
  records[9].out = &records[8];
  FAILS(ROPEWALK_OVERLAP, ropewalk_record_open_many(records, MANY, &tour_error));
  HOLDS(tour_error.index == 9 && records[9].status == ROPEWALK_FORGED);
  for (size_t i = 0; i < MANY; i++) {
    HOLDS(i == 9 || (records[i].text_len == len_of(i) && memcmp(outs[i], texts[i], len_of(i)) == 0));
  }
  for (size_t i = 0; i < 2; i++) ropewalk_record_key_wipe(&keys[i]);
}

static void keys(void) {
  static ropewalk_hkdf_extraction extractions[MANY];
  static ropewalk_hkdf_expansion expansions[MANY];
  static ropewalk_pbkdf2_derivation derivations[MANY];
  static ropewalk_prk prks[MANY];
  ropewalk_prk prk;
  ropewalk_mac_key key;
  uint8_t out[ROOM];
  DOES(ropewalk_mac_key_init(&key, ROPEWALK_HMAC_SHA256, "salt", 4, &tour_error));
  fill();
  for (size_t i = 0; i < MANY; i++) {
    extractions[i].prk = &prks[i];
    extractions[i].salt = &key;
    extractions[i].secret = texts[i];
    extractions[i].secret_len = len_of(i);
    expansions[i].prk = &prks[i];
    expansions[i].info = nonces[i];
    expansions[i].info_len = 16;
    expansions[i].out = outs[i];
    expansions[i].out_len = len_of(i);
  }
  DOES(ropewalk_hkdf_extract_many(extractions, MANY, &tour_error));
  DOES(ropewalk_hkdf_expand_many(expansions, MANY, &tour_error));
  for (size_t i = 0; i < MANY; i++) {
    DOES(ropewalk_hkdf_extract(&prk, &key, texts[i], len_of(i), &tour_error));
    DOES(ropewalk_hkdf_expand(&prk, nonces[i], 16, out, len_of(i), &tour_error));
    HOLDS(memcmp(out, outs[i], len_of(i)) == 0);
    ropewalk_prk_wipe(&prks[i]);
    derivations[i].password = &key;
    derivations[i].salt = texts[i];
    derivations[i].salt_len = len_of(i);
    derivations[i].iterations = 3;
    derivations[i].out = outs[i];
    derivations[i].out_len = 40;
  }
  ropewalk_prk_wipe(&prk);
  DOES(ropewalk_pbkdf2_many(derivations, MANY, &tour_error));
  for (size_t i = 0; i < MANY; i++) {
    DOES(ropewalk_pbkdf2(&key, texts[i], len_of(i), 3, out, 40, &tour_error));
    HOLDS(memcmp(out, outs[i], 40) == 0);
  }
  derivations[5].iterations = 0;
  FAILS(ROPEWALK_LENGTH, ropewalk_pbkdf2_many(derivations, MANY, &tour_error));
  HOLDS(tour_error.index == 5);
  ropewalk_mac_key_wipe(&key);
}

void tour_many(void) {
  fill();
  hashes();
  macs();
  aeads();
  ciphers();
  records();
  keys();
}
