/* Ciphers that do not notice what has been changed, and blocks of AES. */

#include "tour.h"

static const char BLOCK[] = "6bc1bee22e409f96e93d7e117393172a";
static const char SECRET[] = "2b7e151628aed2a6abf7158809cf4f3c";

/* Encrypted and decrypted, copying and in place: whatever the cipher. */
static void one(ropewalk_cipher algorithm) {
  uint8_t secret[64], nonce[16], text[48], other[48];
  ropewalk_cipher_key key;
  size_t nonce_len = ropewalk_cipher_nonce_len(algorithm);
  for (size_t i = 0; i < sizeof secret; i++) secret[i] = (uint8_t)i;
  memset(nonce, 1, sizeof nonce);
  memset(text, 'x', sizeof text);
  DOES(ropewalk_cipher_key_init(&key, algorithm, secret, ropewalk_cipher_key_len(algorithm), &tour_error));
  DOES(ropewalk_cipher_encrypt(&key, nonce, nonce_len, text, other, 48, &tour_error));
  DOES(ropewalk_cipher_encrypt(&key, nonce, nonce_len, text, text, 48, &tour_error));
  HOLDS(memcmp(text, other, 48) == 0 && text[0] != 'x');
  DOES(ropewalk_cipher_decrypt(&key, nonce, nonce_len, text, other, 48, &tour_error));
  DOES(ropewalk_cipher_decrypt(&key, nonce, nonce_len, text, text, 48, &tour_error));
  HOLDS(memcmp(text, other, 48) == 0 && text[0] == 'x' && text[47] == 'x');
  FAILS(ROPEWALK_LENGTH, ropewalk_cipher_encrypt(&key, nonce, nonce_len - 1, text, text, 48, &tour_error));
  ropewalk_cipher_key_wipe(&key);
}

static void ctr(void) {
  uint8_t secret[16], iv[16], text[16], pieces[16];
  ropewalk_cipher_key key;
  ropewalk_stream stream;
  tour_hex(SECRET, secret);
  tour_hex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff", iv);
  tour_hex(BLOCK, text);
  DOES(ropewalk_cipher_key_init(&key, ROPEWALK_AES_128_CTR, secret, 16, &tour_error));
  DOES(ropewalk_stream_init_ctr(&stream, &key, 128, iv, 16, &tour_error));
  DOES(ropewalk_stream_apply(&stream, text, pieces, 5, &tour_error));
  DOES(ropewalk_stream_apply(&stream, text + 5, pieces + 5, 11, &tour_error));
  DOES(ropewalk_ctr_apply(&key, 32, iv, 16, text, text, 16, &tour_error));
  HOLDS(tour_is(text, "874d6191b620e3261bef6864990db6ce") && memcmp(text, pieces, 16) == 0);
  tour_print("AES-128-CTR", text, 16);
  FAILS(ROPEWALK_LENGTH, ropewalk_ctr_apply(&key, 31, iv, 16, text, text, 16, &tour_error));
  FAILS(ROPEWALK_WRONG_KIND, ropewalk_chacha20_apply(&key, 0, iv, 12, text, text, 16, &tour_error));
  FAILS(ROPEWALK_WRONG_KIND, ropewalk_stream_init_chacha20(&stream, &key, 0, iv, 12, &tour_error));
  ropewalk_cipher_key_wipe(&key);
  FAILS(ROPEWALK_NOT_READY, ropewalk_stream_apply(&stream, text, text, 16, &tour_error));
  ropewalk_stream_wipe(&stream);
}

static void chacha20(void) {
  uint8_t secret[32], text[200], pieces[200];
  ropewalk_cipher_key key;
  ropewalk_stream stream;
  memset(secret, 9, sizeof secret);
  memset(text, 0, sizeof text);
  DOES(ropewalk_cipher_key_init(&key, ROPEWALK_CHACHA20, secret, 32, &tour_error));
  DOES(ropewalk_chacha20_apply(&key, 1, "twelve bytes", 12, text, pieces, 200, &tour_error));
  DOES(ropewalk_stream_init_chacha20(&stream, &key, 1, "twelve bytes", 12, &tour_error));
  for (size_t i = 0; i < 200; i += 25) DOES(ropewalk_stream_apply(&stream, pieces + i, pieces + i, 25, &tour_error));
  HOLDS(memcmp(text, pieces, 200) == 0);
  ropewalk_stream_wipe(&stream);
  ropewalk_cipher_key_wipe(&key);
}

