/* Authenticated ciphers. */

#include "tour.h"

static const char TEXT[] = "attack at dawn";
enum { LEN = 14 };

/* Sealed, opened, forged: whatever the cipher. */
static void one(ropewalk_aead algorithm) {
  uint8_t secret[32], nonce[12], text[LEN], sealed[LEN], tag[16], message[LEN + 16];
  ropewalk_aead_key key, copy;
  size_t secret_len = ropewalk_aead_key_len(algorithm);
  memset(secret, 7, sizeof secret);
  memset(nonce, 1, sizeof nonce);
  DOES(ropewalk_aead_key_init(&key, algorithm, secret, secret_len, &tour_error));
  DOES(ropewalk_aead_key_clone(&copy, &key, &tour_error));

  DOES(ropewalk_aead_seal(&key, nonce, 12, "header", 6, TEXT, sealed, LEN, tag, 16, &tour_error));
  HOLDS(memcmp(sealed, TEXT, LEN) != 0);
  DOES(ropewalk_aead_open(&copy, nonce, 12, "header", 6, sealed, text, LEN, tag, 16, &tour_error));
  HOLDS(memcmp(text, TEXT, LEN) == 0);

  /* In place. */
  DOES(ropewalk_aead_seal(&key, nonce, 12, "header", 6, text, text, LEN, tag, 16, &tour_error));
  HOLDS(memcmp(sealed, text, LEN) == 0);
  tag[0] ^= 1;
  FAILS(ROPEWALK_FORGED, ropewalk_aead_open(&key, nonce, 12, "header", 6, text, text, LEN, tag, 16, &tour_error));
  HOLDS(text[0] == 0 && memcmp(text, text + 1, LEN - 1) == 0);
  tag[0] ^= 1;

  /* With the tag behind the text, copying and in place. */
  DOES(ropewalk_aead_seal_appended(&key, nonce, 12, "header", 6, TEXT, LEN, message, LEN + 16, &tour_error));
  HOLDS(memcmp(message, sealed, LEN) == 0 && memcmp(message + LEN, tag, 16) == 0);
  DOES(ropewalk_aead_open_appended(&key, nonce, 12, "header", 6, message, LEN + 16, text, LEN, &tour_error));
  DOES(ropewalk_aead_open_appended(&key, nonce, 12, "header", 6, message, LEN + 16, message, LEN, &tour_error));
  HOLDS(memcmp(message, TEXT, LEN) == 0 && memcmp(text, TEXT, LEN) == 0);
  DOES(ropewalk_aead_seal_appended(&key, nonce, 12, "header", 6, message, LEN, message, LEN + 16, &tour_error));
  HOLDS(memcmp(message, sealed, LEN) == 0 && memcmp(message + LEN, tag, 16) == 0);

  /* With a key that is used once. */
  DOES(ropewalk_aead_open_once(algorithm, secret, secret_len, nonce, 12, "header", 6, sealed, text, LEN, tag, 16,
                               &tour_error));
  DOES(ropewalk_aead_seal_once(algorithm, secret, secret_len, nonce, 12, "header", 6, text, text, LEN, tag, 16,
                               &tour_error));
  HOLDS(memcmp(text, sealed, LEN) == 0);
  DOES(ropewalk_aead_open_once(algorithm, secret, secret_len, nonce, 12, "header", 6, text, text, LEN, tag, 16,
                               &tour_error));
  HOLDS(memcmp(text, TEXT, LEN) == 0);

  /* The same place, another key. */
  DOES(ropewalk_aead_rekey(&copy, secret, secret_len, &tour_error));
  DOES(ropewalk_aead_open(&copy, nonce, 12, "header", 6, sealed, text, LEN, tag, 16, &tour_error));
  secret[0] ^= 1;
  DOES(ropewalk_aead_rekey(&copy, secret, secret_len, &tour_error));
  FAILS(ROPEWALK_FORGED,
        ropewalk_aead_open(&copy, nonce, 12, "header", 6, sealed, text, LEN, tag, 16, &tour_error));
  FAILS(ROPEWALK_LENGTH, ropewalk_aead_rekey(&copy, secret, secret_len - 1, &tour_error));
  ropewalk_aead_key_wipe(&copy);
  ropewalk_aead_key_wipe(&key);
  FAILS(ROPEWALK_NOT_READY,
        ropewalk_aead_seal(&key, nonce, 12, NULL, 0, TEXT, sealed, LEN, tag, 16, &tour_error));
}

