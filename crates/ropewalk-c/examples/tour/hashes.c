/* Hash functions: in one call and in pieces. */

#include "tour.h"

static const char ABC[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

void tour_hashes(void) {
  uint8_t digest[64], again[64];
  DOES(ropewalk_hash_digest(ROPEWALK_SHA256, "abc", 3, digest, 32, &tour_error));
  HOLDS(tour_is(digest, ABC));
  tour_print("SHA-256 of abc", digest, 32);

  /* In pieces, and going on twice from one place. */
  ropewalk_hash_state state, copy;
  DOES(ropewalk_hash_init(&state, ROPEWALK_SHA256, &tour_error));
  DOES(ropewalk_hash_update(&state, "a", 1, &tour_error));
  DOES(ropewalk_hash_clone(&copy, &state, &tour_error));
  DOES(ropewalk_hash_update(&state, "bc", 2, &tour_error));
  FAILS(ROPEWALK_LENGTH, ropewalk_hash_finish(&state, digest, 31, &tour_error));
  DOES(ropewalk_hash_finish(&state, digest, 32, &tour_error));
  HOLDS(tour_is(digest, ABC));
  DOES(ropewalk_hash_update(&copy, NULL, 0, &tour_error));
  DOES(ropewalk_hash_update(&copy, "bc", 2, &tour_error));
  DOES(ropewalk_hash_finish(&copy, digest, 32, &tour_error));
  HOLDS(tour_is(digest, ABC));
  FAILS(ROPEWALK_NOT_READY, ropewalk_hash_update(&state, "d", 1, &tour_error));

  /* A digest may lie within its message. */
  memcpy(digest, "abc", 3);
  DOES(ropewalk_hash_digest(ROPEWALK_SHA256, digest, 3, digest, 32, &tour_error));
  HOLDS(tour_is(digest, ABC));

  /* SHAKE gives as many bytes as anybody asks for. */
  DOES(ropewalk_hash_digest(ROPEWALK_SHAKE128, NULL, 0, digest, 64, &tour_error));
  HOLDS(tour_is(digest, "7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26"));
  DOES(ropewalk_hash_init(&state, ROPEWALK_SHAKE128, &tour_error));
  DOES(ropewalk_hash_squeeze(&state, again, 5, &tour_error));
  FAILS(ROPEWALK_NOT_READY, ropewalk_hash_update(&state, "d", 1, &tour_error));
  DOES(ropewalk_hash_squeeze(&state, again + 5, 19, &tour_error));
  DOES(ropewalk_hash_finish(&state, again + 24, 40, &tour_error));
  HOLDS(memcmp(digest, again, 64) == 0);

  DOES(ropewalk_hash_init(&state, ROPEWALK_SHA3_512, &tour_error));
  FAILS(ROPEWALK_WRONG_KIND, ropewalk_hash_squeeze(&state, again, 5, &tour_error));
  ropewalk_hash_wipe(&state);
  ropewalk_hash_wipe(&state);
  ropewalk_hash_wipe(NULL);
  FAILS(ROPEWALK_NOT_READY, ropewalk_hash_finish(&state, digest, 64, &tour_error));
  FAILS(ROPEWALK_NO_ALGORITHM, ropewalk_hash_init(&state, 1000, &tour_error));
  HOLDS(tour_error.got == 1000);
}