static void cbc(void) {
  uint8_t secret[16], iv[16], text[32], padded[32];
  size_t len = 0;
  ropewalk_cipher_key key;
  tour_hex(SECRET, secret);
  tour_hex("000102030405060708090a0b0c0d0e0f", iv);
  tour_hex(BLOCK, text);
  DOES(ropewalk_cipher_key_init(&key, ROPEWALK_AES_128_CBC, secret, 16, &tour_error));
  HOLDS(ropewalk_cbc_padded_len(16) == 32 && ropewalk_cbc_padded_len(15) == 16);
  DOES(ropewalk_cbc_encrypt_padded(&key, iv, 16, text, 16, padded, 32, &tour_error));
  HOLDS(tour_is(padded, "7649abac8119b246cee98e9b12e9197d"));
  DOES(ropewalk_cbc_encrypt_padded(&key, iv, 16, text, 16, text, 32, &tour_error));
  HOLDS(memcmp(text, padded, 32) == 0);
  DOES(ropewalk_cbc_decrypt_padded(&key, iv, 16, text, text, 32, &len, &tour_error));
  HOLDS(len == 16 && tour_is(text, BLOCK));
  DOES(ropewalk_cbc_decrypt_padded(&key, iv, 16, padded, text, 32, &len, &tour_error));
  HOLDS(len == 16 && tour_is(text, BLOCK));
  padded[31] ^= 1;
  FAILS(ROPEWALK_FORGED, ropewalk_cbc_decrypt_padded(&key, iv, 16, padded, text, 32, &len, &tour_error));
  FAILS(ROPEWALK_LENGTH, ropewalk_cbc_encrypt_padded(&key, iv, 16, text, 16, padded, 31, &tour_error));
  FAILS(ROPEWALK_LENGTH, ropewalk_cipher_encrypt(&key, iv, 16, text, text, 15, &tour_error));
  ropewalk_cipher_key_wipe(&key);
}

static void xts(void) {
  uint8_t secret[32], sectors[3 * 512], other[3 * 512], tweak[16];
  ropewalk_cipher_key key;
  memset(secret, 3, sizeof secret);
  FAILS(ROPEWALK_EQUAL_HALVES, ropewalk_cipher_key_init(&key, ROPEWALK_AES_128_XTS, secret, 32, &tour_error));
  secret[0] = 4;
  DOES(ropewalk_cipher_key_init(&key, ROPEWALK_AES_128_XTS, secret, 32, &tour_error));
  memset(sectors, 0, sizeof sectors);
  DOES(ropewalk_xts_encrypt_sectors(&key, 7, 512, sectors, other, sizeof sectors, &tour_error));
  memset(tweak, 0, sizeof tweak);
  tweak[0] = 9;
  DOES(ropewalk_cipher_decrypt(&key, tweak, 16, other + 1024, sectors + 1024, 512, &tour_error));
  HOLDS(sectors[1024] == 0 && sectors[1535] == 0);
  DOES(ropewalk_xts_decrypt_sectors(&key, 7, 512, other, other, sizeof other, &tour_error));
  HOLDS(memcmp(sectors, other, sizeof other) == 0);
  FAILS(ROPEWALK_LENGTH, ropewalk_xts_encrypt_sectors(&key, 7, 512, sectors, other, 511, &tour_error));
  ropewalk_cipher_key_wipe(&key);
}

static void blocks(void) {
  uint8_t secret[16], text[16], other[16];
  ropewalk_ecb_key key, copy;
  tour_hex("000102030405060708090a0b0c0d0e0f", secret);
  tour_hex("00112233445566778899aabbccddeeff", text);
  DOES(ropewalk_ecb_key_init(&key, secret, 16, &tour_error));
  DOES(ropewalk_ecb_key_clone(&copy, &key, &tour_error));
  ropewalk_ecb_key_wipe(&key);
  DOES(ropewalk_ecb_encrypt(&copy, text, other, 16, &tour_error));
  HOLDS(tour_is(other, "69c4e0d86a7b0430d8cdb78070b4c55a"));
  DOES(ropewalk_ecb_decrypt(&copy, other, other, 16, &tour_error));
  HOLDS(memcmp(text, other, 16) == 0);
  FAILS(ROPEWALK_LENGTH, ropewalk_ecb_encrypt(&copy, text, other, 15, &tour_error));
  ropewalk_ecb_key_wipe(&copy);
}

void tour_ciphers(void) {
  for (ropewalk_cipher i = 1; ropewalk_cipher_name(i) != NULL; i++) one(i);
  ctr();
  chacha20();
  cbc();
  xts();
  blocks();
}
