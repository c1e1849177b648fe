/* Keys of curves as files. */

#include "tour.h"

/* RFC 8410, section 10. */
static const char *const ED25519 =
    "-----BEGIN PRIVATE KEY-----\n"
    "MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n"
    "-----END PRIVATE KEY-----\n";
static const char *const ED25519_PUBLIC =
    "-----BEGIN PUBLIC KEY-----\n"
    "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n"
    "-----END PUBLIC KEY-----\n";

static uint8_t file[ROPEWALK_KEY_FILE_LEN];
static size_t len;

static void ed25519(void) {
  ropewalk_ed25519_key key;
  ropewalk_ed25519_public_key public_key;
  uint8_t bytes[32], out[32];
  DOES(ropewalk_ed25519_key_read(&key, ED25519, strlen(ED25519), &tour_error));
  DOES(ropewalk_ed25519_key_write(&key, ROPEWALK_PEM, file, &len, &tour_error));
  HOLDS(len == strlen(ED25519) && memcmp(file, ED25519, len) == 0);
  DOES(ropewalk_ed25519_public(&key, bytes, &tour_error));
  DOES(ropewalk_ed25519_public_key_read(&public_key, ED25519_PUBLIC, strlen(ED25519_PUBLIC), &tour_error));
  DOES(ropewalk_ed25519_public_key_bytes(&public_key, out, &tour_error));
  HOLDS(memcmp(bytes, out, 32) == 0);
  DOES(ropewalk_ed25519_public_key_write(&public_key, ROPEWALK_PEM, file, &len, &tour_error));
  HOLDS(len == strlen(ED25519_PUBLIC) && memcmp(file, ED25519_PUBLIC, len) == 0);
  DOES(ropewalk_ed25519_public_key_write(&public_key, ROPEWALK_DER, file, &len, &tour_error));
  HOLDS(len == 44 && memcmp(file + 12, out, 32) == 0);
  FAILS(ROPEWALK_INVALID, ropewalk_ed25519_public_key_read(&public_key, file, len - 1, &tour_error));
  FAILS(ROPEWALK_NOT_READY, ropewalk_ed25519_public_key_write(&public_key, ROPEWALK_DER, file, &len, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_ed25519_key_read(&key, &key, 9, &tour_error));
  ropewalk_ed25519_key_wipe(&key);
  FAILS(ROPEWALK_NOT_READY, ropewalk_ed25519_key_write(&key, ROPEWALK_DER, file, &len, &tour_error));
}

static void p256(void) {
  ropewalk_p256_key key;
  ropewalk_p256_public_key public_key;
  uint8_t bytes[65], out[65];
  char words[100];
  DOES(ropewalk_p256_key_generate(&key, &tour_error));
  DOES(ropewalk_p256_public(&key, bytes, 65, &tour_error));
  DOES(ropewalk_p256_key_write(&key, ROPEWALK_DER, file, &len, &tour_error));
  ropewalk_p256_key_wipe(&key);
  DOES(ropewalk_p256_key_read(&key, file, len, &tour_error));
  DOES(ropewalk_p256_public(&key, out, 65, &tour_error));
  HOLDS(memcmp(bytes, out, 65) == 0);
  DOES(ropewalk_p256_public_key_init(&public_key, bytes, 65, &tour_error));
  DOES(ropewalk_p256_public_key_write(&public_key, ROPEWALK_PEM, file, &len, &tour_error));
  ropewalk_p256_public_key_wipe(&public_key);
  DOES(ropewalk_p256_public_key_read(&public_key, file, len, &tour_error));
  DOES(ropewalk_p256_public_key_bytes(&public_key, out, 65, &tour_error));
  HOLDS(memcmp(bytes, out, 65) == 0);

  /* Of another algorithm. */
  FAILS(ROPEWALK_WRONG_KIND, ropewalk_p256_key_read(&key, ED25519, strlen(ED25519), &tour_error));
  (void)ropewalk_error_text(&tour_error, words, sizeof words);
  HOLDS(strcmp(words, "key is not one of P-256") == 0);
  for (size_t i = 0; i < ROPEWALK_P256_KEY_WORDS; i++) HOLDS(key.words[i] == 0);
  FAILS(ROPEWALK_WRONG_KIND, ropewalk_p256_public_key_read(&public_key, ED25519_PUBLIC, strlen(ED25519_PUBLIC), &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_p256_public_key_read(&public_key, NULL, 1, &tour_error));
}

static void x25519(void) {
  ropewalk_x25519_key key;
  uint8_t bytes[32], out[32];
  DOES(ropewalk_x25519_key_generate(&key, &tour_error));
  DOES(ropewalk_x25519_public(&key, bytes, &tour_error));
  DOES(ropewalk_x25519_key_write(&key, ROPEWALK_PEM, file, &len, &tour_error));
  ropewalk_x25519_key_wipe(&key);
  DOES(ropewalk_x25519_key_read(&key, file, len, &tour_error));
  DOES(ropewalk_x25519_public(&key, out, &tour_error));
  HOLDS(memcmp(bytes, out, 32) == 0);
  DOES(ropewalk_x25519_public_write(bytes, ROPEWALK_DER, file, &len, &tour_error));
  HOLDS(len == 44 && memcmp(file + 12, bytes, 32) == 0);
  memset(out, 0, 32);
  DOES(ropewalk_x25519_public_read(out, file, len, &tour_error));
  HOLDS(memcmp(bytes, out, 32) == 0);
  FAILS(ROPEWALK_WRONG_KIND, ropewalk_x25519_public_read(out, ED25519_PUBLIC, strlen(ED25519_PUBLIC), &tour_error));
  FAILS(ROPEWALK_INVALID, ropewalk_x25519_public_read(out, file, 12, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_x25519_public_read(NULL, file, len, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_x25519_public_write(NULL, ROPEWALK_DER, file, &len, &tour_error));
  FAILS(ROPEWALK_NO_ALGORITHM, ropewalk_x25519_public_write(bytes, 0, file, &len, &tour_error));
  HOLDS(memcmp(bytes, out, 32) == 0);
  ropewalk_x25519_key_wipe(&key);
}

void tour_key_files(void) {
  ed25519();
  p256();
  x25519();
}
