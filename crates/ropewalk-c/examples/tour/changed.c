/* A key that is made anew or changed while a message in pieces goes on: the message ends there. */

#include "tour.h"

static uint8_t secret[32] = {1}, other[32] = {2}, nonce[16] = {3};

static void aead_streams(ropewalk_aead algorithm) {
  ropewalk_aead_key key;
  ropewalk_aead_stream stream, copy;
  uint8_t text[64] = {4}, before[64], tag[16] = {5};
  memcpy(before, text, sizeof text);

  /* Another key of the same algorithm, the same secret again, and the same key with another secret. */
  DOES(ropewalk_aead_key_init(&key, algorithm, secret, 32, &tour_error));
  DOES(ropewalk_aead_stream_init(&stream, &key, nonce, 12, &tour_error));
  DOES(ropewalk_aead_stream_clone(&copy, &stream, &tour_error));
  DOES(ropewalk_aead_key_init(&key, algorithm, other, 32, &tour_error));
  FAILS(ROPEWALK_KEY_CHANGED, ropewalk_aead_stream_aad(&stream, nonce, 12, &tour_error));
  FAILS(ROPEWALK_KEY_CHANGED, ropewalk_aead_stream_seal(&stream, text, text, 64, &tour_error));
  FAILS(ROPEWALK_KEY_CHANGED, ropewalk_aead_stream_open_unverified(&stream, text, text, 64, &tour_error));
  FAILS(ROPEWALK_KEY_CHANGED, ropewalk_aead_stream_finish(&copy, tag, 16, &tour_error));
  DOES(ropewalk_aead_key_init(&key, algorithm, secret, 32, &tour_error));
  FAILS(ROPEWALK_KEY_CHANGED, ropewalk_aead_stream_finish_verify(&stream, tag, 16, &tour_error));
  DOES(ropewalk_aead_stream_init(&stream, &key, nonce, 12, &tour_error));
  DOES(ropewalk_aead_rekey(&key, other, 32, &tour_error));
  FAILS(ROPEWALK_KEY_CHANGED, ropewalk_aead_stream_seal(&stream, text, text, 64, &tour_error));
  HOLDS(memcmp(text, before, sizeof text) == 0 && tag[0] == 5);

  /* Tags of another length. */
  DOES(ropewalk_aead_stream_init(&stream, &key, nonce, 12, &tour_error));
  DOES(ropewalk_aead_key_set_tag_len(&key, 16, &tour_error));
  FAILS(ROPEWALK_KEY_CHANGED, ropewalk_aead_stream_finish(&stream, tag, 16, &tour_error));

  /* A copy of the key somewhere else changes nothing, and one in its place does. */
  ropewalk_aead_key twin;
  DOES(ropewalk_aead_stream_init(&stream, &key, nonce, 12, &tour_error));
  DOES(ropewalk_aead_key_clone(&twin, &key, &tour_error));
  DOES(ropewalk_aead_stream_seal(&stream, text, text, 64, &tour_error));
  DOES(ropewalk_aead_key_clone(&key, &twin, &tour_error));
  FAILS(ROPEWALK_KEY_CHANGED, ropewalk_aead_stream_finish(&stream, tag, 16, &tour_error));
  HOLDS(strcmp(tour_error.what, "authenticated cipher's key") == 0);
  ropewalk_aead_key_wipe(&key);
  FAILS(ROPEWALK_NOT_READY, ropewalk_aead_stream_finish(&stream, tag, 16, &tour_error));
  ropewalk_aead_stream_wipe(&stream);
  ropewalk_aead_stream_wipe(&copy);
  ropewalk_aead_key_wipe(&twin);
}

static void key_streams(ropewalk_cipher algorithm) {
  ropewalk_cipher_key key;
  ropewalk_stream stream;
  uint8_t text[64] = {4}, out[64];
  memset(out, 0xee, sizeof out);

  DOES(ropewalk_cipher_key_init(&key, algorithm, secret, 32, &tour_error));
  if (algorithm == ROPEWALK_CHACHA20)
    DOES(ropewalk_stream_init_chacha20(&stream, &key, 0, nonce, 12, &tour_error));
  else
    DOES(ropewalk_stream_init_ctr(&stream, &key, 32, nonce, 16, &tour_error));
  DOES(ropewalk_cipher_key_init(&key, algorithm, other, 32, &tour_error));
  FAILS(ROPEWALK_KEY_CHANGED, ropewalk_stream_apply(&stream, text, out, 64, &tour_error));
  FAILS(ROPEWALK_KEY_CHANGED, ropewalk_stream_apply(&stream, text, text, 64, &tour_error));
  ropewalk_cipher_key_wipe(&key);
  FAILS(ROPEWALK_NOT_READY, ropewalk_stream_apply(&stream, text, out, 64, &tour_error));
  for (size_t i = 0; i < 64; i++) HOLDS(out[i] == 0xee && text[i] == (i == 0 ? 4 : 0));
  ropewalk_stream_wipe(&stream);
}

static void macs(void) {
  ropewalk_mac_key key;
  ropewalk_mac_state state, copy;
  uint8_t tag[32] = {5};

  /* AES-CMAC goes back to its key. */
  DOES(ropewalk_mac_key_init(&key, ROPEWALK_AES_128_CMAC, secret, 16, &tour_error));
  DOES(ropewalk_mac_init(&state, &key, &tour_error));
  DOES(ropewalk_mac_update(&state, "hello", 5, &tour_error));
  DOES(ropewalk_mac_clone(&copy, &state, &tour_error));
  DOES(ropewalk_mac_key_set_tag_len(&key, 12, &tour_error));
  FAILS(ROPEWALK_KEY_CHANGED, ropewalk_mac_update(&state, "hello", 5, &tour_error));
  FAILS(ROPEWALK_KEY_CHANGED, ropewalk_mac_finish(&state, tag, 16, &tour_error));
  FAILS(ROPEWALK_KEY_CHANGED, ropewalk_mac_finish_verify(&state, tag, 16, &tour_error));
  FAILS(ROPEWALK_KEY_CHANGED, ropewalk_mac_finish(&copy, tag, 16, &tour_error));
  DOES(ropewalk_mac_init(&state, &key, &tour_error));
  DOES(ropewalk_mac_key_init(&key, ROPEWALK_AES_128_CMAC, other, 16, &tour_error));
  FAILS(ROPEWALK_KEY_CHANGED, ropewalk_mac_finish(&state, tag, 12, &tour_error));
  DOES(ropewalk_mac_init(&state, &key, &tour_error));
  DOES(ropewalk_mac_key_init(&key, ROPEWALK_HMAC_SHA256, secret, 32, &tour_error));
  FAILS(ROPEWALK_KEY_CHANGED, ropewalk_mac_finish(&state, tag, 16, &tour_error));
  HOLDS(tag[0] == 5);

  /* HMAC has taken what it needs. */
  DOES(ropewalk_mac_init(&state, &key, &tour_error));
  ropewalk_mac_key_wipe(&key);
  DOES(ropewalk_mac_finish(&state, tag, 32, &tour_error));
  ropewalk_mac_wipe(&copy);
}

void tour_changed(void) {
  aead_streams(ROPEWALK_AES_256_GCM);
  aead_streams(ROPEWALK_CHACHA20_POLY1305);
  key_streams(ROPEWALK_AES_256_CTR);
  key_streams(ROPEWALK_CHACHA20);
  macs();
}
