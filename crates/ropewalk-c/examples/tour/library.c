/* The library itself, and random bytes. */

#include "tour.h"

static void names(void) {
  const char *name;
  uint32_t found;
  for (uint32_t i = 1; (name = ropewalk_hash_name(i)) != NULL; i++) {
    DOES(ropewalk_hash_named(name, &found, &tour_error));
    HOLDS(found == i && ropewalk_hash_digest_len(i) >= 16 && ropewalk_hash_block_len(i) >= 64);
  }
  for (uint32_t i = 1; (name = ropewalk_mac_name(i)) != NULL; i++) {
    DOES(ropewalk_mac_named(name, &found, &tour_error));
    HOLDS(found == i && ropewalk_mac_key_len(i) >= 16);
    HOLDS(ropewalk_mac_tag_len(i) <= ROPEWALK_LONGEST_TAG);
  }
  for (uint32_t i = 1; (name = ropewalk_aead_name(i)) != NULL; i++) {
    DOES(ropewalk_aead_named(name, &found, &tour_error));
    HOLDS(found == i && ropewalk_aead_key_len(i) >= 16);
    HOLDS(ropewalk_aead_nonce_len(i) == 12 && ropewalk_aead_tag_len(i) == 16);
  }
  for (uint32_t i = 1; (name = ropewalk_cipher_name(i)) != NULL; i++) {
    DOES(ropewalk_cipher_named(name, &found, &tour_error));
    HOLDS(found == i && ropewalk_cipher_key_len(i) >= 16 && ropewalk_cipher_nonce_len(i) >= 12);
    HOLDS(ropewalk_cipher_block_len(i) == 1 || ropewalk_cipher_block_len(i) == 16);
  }
  DOES(ropewalk_aead_named("aes-256-gcm", &found, &tour_error));
  DOES(ropewalk_aead_named("AES_128/gcm", &found, &tour_error));
  HOLDS(found == ROPEWALK_AES_128_GCM);
  DOES(ropewalk_aead_named("aes-256-gcm", &found, &tour_error));
  HOLDS(found == ROPEWALK_AES_256_GCM);
  FAILS(ROPEWALK_NO_ALGORITHM, ropewalk_aead_named("aes-256-gmc", &found, &tour_error));
  HOLDS(strcmp(tour_error.name, "aes-256-gmc") == 0 && found == ROPEWALK_AES_256_GCM);
  HOLDS(ropewalk_hash_name(0) == NULL && ropewalk_hash_digest_len(99) == 0);
}

static void errors(void) {
  char text[256], cut[8];
  ropewalk_error none;
  memset(&none, 0, sizeof none);
  HOLDS(ropewalk_error_text(&none, text, sizeof text) == 4 && strcmp(text, "done") == 0);
  size_t len = ropewalk_error_text(&tour_error, text, sizeof text);
  HOLDS(len == strlen(text));
  printf("%s\n", text);
  HOLDS(ropewalk_error_text(&tour_error, cut, sizeof cut) == len && strlen(cut) == 7);
  HOLDS(ropewalk_error_text(&tour_error, NULL, 0) == len);
  HOLDS(strcmp(ropewalk_status_text(ROPEWALK_FORGED), "forged message") == 0);
  HOLDS(strcmp(ropewalk_status_text(12345), "no such status") == 0);
}

static void processor(void) {
  const char *name;
  unsigned here = 0, all = 0;
  for (size_t i = 0; (name = ropewalk_cpu_feature(i)) != NULL; i++, all++) here += ropewalk_cpu_has(name);
  printf("%u of %u processor features are here\n", here, all);
  HOLDS(here <= all && ropewalk_cpu_has("none of them") == 0);
  for (size_t i = 0; (name = ropewalk_primitive(i)) != NULL; i++) HOLDS(ropewalk_backend(name) != NULL);
  HOLDS(ropewalk_backend("none of them") == NULL);
  for (size_t i = 0; (name = ropewalk_wrong_backend(i)) != NULL; i++) printf("%s is wrong here, and not used\n", name);
  HOLDS(ropewalk_wrong_backend(SIZE_MAX) == NULL);
  printf("AES-GCM is done by %s\n", ropewalk_backend("aes-gcm"));
  FAILS(ROPEWALK_UNKNOWN, ropewalk_disable("avx513", &tour_error));
  HOLDS(strcmp(tour_error.name, "avx513") == 0);
  DOES(ropewalk_disable("", &tour_error));
}

static void randomness(void) {
  uint8_t one[32], other[32], seed[ROPEWALK_SEED_LEN];
  DOES(ropewalk_random(one, sizeof one, &tour_error));
  DOES(ropewalk_random(other, sizeof other, &tour_error));
  HOLDS(memcmp(one, other, sizeof one) != 0);

  ropewalk_drbg drbg;
  memset(seed, 7, sizeof seed);
  DOES(ropewalk_drbg_init(&drbg, seed, sizeof seed, "tour", 4, &tour_error));
  DOES(ropewalk_drbg_generate(&drbg, NULL, 0, one, sizeof one, &tour_error));
  DOES(ropewalk_drbg_reseed(&drbg, seed, sizeof seed, NULL, 0, &tour_error));
  DOES(ropewalk_drbg_generate(&drbg, "more", 4, other, sizeof other, &tour_error));
  HOLDS(memcmp(one, other, sizeof one) != 0);
  FAILS(ROPEWALK_LENGTH, ropewalk_drbg_reseed(&drbg, seed, 47, NULL, 0, &tour_error));
  ropewalk_drbg_wipe(&drbg);
  FAILS(ROPEWALK_NOT_READY, ropewalk_drbg_generate(&drbg, NULL, 0, one, sizeof one, &tour_error));
}

void tour_library(void) {
  DOES(ropewalk_init(&tour_error));
  DOES(ropewalk_init(NULL));
  printf("ropewalk %s\n", ropewalk_version());
  HOLDS(ropewalk_version_number() == ROPEWALK_VERSION_MAJOR * 1000000 + ROPEWALK_VERSION_MINOR * 1000 +
                                         ROPEWALK_VERSION_PATCH);
  names();
  errors();
  processor();
  randomness();
  DOES(ropewalk_self_test(&tour_error));
}