static void gcm(void) {
  uint8_t zeros[16], text[16], tag[16], nonce[12];
  ropewalk_aead_key key;
  memset(zeros, 0, sizeof zeros);
  DOES(ropewalk_aead_key_init(&key, ROPEWALK_AES_128_GCM, zeros, 16, &tour_error));
  DOES(ropewalk_aead_seal(&key, zeros, 12, NULL, 0, zeros, text, 16, tag, 16, &tour_error));
  HOLDS(tour_is(text, "0388dace60b6a392f328c2b971b2fe78") && tour_is(tag, "ab6e47d42cec13bdf53a67b21257bddf"));
  tour_print("AES-128-GCM", text, 16);

  DOES(ropewalk_gmac(&key, zeros, 12, NULL, 0, tag, 16, &tour_error));
  HOLDS(tour_is(tag, "58e2fccefa7e3061367f1d57a4e7455a"));
  DOES(ropewalk_gmac(&key, zeros, 12, TEXT, LEN, tag, 16, &tour_error));
  DOES(ropewalk_gmac_verify(&key, zeros, 12, TEXT, LEN, tag, 16, &tour_error));
  FAILS(ROPEWALK_FORGED, ropewalk_gmac_verify(&key, zeros, 12, TEXT, LEN - 1, tag, 16, &tour_error));

  /* Shorter tags, which a key has from then on. */
  DOES(ropewalk_aead_key_set_tag_len(&key, 12, &tour_error));
  FAILS(ROPEWALK_LENGTH, ropewalk_aead_key_set_tag_len(&key, 11, &tour_error));
  DOES(ropewalk_aead_seal(&key, zeros, 12, NULL, 0, zeros, text, 16, tag, 12, &tour_error));
  DOES(ropewalk_aead_open(&key, zeros, 12, NULL, 0, text, text, 16, tag, 12, &tour_error));
  FAILS(ROPEWALK_LENGTH, ropewalk_aead_open(&key, zeros, 12, NULL, 0, text, text, 16, tag, 16, &tour_error));
  DOES(ropewalk_aead_key_set_tag_len(&key, 16, &tour_error));

  /* Nonces that are never used twice. */
  ropewalk_sealer sealer;
  uint8_t message[12 + LEN + 16], opened[LEN];
  DOES(ropewalk_sealer_init_counter(&sealer, &key, "tour", 41, 2, &tour_error));
  memcpy(opened, TEXT, LEN);
  DOES(ropewalk_sealer_seal(&sealer, "header", 6, opened, LEN, nonce, 12, tag, 16, &tour_error));
  HOLDS(memcmp(nonce, "tour", 4) == 0 && nonce[11] == 41);
  DOES(ropewalk_aead_open(&key, nonce, 12, "header", 6, opened, opened, LEN, tag, 16, &tour_error));
  HOLDS(memcmp(opened, TEXT, LEN) == 0);
  DOES(ropewalk_sealer_seal_message(&sealer, "header", 6, TEXT, LEN, message, sizeof message, &tour_error));
  HOLDS(message[11] == 42);
  FAILS(ROPEWALK_EXHAUSTED,
        ropewalk_sealer_seal_message(&sealer, "header", 6, TEXT, LEN, message, sizeof message, &tour_error));
  memset(opened, 0, LEN);
  DOES(ropewalk_sealer_open_message(&sealer, "header", 6, message, sizeof message, opened, LEN, &tour_error));
  HOLDS(memcmp(opened, TEXT, LEN) == 0);
  ropewalk_sealer_wipe(&sealer);
  DOES(ropewalk_sealer_init_random(&sealer, &key, 0, &tour_error));
  DOES(ropewalk_sealer_seal(&sealer, NULL, 0, opened, LEN, nonce, 12, tag, 16, &tour_error));
  /* A sealer counts, and so nothing that it reads may lie within it. */
  FAILS(ROPEWALK_OVERLAP, ropewalk_sealer_seal(&sealer, &sealer, 8, opened, LEN, nonce, 12, tag, 16, &tour_error));
  FAILS(ROPEWALK_OVERLAP,
        ropewalk_sealer_seal_message(&sealer, &sealer, 8, TEXT, LEN, message, sizeof message, &tour_error));
  FAILS(ROPEWALK_OVERLAP,
        ropewalk_sealer_seal_message(&sealer, "header", 6, &sealer, LEN, message, sizeof message, &tour_error));
  DOES(ropewalk_aead_open(&key, nonce, 12, NULL, 0, opened, opened, LEN, tag, 16, &tour_error));
  ropewalk_sealer_wipe(&sealer);
  ropewalk_aead_key_wipe(&key);
}

