/* Records of TLS 1.2. */

#include "tour.h"

void tour_records(void) {
  static const char header[] = "\0\0\0\0\0\0\0\x01\x17\x03\x03";
  uint8_t aes[16], mac[32], iv[16], record[1104], other[1104];
  size_t len = 0;
  ropewalk_record_key key;
  memset(aes, 7, sizeof aes);
  memset(mac, 8, sizeof mac);
  memset(iv, 9, sizeof iv);
  for (uint32_t hash = ROPEWALK_SHA1; hash <= ROPEWALK_SHA256; hash += ROPEWALK_SHA256 - ROPEWALK_SHA1) {
    DOES(ropewalk_record_key_init(&key, hash, aes, 16, mac, ropewalk_hash_digest_len(hash), &tour_error));
    size_t sealed = ropewalk_record_len(&key, 1050);
    HOLDS(sealed > 1050 && sealed <= sizeof record && sealed % 16 == 0);
    memset(record, 'a', 1050);
    DOES(ropewalk_record_seal(&key, iv, 16, header, 11, record, 1050, other, sealed, &tour_error));
    DOES(ropewalk_record_seal(&key, iv, 16, header, 11, record, 1050, record, sealed, &tour_error));
    HOLDS(memcmp(record, other, sealed) == 0);
    DOES(ropewalk_record_open(&key, iv, 16, header, 11, record, other, sealed, &len, &tour_error));
    HOLDS(len == 1050 && other[0] == 'a' && other[1049] == 'a');
    record[500] ^= 1;
    FAILS(ROPEWALK_FORGED,
          ropewalk_record_open(&key, iv, 16, header, 11, record, record, sealed, &len, &tour_error));
    HOLDS(record[0] == 0);
    FAILS(ROPEWALK_LENGTH,
          ropewalk_record_seal(&key, iv, 16, header, 11, record, 1050, record, sealed - 16, &tour_error));
    ropewalk_record_key_wipe(&key);
  }
  HOLDS(ropewalk_record_len(&key, 10) == 0 && sizeof header - 1 == ROPEWALK_RECORD_HEADER_LEN);
  FAILS(ROPEWALK_WRONG_KIND, ropewalk_record_key_init(&key, ROPEWALK_SHA512, aes, 16, mac, 32, &tour_error));
}
