/* Message authentication codes. */

#include "tour.h"

static void hmac(void) {
  static const char text[] = "what do ya want for nothing?";
  uint8_t tag[32];
  ropewalk_mac_key key, copy;
  ropewalk_mac_state state, other;
  DOES(ropewalk_mac_key_init(&key, ROPEWALK_HMAC_SHA256, "Jefe", 4, &tour_error));
  DOES(ropewalk_mac_once(&key, text, 28, tag, 32, &tour_error));
  HOLDS(tour_is(tag, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"));
  tour_print("HMAC-SHA-256", tag, 32);
  DOES(ropewalk_mac_verify(&key, text, 28, tag, 32, &tour_error));
  DOES(ropewalk_mac_verify(&key, text, 28, tag, 16, &tour_error));
  FAILS(ROPEWALK_FORGED, ropewalk_mac_verify(&key, text, 27, tag, 32, &tour_error));
  FAILS(ROPEWALK_LENGTH, ropewalk_mac_verify(&key, text, 28, tag, 15, &tour_error));
  FAILS(ROPEWALK_LENGTH, ropewalk_mac_once(&key, text, 28, tag, 31, &tour_error));
  FAILS(ROPEWALK_WRONG_KIND, ropewalk_mac_key_set_tag_len(&key, 16, &tour_error));

  DOES(ropewalk_mac_key_clone(&copy, &key, &tour_error));
  ropewalk_mac_key_wipe(&key);
  FAILS(ROPEWALK_NOT_READY, ropewalk_mac_once(&key, text, 28, tag, 32, &tour_error));
  DOES(ropewalk_mac_init(&state, &copy, &tour_error));
  DOES(ropewalk_mac_update(&state, text, 10, &tour_error));
  DOES(ropewalk_mac_clone(&other, &state, &tour_error));
  DOES(ropewalk_mac_update(&state, text + 10, 18, &tour_error));
  DOES(ropewalk_mac_finish_verify(&state, tag, 32, &tour_error));
  FAILS(ROPEWALK_FORGED, ropewalk_mac_finish_verify(&other, tag, 32, &tour_error));
  FAILS(ROPEWALK_NOT_READY, ropewalk_mac_update(&other, text, 1, &tour_error));
  ropewalk_mac_key_wipe(&copy);
}

static void cmac(void) {
  uint8_t secret[16], tag[16], again[16];
  ropewalk_mac_key key;
  ropewalk_mac_state state;
  tour_hex("2b7e151628aed2a6abf7158809cf4f3c", secret);
  FAILS(ROPEWALK_LENGTH, ropewalk_mac_key_init(&key, ROPEWALK_AES_256_CMAC, secret, 16, &tour_error));
  DOES(ropewalk_mac_key_init(&key, ROPEWALK_AES_128_CMAC, secret, 16, &tour_error));
  DOES(ropewalk_mac_once(&key, NULL, 0, tag, 16, &tour_error));
  HOLDS(tour_is(tag, "bb1d6929e95937287fa37d129b756746"));
  DOES(ropewalk_mac_init(&state, &key, &tour_error));
  DOES(ropewalk_mac_finish(&state, again, 16, &tour_error));
  HOLDS(memcmp(tag, again, 16) == 0);
  DOES(ropewalk_mac_key_set_tag_len(&key, 8, &tour_error));
  DOES(ropewalk_mac_once(&key, NULL, 0, again, 8, &tour_error));
  DOES(ropewalk_mac_init(&state, &key, &tour_error));
  ropewalk_mac_wipe(&state);
  ropewalk_mac_key_wipe(&key);
}

static void poly1305(void) {
  static const char text[] = "Cryptographic Forum Research Group";
  uint8_t key[32], tag[16];
  ropewalk_mac_state state, copy;
  tour_hex("85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b", key);
  DOES(ropewalk_poly1305(key, 32, text, 34, tag, 16, &tour_error));
  HOLDS(tour_is(tag, "a8061dc1305136c6c22b8baf0c0127a9"));
  DOES(ropewalk_poly1305_verify(key, 32, text, 34, tag, 16, &tour_error));
  FAILS(ROPEWALK_FORGED, ropewalk_poly1305_verify(key, 32, text, 33, tag, 16, &tour_error));
  DOES(ropewalk_mac_init_poly1305(&state, key, 32, &tour_error));
  DOES(ropewalk_mac_update(&state, text, 34, &tour_error));
  FAILS(ROPEWALK_WRONG_KIND, ropewalk_mac_clone(&copy, &state, &tour_error));
  memset(tag, 0, sizeof tag);
  DOES(ropewalk_mac_finish(&state, tag, 16, &tour_error));
  HOLDS(tour_is(tag, "a8061dc1305136c6c22b8baf0c0127a9"));
}

void tour_macs(void) {
  hmac();
  cmac();
  poly1305();
}
