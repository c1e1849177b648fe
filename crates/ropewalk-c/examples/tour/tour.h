/* What every part of the tour has: calls that must succeed, calls that must fail, and bytes from hexadecimal digits. */

#ifndef TOUR_H
#define TOUR_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "ropewalk.h"

/* A call that must succeed. */
#define DOES(call) tour_expect(call, ROPEWALK_OK, #call, __FILE__, __LINE__)
/* A call that must fail with this status. */
#define FAILS(status, call) tour_expect(call, status, #call, __FILE__, __LINE__)
/* Something that must be so. */
#define HOLDS(condition) tour_hold((condition) ? 1 : 0, #condition, __FILE__, __LINE__)

/* What the last call that failed has said. */
extern ropewalk_error tour_error;

void tour_expect(ropewalk_status is, ropewalk_status must, const char *call, const char *file, int line);
void tour_hold(int condition, const char *text, const char *file, int line);

/* Whether the bytes are those of so many hexadecimal digits. */
int tour_is(const void *bytes, const char *digits);
/* Writes the bytes of hexadecimal digits, and returns how many they are. */
size_t tour_hex(const char *digits, void *bytes);
/* Prints bytes after a name. */
void tour_print(const char *name, const void *bytes, size_t len);

void tour_library(void);
void tour_hashes(void);
void tour_macs(void);
void tour_aeads(void);
void tour_ciphers(void);
void tour_keys(void);
void tour_public_keys(void);
void tour_p256(void);
void tour_rsa(void);
void tour_key_files(void);
void tour_records(void);
void tour_many(void);
void tour_misuse(void);
void tour_changed(void);

#endif
