/* A tour of the whole library: every function, known answers, and what is refused. It ends with the number of its checks. */

#include <stdlib.h>

#include "tour.h"

ropewalk_error tour_error;
static unsigned checks = 0;

int main(void) {
  tour_library();
  tour_hashes();
  tour_macs();
  tour_aeads();
  tour_ciphers();
  tour_keys();
  tour_public_keys();
  tour_p256();
  tour_rsa();
  tour_key_files();
  tour_records();
  tour_many();
  tour_misuse();
  tour_changed();
  printf("%u checks hold\n", checks);
  return 0;
}

void tour_expect(ropewalk_status is, ropewalk_status must, const char *call, const char *file, int line) {
  if (is != must || (is != ROPEWALK_OK && tour_error.status != (uint32_t)is)) {
    char text[256];
    (void)ropewalk_error_text(&tour_error, text, sizeof text);
    fprintf(stderr, "%s:%d: %s\n  is: %s (%s)\n  must be: %s\n", file, line, call,
            ropewalk_status_text((uint32_t)is), text, ropewalk_status_text((uint32_t)must));
    exit(1);
  }
  checks++;
}

void tour_hold(int condition, const char *text, const char *file, int line) {
  if (!condition) {
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, text);
    exit(1);
  }
  checks++;
}

size_t tour_hex(const char *digits, void *bytes) {
  uint8_t *to = (uint8_t *)bytes;
  size_t len = strlen(digits) / 2;
  for (size_t i = 0; i < len; i++) {
    unsigned byte = 0;
    for (size_t j = 0; j < 2; j++) {
      char digit = digits[2 * i + j];
      byte = 16 * byte + (unsigned)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
    }
    to[i] = (uint8_t)byte;
  }
  return len;
}

int tour_is(const void *bytes, const char *digits) {
  uint8_t must[256];
  size_t len = tour_hex(digits, must);
  return memcmp(bytes, must, len) == 0;
}

void tour_print(const char *name, const void *bytes, size_t len) {
  printf("%-24s ", name);
  for (size_t i = 0; i < len; i++) printf("%02x", ((const uint8_t *)bytes)[i]);
  printf("\n");
}
