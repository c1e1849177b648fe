/* What is refused, and that nothing is written then. */

#include "tour.h"

void tour_misuse(void) {
  uint8_t secret[32], text[64], before[64], tag[16], nonce[12];
  ropewalk_aead_key key, moved;
  memset(secret, 1, sizeof secret);
  memset(nonce, 2, sizeof nonce);
  memset(text, 3, sizeof text);
  memset(tag, 4, sizeof tag);
  memcpy(before, text, sizeof text);

  /* Keys that are none. */
  memset(&key, 5, sizeof key);
  FAILS(ROPEWALK_NOT_READY, ropewalk_aead_seal(&key, nonce, 12, NULL, 0, text, text, 64, tag, 16, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_aead_seal(NULL, nonce, 12, NULL, 0, text, text, 64, tag, 16, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_aead_key_init(NULL, ROPEWALK_AES_256_GCM, secret, 32, &tour_error));
  FAILS(ROPEWALK_NO_ALGORITHM, ropewalk_aead_key_init(&key, 0, secret, 32, &tour_error));
  FAILS(ROPEWALK_LENGTH, ropewalk_aead_key_init(&key, ROPEWALK_AES_256_GCM, secret, 31, &tour_error));
  for (size_t i = 0; i < ROPEWALK_AEAD_KEY_WORDS; i++) HOLDS(key.words[i] == 0);
  HOLDS(tour_error.got == 31 && strcmp(tour_error.allowed, "32 bytes") == 0);
  FAILS(ROPEWALK_OVERLAP, ropewalk_aead_key_init(&key, ROPEWALK_AES_256_GCM, &key.words[1], 32, &tour_error));
  DOES(ropewalk_aead_key_init(&key, ROPEWALK_AES_256_GCM, secret, 32, &tour_error));
  memcpy(&moved, &key, sizeof key);
  FAILS(ROPEWALK_NOT_READY, ropewalk_aead_seal(&moved, nonce, 12, NULL, 0, text, text, 64, tag, 16, &tour_error));

  /* Pointers and lengths. */
  FAILS(ROPEWALK_NULL, ropewalk_aead_seal(&key, NULL, 12, NULL, 0, text, text, 64, tag, 16, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_aead_seal(&key, nonce, 12, NULL, 1, text, text, 64, tag, 16, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_aead_seal(&key, nonce, 12, NULL, 0, NULL, text, 64, tag, 16, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_aead_seal(&key, nonce, 12, NULL, 0, text, NULL, 64, tag, 16, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_aead_seal(&key, nonce, 12, NULL, 0, text, text, 64, NULL, 16, &tour_error));
  FAILS(ROPEWALK_LENGTH, ropewalk_aead_seal(&key, nonce, 12, NULL, 0, text, text, 64, tag, 15, &tour_error));
  FAILS(ROPEWALK_LENGTH, ropewalk_aead_seal(&key, NULL, 0, NULL, 0, text, text, 64, tag, 16, &tour_error));
  HOLDS(ropewalk_aead_seal(&key, NULL, 0, NULL, 0, text, text, 64, tag, 16, NULL) == ROPEWALK_LENGTH);

  /* Memory that overlaps. */
  FAILS(ROPEWALK_OVERLAP, ropewalk_aead_seal(&key, nonce, 12, NULL, 0, text, text + 1, 63, tag, 16, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_aead_seal(&key, nonce, 12, NULL, 0, text + 1, text, 63, tag, 16, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_aead_seal(&key, nonce, 12, text, 8, text + 4, text + 4, 9, tag, 16, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_aead_seal(&key, text, 12, NULL, 0, text + 4, text + 4, 9, tag, 16, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_aead_seal(&key, nonce, 12, NULL, 0, text, text, 64, text + 48, 16, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_aead_seal(&key, nonce, 12, NULL, 0, text, &key, 64, tag, 16, &tour_error));
  /* By one byte. */
  FAILS(ROPEWALK_OVERLAP, ropewalk_aead_seal(&key, nonce, 12, NULL, 0, text, text, 49, text + 48, 16, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_aead_seal(&key, nonce, 12, NULL, 0, text + 15, text + 15, 49, text, 16, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_aead_seal(&key, nonce, 12, text, 8, text + 7, text + 7, 9, tag, 16, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_aead_seal(&key, nonce, 12, NULL, 0, text, text + 31, 32, tag, 16, &tour_error));
  FAILS(ROPEWALK_OVERLAP,
        ropewalk_aead_seal_appended(&key, nonce, 12, NULL, 0, text + 8, 40, text, 56, &tour_error));
  HOLDS(memcmp(text, before, sizeof text) == 0 && tag[0] == 4);
  FAILS(ROPEWALK_NULL, ropewalk_aead_seal_many(NULL, 2, &tour_error));

  /* A key that a state needs, and that is gone. */
  ropewalk_mac_key mac;
  ropewalk_mac_state state;
  DOES(ropewalk_mac_key_init(&mac, ROPEWALK_AES_128_CMAC, secret, 16, &tour_error));
  DOES(ropewalk_mac_init(&state, &mac, &tour_error));
  ropewalk_mac_key_wipe(&mac);
  FAILS(ROPEWALK_NOT_READY, ropewalk_mac_update(&state, text, 1, &tour_error));
  ropewalk_mac_wipe(&state);

  /* What is empty is nowhere. */
  DOES(ropewalk_aead_seal(&key, nonce, 12, text + 3, 0, text, text, 64, tag, 16, &tour_error));
  DOES(ropewalk_aead_open(&key, nonce, 12, NULL, 0, text, text, 64, tag, 16, &tour_error));
  DOES(ropewalk_aead_seal(&key, nonce, 12, NULL, 0, NULL, NULL, 0, tag, 16, &tour_error));
  HOLDS(memcmp(text, before, sizeof text) == 0);
  ropewalk_aead_key_wipe(&key);
  for (size_t i = 0; i < ROPEWALK_AEAD_KEY_WORDS; i++) HOLDS(key.words[i] == 0);
}
