/* Keys of other secrets, and keys that wrap keys. */

#include "tour.h"

static void wrap(void) {
  uint8_t secret[16], data[16], wrapped[24], buffer[24];
  size_t len = 0;
  ropewalk_wrap_key key;
  tour_hex("000102030405060708090a0b0c0d0e0f", secret);
  tour_hex("00112233445566778899aabbccddeeff", data);
  DOES(ropewalk_wrap_key_init(&key, secret, 16, &tour_error));
  DOES(ropewalk_wrap(&key, data, 16, wrapped, 24, &tour_error));
  HOLDS(tour_is(wrapped, "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5"));
  memcpy(buffer, data, 16);
  DOES(ropewalk_wrap(&key, buffer, 16, buffer, 24, &tour_error));
  HOLDS(memcmp(buffer, wrapped, 24) == 0);
  DOES(ropewalk_unwrap(&key, buffer, 24, buffer, 16, &tour_error));
  HOLDS(memcmp(buffer, data, 16) == 0);
  DOES(ropewalk_unwrap(&key, wrapped, 24, buffer, 16, &tour_error));
  HOLDS(memcmp(buffer, data, 16) == 0);
  wrapped[0] ^= 1;
  FAILS(ROPEWALK_FORGED, ropewalk_unwrap(&key, wrapped, 24, buffer, 16, &tour_error));

  HOLDS(ropewalk_wrap_padded_len(9) == 24);
  DOES(ropewalk_wrap_padded(&key, data, 9, wrapped, 24, &tour_error));
  memcpy(buffer, data, 9);
  DOES(ropewalk_wrap_padded(&key, buffer, 9, buffer, 24, &tour_error));
  HOLDS(memcmp(buffer, wrapped, 24) == 0);
  DOES(ropewalk_unwrap_padded(&key, buffer, 24, buffer, 16, &len, &tour_error));
  HOLDS(len == 9 && memcmp(buffer, data, 9) == 0);
  DOES(ropewalk_unwrap_padded(&key, wrapped, 24, buffer, 16, &len, &tour_error));
  HOLDS(len == 9 && memcmp(buffer, data, 9) == 0);
  FAILS(ROPEWALK_LENGTH, ropewalk_wrap(&key, data, 15, wrapped, 23, &tour_error));
  ropewalk_wrap_key_wipe(&key);
}

static void hkdf(void) {
  uint8_t secret[22], salt[13], info[10], out[42], bytes[32], other[42];
  ropewalk_mac_key salt_key;
  ropewalk_prk prk, derived;
  memset(secret, 0x0b, sizeof secret);
  tour_hex("000102030405060708090a0b0c", salt);
  tour_hex("f0f1f2f3f4f5f6f7f8f9", info);
  DOES(ropewalk_hkdf(ROPEWALK_SHA256, salt, 13, secret, 22, info, 10, out, 42, &tour_error));
  HOLDS(tour_is(out, "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"));
  tour_print("HKDF-SHA-256", out, 42);

  DOES(ropewalk_mac_key_init(&salt_key, ROPEWALK_HMAC_SHA256, salt, 13, &tour_error));
  DOES(ropewalk_hkdf_extract(&prk, &salt_key, secret, 22, &tour_error));
  DOES(ropewalk_prk_bytes(&prk, bytes, 32, &tour_error));
  HOLDS(tour_is(bytes, "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5"));
  DOES(ropewalk_hkdf_expand(&prk, info, 10, other, 42, &tour_error));
  HOLDS(memcmp(out, other, 42) == 0);
  FAILS(ROPEWALK_LENGTH, ropewalk_prk_bytes(&prk, bytes, 31, &tour_error));
  ropewalk_prk_wipe(&prk);

  /* TLS 1.3: a label is a structure in the information. */
  static const char label[] = "\0\x10\x09tls13 key";
  DOES(ropewalk_prk_init(&prk, ROPEWALK_SHA256, bytes, 32, &tour_error));
  DOES(ropewalk_tls13_expand_label(&prk, "key", 3, NULL, 0, out, 16, &tour_error));
  DOES(ropewalk_hkdf_expand(&prk, label, sizeof label, other, 16, &tour_error));
  HOLDS(memcmp(out, other, 16) == 0);
  DOES(ropewalk_tls13_derive_secret(&derived, &prk, "derived", 7, bytes, 32, &tour_error));
  DOES(ropewalk_prk_bytes(&derived, out, 32, &tour_error));
  DOES(ropewalk_tls13_expand_label(&prk, "derived", 7, bytes, 32, other, 32, &tour_error));
  HOLDS(memcmp(out, other, 32) == 0);
  FAILS(ROPEWALK_LENGTH, ropewalk_tls13_derive_secret(&derived, &prk, "derived", 7, bytes, 31, &tour_error));
  ropewalk_prk_wipe(&derived);
  ropewalk_prk_wipe(&prk);
  ropewalk_mac_key_wipe(&salt_key);
}

void tour_keys(void) {
  uint8_t out[20], other[20];
  ropewalk_mac_key key;
  wrap();
  hkdf();
  DOES(ropewalk_mac_key_init(&key, ROPEWALK_HMAC_SHA1, "password", 8, &tour_error));
  DOES(ropewalk_pbkdf2(&key, "salt", 4, 1, out, 20, &tour_error));
  HOLDS(tour_is(out, "0c60c80f961f0e71f3a9b524af6012062fe037a6"));
  FAILS(ROPEWALK_LENGTH, ropewalk_pbkdf2(&key, "salt", 4, 0, out, 20, &tour_error));
  DOES(ropewalk_tls12_prf(&key, "key expansion", 13, "seed", 4, out, 20, &tour_error));
  DOES(ropewalk_tls12_prf(&key, "key expansion", 13, "seed", 4, other, 19, &tour_error));
  HOLDS(memcmp(out, other, 19) == 0);
  ropewalk_mac_key_wipe(&key);
}