/* In pieces of every length up to 40, as in one call. */
static void pieces(ropewalk_aead algorithm) {
  enum { LONG = 300 };
  uint8_t secret[32], nonce[12], text[LONG], sealed[LONG], out[LONG], tag[16], other[16];
  ropewalk_aead_key key;
  ropewalk_aead_stream stream, copy;
  memset(secret, 7, sizeof secret);
  memset(nonce, 1, sizeof nonce);
  for (size_t i = 0; i < LONG; i++) text[i] = (uint8_t)i;
  DOES(ropewalk_aead_key_init(&key, algorithm, secret, ropewalk_aead_key_len(algorithm), &tour_error));
  if (strstr(ropewalk_aead_name(algorithm), "ccm") != NULL) {
    FAILS(ROPEWALK_WRONG_KIND, ropewalk_aead_stream_init(&stream, &key, nonce, 12, &tour_error));
    ropewalk_aead_key_wipe(&key);
    return;
  }
  DOES(ropewalk_aead_seal(&key, nonce, 12, "a long header", 13, text, sealed, LONG, tag, 16, &tour_error));
  for (size_t step = 1; step <= 40; step++) {
    DOES(ropewalk_aead_stream_init(&stream, &key, nonce, 12, &tour_error));
    DOES(ropewalk_aead_stream_aad(&stream, "a long ", 7, &tour_error));
    DOES(ropewalk_aead_stream_aad(&stream, "header", 6, &tour_error));
    for (size_t i = 0; i < LONG; i += step) {
      size_t len = LONG - i < step ? LONG - i : step;
      DOES(ropewalk_aead_stream_seal(&stream, text + i, out + i, len, &tour_error));
    }
    FAILS(ROPEWALK_TEXT_HAS_BEGUN, ropewalk_aead_stream_aad(&stream, "header", 6, &tour_error));
    FAILS(ROPEWALK_LENGTH, ropewalk_aead_stream_finish(&stream, other, 15, &tour_error));
    DOES(ropewalk_aead_stream_finish(&stream, other, 16, &tour_error));
    HOLDS(memcmp(out, sealed, LONG) == 0 && memcmp(other, tag, 16) == 0);
    FAILS(ROPEWALK_NOT_READY, ropewalk_aead_stream_finish(&stream, other, 16, &tour_error));

    DOES(ropewalk_aead_stream_init(&stream, &key, nonce, 12, &tour_error));
    DOES(ropewalk_aead_stream_aad(&stream, "a long header", 13, &tour_error));
    for (size_t i = 0; i < LONG; i += step) {
      size_t len = LONG - i < step ? LONG - i : step;
      DOES(ropewalk_aead_stream_open_unverified(&stream, out + i, out + i, len, &tour_error));
    }
    DOES(ropewalk_aead_stream_clone(&copy, &stream, &tour_error));
    FAILS(ROPEWALK_LENGTH, ropewalk_aead_stream_finish_verify(&stream, tag, 15, &tour_error));
    DOES(ropewalk_aead_stream_finish_verify(&stream, tag, 16, &tour_error));
    HOLDS(memcmp(out, text, LONG) == 0);
    other[0] ^= 1;
    FAILS(ROPEWALK_FORGED, ropewalk_aead_stream_finish_verify(&copy, other, 16, &tour_error));
    FAILS(ROPEWALK_NOT_READY, ropewalk_aead_stream_finish_verify(&copy, tag, 16, &tour_error));
  }
  DOES(ropewalk_aead_stream_init(&stream, &key, nonce, 12, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_aead_stream_seal(&stream, out, out + 1, 20, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_aead_stream_seal(&stream, &stream, out, 20, &tour_error));
  ropewalk_aead_key_wipe(&key);
  FAILS(ROPEWALK_NOT_READY, ropewalk_aead_stream_seal(&stream, out, out, 20, &tour_error));
  ropewalk_aead_stream_wipe(&stream);
}

void tour_aeads(void) {
  for (ropewalk_aead i = 1; ropewalk_aead_name(i) != NULL; i++) {
    one(i);
    pieces(i);
  }
  gcm();
}
