/* Keys of RSA, one at a time and many. */

#include "tour.h"

enum { MANY = 11, LEN = 256 };

static const char *const SECRET =
    "-----BEGIN PRIVATE KEY-----\n"
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCUX5fniD6+TMII\n"
    "Ugvx+bVzU2Q7p5Gu+T9aSycKqNBXsCe4uMDlF0JoTnFMClRmEt5SaDbrEuQ6mjMG\n"
    "oZlIiH/II9bApH1djVMw+DB/PpeiTfL/7RcOBxeXBKnIEQXUMTV+yXy2IaLOl7KJ\n"
    "378LxiMp+16oiaCGMvobRiXcg2wnI2qFC/6b9cYfP3uphXa+UBbwzMdx5hNEwxqQ\n"
    "wTLrtuDL8sKkwK6IpCd414wswL4AbFTwPajSG4P7dic0nRnyb4t//e1CiTmnzIYK\n"
    "dnBlg2nzaUT1OxietfaKWLBS0UbOq6KuusD7yrYphwnxOQ+YMzugrrzOTHRV+Fgu\n"
    "DuB2ZbyHAgMBAAECggEAAd2R019rKolchy5A6DHzjhemUvmwYzrPCRuYyhGFTRTx\n"
    "6uinxDmepCEYW5Rlq0LheLfGuP3r0LDPo220t6y/royEzrdCvEJioWL9eRwYW/oO\n"
    "7BjXCV4dddChMdrE7/4OZiGyZ7fUjDRsEj+17zf2iTiX4Baa5hUN//nJ0BP28CcE\n"
    "8LGPJJuCHKWfgElkj3xCTOLo+QnM7zM1VLx9atTE5GBnVsBpUjtxTJ/IpT09IVMb\n"
    "bIu2T2rsGD2m/9Pu6iyDkFlljPHKsIX/M1HXZJUZ4SH8HWvjbUIHUkwNAbkC8cyz\n"
    "uA7XnTYl1g5uWpvwY31wAabApOceIT2pd3w+0FFzgQKBgQDIlCAJQUGP4138Egg5\n"
    "mrZuvKVgdVaa1ZyQpKYBx6X76inKjHKSWqasufO+rUw/YI+R9EIA5BG/qEZAuZWA\n"
    "ByyOuNkAPSiKgMF4XY7ZZiHi1ovts7xt2GFYpDfsFPAjzZswZ+Ho1fPxKuIBwdFG\n"
    "HpnW2pRjtXC0O/FUiDJQZkKZ+QKBgQC9Xr9FdThWfxHrHWzR/hBnOf3QojkcKYOT\n"
    "4ZlHuINPZlp0oRTsIpGCLmXkyqzsbhRzjuRmVgspPsLG8+euY/uc0gfAzGq9WInl\n"
    "f9fVn4nFzCFNf6EzHhyDs18eaL9gREflnQqnqkMuj/WuYuMgpIboyPlS/ZezkCZ7\n"
    "1cuxcPyqfwKBgBgNg0X42Fbb6iJXOztFLUlcP+ywRYFtykeiJvIhseriqr5KV1br\n"
    "nf8qkWs1NuaGutDC3MNklihIkpwiZSYkNhirXAJmUx1A0XKQrZeuYrPkDIWlvxvh\n"
    "DdNmZfpejGmOt2R3oKSeO5GZFd8mEeV5t/MG5TKLyIckhQ0hA/+WM7hpAoGBAJFA\n"
    "Bz3jd18BAGFypHE9ip9i38gTZfKv9PiM5eEZKb7RJzimBUJKEYnkxMsEmjaPCKjK\n"
    "RW4pOU5dkVDA7Efa8LeMcd3z7Ttmmf6qXIbCZA6PUEv9RUvMINrzzlWoyoGwXeVE\n"
    "21NXSUiBq1QjDUuQZtpOrM53LNDSFHKPvjlQDL1JAoGAM9eNpxWlNPTIDW9At2hl\n"
    "TTet0uDz1CdaleJiMTM7ii30SVVxMVZiBLzkmbPCH1YVexroFNFPwGbsklAd9GrT\n"
    "ehKjbS7AGeW+V6uNq8Ql91v0vWlADz0j6tAFylL5BbcYm/Jl7Nf8oq1DgMeSnG+N\n"
    "L6nYEeVMR+YKcyDb+zdhr1g=\n"
    "-----END PRIVATE KEY-----\n";
static const char *const PUBLIC =
    "-----BEGIN PUBLIC KEY-----\n"
    "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAlF+X54g+vkzCCFIL8fm1\n"
    "c1NkO6eRrvk/WksnCqjQV7AnuLjA5RdCaE5xTApUZhLeUmg26xLkOpozBqGZSIh/\n"
    "yCPWwKR9XY1TMPgwfz6Xok3y/+0XDgcXlwSpyBEF1DE1fsl8tiGizpeyid+/C8Yj\n"
    "KfteqImghjL6G0Yl3INsJyNqhQv+m/XGHz97qYV2vlAW8MzHceYTRMMakMEy67bg\n"
    "y/LCpMCuiKQneNeMLMC+AGxU8D2o0huD+3YnNJ0Z8m+Lf/3tQok5p8yGCnZwZYNp\n"
    "82lE9TsYnrX2iliwUtFGzquirrrA+8q2KYcJ8TkPmDM7oK68zkx0VfhYLg7gdmW8\n"
    "hwIDAQAB\n"
    "-----END PUBLIC KEY-----\n";
/* RSASSA-PKCS1-v1_5 of "sample" with SHA-256, as OpenSSL 3.0 makes it. */
static const char *const SIGNATURE =
    "38b40d50572bea246d1fe43332caf4c2587801d37b35c6daaa0562d3b4ff748e"
    "88c89657fc06ae39ee6ae099e10042cf1fbd76821b9252142b2895d960852cc8"
    "234a6346f63aa56c05b3d042a0ab9cada7053253599b8190a9d91cf050a05578"
    "8b17c9897196327c64f92ee4f6eb55e11d92eb65076cb44726116e9af4b505d7"
    "8e60bc6109e0b211dca06890de27306f3b099cd92a5d78619e79328197133c21"
    "886b70028b1c580e4de91fc32ea6e818ffbf511db6aa36f3aeb066d49a7a1ac4"
    "2803b12149f0ce11c75dcba334b6eb80ff49fb0d87a5ecc1bf66841e64533dfb"
    "c8a28f509b9caf5834d8a76689566e82447f2b77d3e624bd1f021f263c311edc";

static ropewalk_rsa_key key;
static ropewalk_rsa_public_key public_key;
static uint8_t digest[32];

static void keys(void) {
  uint8_t file[ROPEWALK_KEY_FILE_LEN], modulus[ROPEWALK_RSA_LONGEST];
  char words[100];
  size_t len = 0;
  uint64_t exponent = 0;
  FAILS(ROPEWALK_NOT_READY, ropewalk_rsa_public(&public_key, &key, &tour_error));
  DOES(ropewalk_rsa_key_read(&key, SECRET, strlen(SECRET), &tour_error));
  DOES(ropewalk_rsa_key_write(&key, ROPEWALK_PEM, file, &len, &tour_error));
  HOLDS(len == strlen(SECRET) && memcmp(file, SECRET, len) == 0);
  DOES(ropewalk_rsa_key_write(&key, ROPEWALK_DER, file, &len, &tour_error));
  ropewalk_rsa_key_wipe(&key);
  DOES(ropewalk_rsa_key_read(&key, file, len, &tour_error));
  DOES(ropewalk_rsa_public(&public_key, &key, &tour_error));
  DOES(ropewalk_rsa_public_key_write(&public_key, ROPEWALK_PEM, file, &len, &tour_error));
  HOLDS(len == strlen(PUBLIC) && memcmp(file, PUBLIC, len) == 0);
  DOES(ropewalk_rsa_public_key_len(&public_key, &len, &tour_error));
  HOLDS(len == LEN);
  DOES(ropewalk_rsa_public_key_numbers(&public_key, modulus, LEN, &exponent, &tour_error));
  HOLDS(exponent == 65537);
  ropewalk_rsa_public_key_wipe(&public_key);
  DOES(ropewalk_rsa_public_key_init(&public_key, modulus, LEN, exponent, &tour_error));
  DOES(ropewalk_rsa_public_key_write(&public_key, ROPEWALK_DER, file, &len, &tour_error));
  ropewalk_rsa_public_key_wipe(&public_key);
  DOES(ropewalk_rsa_public_key_read(&public_key, file, len, &tour_error));

  FAILS(ROPEWALK_NO_ALGORITHM, ropewalk_rsa_key_write(&key, 3, file, &len, &tour_error));
  (void)ropewalk_error_text(&tour_error, words, sizeof words);
  HOLDS(strcmp(words, "no form of a key has the number 3") == 0);
  FAILS(ROPEWALK_NULL, ropewalk_rsa_key_write(&key, ROPEWALK_DER, NULL, &len, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_rsa_key_write(&key, ROPEWALK_DER, file, NULL, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_rsa_key_write(&key, ROPEWALK_DER, &key, &len, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_rsa_public_key_write(&public_key, ROPEWALK_DER, file, (size_t *)(void *)file, &tour_error));
  FAILS(ROPEWALK_LENGTH, ropewalk_rsa_public_key_numbers(&public_key, modulus, LEN - 1, &exponent, &tour_error));
  HOLDS(tour_error.got == LEN - 1);
  FAILS(ROPEWALK_NULL, ropewalk_rsa_public_key_numbers(&public_key, NULL, LEN, &exponent, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_rsa_public_key_numbers(&public_key, modulus, LEN, NULL, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_rsa_public_key_len(&public_key, NULL, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_rsa_public(&public_key, (ropewalk_rsa_key *)(void *)&public_key, &tour_error));
}

static void refused(void) {
  ropewalk_rsa_key none;
  ropewalk_rsa_public_key no_public;
  uint8_t modulus[LEN];
  char words[100];
  FAILS(ROPEWALK_LENGTH, ropewalk_rsa_key_generate(&none, 2047, &tour_error));
  FAILS(ROPEWALK_LENGTH, ropewalk_rsa_key_generate(&none, 1024, &tour_error));
  HOLDS(tour_error.got == 1024 && strcmp(tour_error.allowed, "2048 to 4096, and even") == 0);
  FAILS(ROPEWALK_NULL, ropewalk_rsa_key_generate(NULL, 2048, &tour_error));
  for (size_t i = 0; i < ROPEWALK_RSA_KEY_WORDS; i++) HOLDS(none.words[i] == 0);
  FAILS(ROPEWALK_INVALID, ropewalk_rsa_key_read(&none, PUBLIC, strlen(PUBLIC), &tour_error));
  (void)ropewalk_error_text(&tour_error, words, sizeof words);
  HOLDS(strncmp(words, "private key is invalid: its label is not", 40) == 0);
  FAILS(ROPEWALK_INVALID, ropewalk_rsa_key_read(&none, SECRET, strlen(SECRET) - 40, &tour_error));
  FAILS(ROPEWALK_INVALID, ropewalk_rsa_key_read(&none, "\xff", 1, &tour_error));
  HOLDS(strcmp(tour_error.allowed, "it is neither DER nor PEM") == 0);
  FAILS(ROPEWALK_INVALID, ropewalk_rsa_key_read(&none, NULL, 0, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_rsa_key_read(&none, NULL, 9, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_rsa_key_read(NULL, SECRET, strlen(SECRET), &tour_error));
  FAILS(ROPEWALK_INVALID, ropewalk_rsa_public_key_read(&no_public, SECRET, strlen(SECRET), &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_rsa_public_key_read(NULL, PUBLIC, strlen(PUBLIC), &tour_error));
  memset(modulus, 0xff, LEN);
  FAILS(ROPEWALK_LENGTH, ropewalk_rsa_public_key_init(&no_public, modulus, LEN, 1, &tour_error));
  FAILS(ROPEWALK_INVALID, ropewalk_rsa_public_key_init(&no_public, modulus, LEN, 4, &tour_error));
  FAILS(ROPEWALK_LENGTH, ropewalk_rsa_public_key_init(&no_public, modulus, 127, 3, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_rsa_public_key_init(&no_public, NULL, LEN, 3, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_rsa_public_key_init(NULL, modulus, LEN, 3, &tour_error));
  modulus[LEN - 1] = 0xfe;
  FAILS(ROPEWALK_INVALID, ropewalk_rsa_public_key_init(&no_public, modulus, LEN, 3, &tour_error));
  for (size_t i = 0; i < ROPEWALK_RSA_PUBLIC_KEY_WORDS; i++) HOLDS(no_public.words[i] == 0);
  FAILS(ROPEWALK_NOT_READY, ropewalk_rsa_verify_pkcs1v15(&no_public, ROPEWALK_SHA256, digest, 32, modulus, LEN, &tour_error));
}

static void signatures(void) {
  uint8_t signature[LEN], other[LEN];
  DOES(ropewalk_hash_digest(ROPEWALK_SHA256, "sample", 6, digest, 32, &tour_error));
  DOES(ropewalk_rsa_sign_pkcs1v15(&key, ROPEWALK_SHA256, digest, 32, signature, LEN, &tour_error));
  tour_print("RSA-2048", signature, 32);
  HOLDS(tour_is(signature, SIGNATURE));
  DOES(ropewalk_rsa_verify_pkcs1v15(&public_key, ROPEWALK_SHA256, digest, 32, signature, LEN, &tour_error));
  FAILS(ROPEWALK_FORGED, ropewalk_rsa_verify_pkcs1v15(&public_key, ROPEWALK_SHA512_256, digest, 32, signature, LEN, &tour_error));
  FAILS(ROPEWALK_FORGED, ropewalk_rsa_verify_pss(&public_key, ROPEWALK_SHA256, 32, digest, 32, signature, LEN, &tour_error));
  FAILS(ROPEWALK_FORGED, ropewalk_rsa_verify_pkcs1v15(&public_key, ROPEWALK_SHA256, digest, 32, signature, LEN - 1, &tour_error));
  FAILS(ROPEWALK_FORGED, ropewalk_rsa_verify_pkcs1v15(&public_key, ROPEWALK_SHA256, digest, 32, NULL, 0, &tour_error));

  /* With a salt, each is another one. */
  DOES(ropewalk_rsa_sign_pss(&key, ROPEWALK_SHA256, 32, digest, 32, signature, LEN, &tour_error));
  DOES(ropewalk_rsa_sign_pss(&key, ROPEWALK_SHA256, 32, digest, 32, other, LEN, &tour_error));
  HOLDS(memcmp(signature, other, LEN) != 0);
  DOES(ropewalk_rsa_verify_pss(&public_key, ROPEWALK_SHA256, 32, digest, 32, signature, LEN, &tour_error));
  DOES(ropewalk_rsa_verify_pss(&public_key, ROPEWALK_SHA256, 32, digest, 32, other, LEN, &tour_error));
  FAILS(ROPEWALK_FORGED, ropewalk_rsa_verify_pss(&public_key, ROPEWALK_SHA256, 20, digest, 32, other, LEN, &tour_error));
  other[17] ^= 1;
  FAILS(ROPEWALK_FORGED, ropewalk_rsa_verify_pss(&public_key, ROPEWALK_SHA256, 32, digest, 32, other, LEN, &tour_error));

  /* The signature goes where the digest is. */
  memcpy(other + 3, digest, 32);
  DOES(ropewalk_rsa_sign_pkcs1v15(&key, ROPEWALK_SHA256, other + 3, 32, other, LEN, &tour_error));
  HOLDS(tour_is(other, SIGNATURE));

  memset(other, 7, LEN);
  FAILS(ROPEWALK_WRONG_KIND, ropewalk_rsa_sign_pkcs1v15(&key, ROPEWALK_SM3, digest, 32, other, LEN, &tour_error));
  HOLDS(strcmp(tour_error.what, "hash function") == 0 && strcmp(tour_error.allowed, "SHA-1 and SHA-2") == 0);
  FAILS(ROPEWALK_NO_ALGORITHM, ropewalk_rsa_sign_pkcs1v15(&key, 99, digest, 32, other, LEN, &tour_error));
  FAILS(ROPEWALK_LENGTH, ropewalk_rsa_sign_pkcs1v15(&key, ROPEWALK_SHA256, digest, 31, other, LEN, &tour_error));
  FAILS(ROPEWALK_LENGTH, ropewalk_rsa_sign_pkcs1v15(&key, ROPEWALK_SHA256, digest, 32, other, LEN - 1, &tour_error));
  HOLDS(tour_error.got == LEN - 1 && strcmp(tour_error.allowed, "that of the modulus") == 0);
  FAILS(ROPEWALK_LENGTH, ropewalk_rsa_sign_pss(&key, ROPEWALK_SHA256, LEN - 33, digest, 32, other, LEN, &tour_error));
  HOLDS(strcmp(tour_error.what, "salt") == 0 && tour_error.got == LEN - 33);
  FAILS(ROPEWALK_NULL, ropewalk_rsa_sign_pss(&key, ROPEWALK_SHA256, 32, NULL, 32, other, LEN, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_rsa_sign_pss(&key, ROPEWALK_SHA256, 32, digest, 32, NULL, LEN, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_rsa_sign_pss(NULL, ROPEWALK_SHA256, 32, digest, 32, other, LEN, &tour_error));
  FAILS(ROPEWALK_OVERLAP, ropewalk_rsa_sign_pss(&key, ROPEWALK_SHA256, 32, digest, 32, &key, LEN, &tour_error));
  FAILS(ROPEWALK_LENGTH, ropewalk_rsa_verify_pkcs1v15(&public_key, ROPEWALK_SHA256, digest, 33, other, LEN, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_rsa_verify_pkcs1v15(&public_key, ROPEWALK_SHA256, digest, 32, NULL, LEN, &tour_error));
  HOLDS(other[0] == 7 && other[LEN - 1] == 7);
  DOES(ropewalk_rsa_sign_pss(&key, ROPEWALK_SHA256, LEN - 34, digest, 32, other, LEN, &tour_error));
  DOES(ropewalk_rsa_verify_pss(&public_key, ROPEWALK_SHA256, LEN - 34, digest, 32, other, LEN, &tour_error));
}

static void signatures_many(void) {
  static ropewalk_rsa_to_sign to_sign[MANY];
  static ropewalk_rsa_signed signed_digests[MANY];
  static uint8_t digests[MANY][64], signatures[MANY][LEN];
  uint8_t signature[LEN];
  for (size_t i = 0; i < MANY; i++) {
    memset(digests[i], (int)i, 64);
    to_sign[i].key = &key;
    signed_digests[i].key = &public_key;
    to_sign[i].padding = signed_digests[i].padding = i % 2 ? ROPEWALK_RSA_PSS : ROPEWALK_RSA_PKCS1V15;
    to_sign[i].hash = signed_digests[i].hash = i % 3 ? ROPEWALK_SHA256 : ROPEWALK_SHA512;
    to_sign[i].salt_len = signed_digests[i].salt_len = 32;
    to_sign[i].digest = signed_digests[i].digest = digests[i];
    to_sign[i].digest_len = signed_digests[i].digest_len = i % 3 ? 32 : 64;
    to_sign[i].signature = signatures[i];
    signed_digests[i].signature = signatures[i];
    to_sign[i].signature_len = signed_digests[i].signature_len = LEN;
  }
  DOES(ropewalk_rsa_sign_many(to_sign, MANY, &tour_error));
  for (size_t i = 0; i < MANY; i += 2) {
    DOES(ropewalk_rsa_sign_pkcs1v15(&key, to_sign[i].hash, digests[i], to_sign[i].digest_len, signature, LEN, &tour_error));
    HOLDS(memcmp(signature, signatures[i], LEN) == 0);
  }
  DOES(ropewalk_rsa_verify_many(signed_digests, MANY, &tour_error));
  for (size_t i = 0; i < MANY; i++) HOLDS(signed_digests[i].status == ROPEWALK_OK);
  signatures[5][40] ^= 1;
  signed_digests[9].signature_len = LEN - 1;
  FAILS(ROPEWALK_FORGED, ropewalk_rsa_verify_many(signed_digests, MANY, &tour_error));
  HOLDS(tour_error.index == 5);
  for (size_t i = 0; i < MANY; i++) {
    HOLDS(signed_digests[i].status == (uint32_t)(i == 5 || i == 9 ? ROPEWALK_FORGED : ROPEWALK_OK));
  }
  DOES(ropewalk_rsa_sign_many(NULL, 0, &tour_error));
  FAILS(ROPEWALK_NULL, ropewalk_rsa_sign_many(NULL, 1, &tour_error));

  memset(signatures, 6, sizeof signatures);
  to_sign[3].padding = 3;
  FAILS(ROPEWALK_NO_ALGORITHM, ropewalk_rsa_sign_many(to_sign, MANY, &tour_error));
  HOLDS(tour_error.index == 3 && strcmp(tour_error.what, "padding of RSA") == 0);
  to_sign[3].padding = ROPEWALK_RSA_PSS;
  to_sign[3].salt_len = LEN;
  FAILS(ROPEWALK_LENGTH, ropewalk_rsa_sign_many(to_sign, MANY, &tour_error));
  to_sign[3].salt_len = 20;
  to_sign[3].signature_len = LEN + 1;
  FAILS(ROPEWALK_LENGTH, ropewalk_rsa_sign_many(to_sign, MANY, &tour_error));
  HOLDS(tour_error.index == 3 && tour_error.got == LEN + 1);
  to_sign[3].signature_len = LEN;
  to_sign[3].signature = &to_sign[4];
  FAILS(ROPEWALK_OVERLAP, ropewalk_rsa_sign_many(to_sign, MANY, &tour_error));
  HOLDS(tour_error.index == 3);
  to_sign[3].signature = signatures[3];
  HOLDS(signatures[0][0] == 6);
  ropewalk_rsa_key_wipe(&key);
  ropewalk_rsa_public_key_wipe(&public_key);
  FAILS(ROPEWALK_NOT_READY, ropewalk_rsa_sign_many(to_sign, MANY, &tour_error));
  FAILS(ROPEWALK_NOT_READY, ropewalk_rsa_verify_many(signed_digests, MANY, &tour_error));
  HOLDS(tour_error.index == 0 && signatures[MANY - 1][LEN - 1] == 6);
  ropewalk_rsa_key_wipe(NULL);
  ropewalk_rsa_public_key_wipe(NULL);
}

static void generated(void) {
  uint8_t signature[LEN];
  DOES(ropewalk_rsa_key_generate(&key, 2048, &tour_error));
  DOES(ropewalk_rsa_public(&public_key, &key, &tour_error));
  DOES(ropewalk_rsa_sign_pkcs1v15(&key, ROPEWALK_SHA256, digest, 32, signature, LEN, &tour_error));
  DOES(ropewalk_rsa_verify_pkcs1v15(&public_key, ROPEWALK_SHA256, digest, 32, signature, LEN, &tour_error));
  ropewalk_rsa_key_wipe(&key);
  for (size_t i = 0; i < ROPEWALK_RSA_KEY_WORDS; i++) HOLDS(key.words[i] == 0);
  ropewalk_rsa_public_key_wipe(&public_key);
}

void tour_rsa(void) {
  keys();
  refused();
  signatures();
  signatures_many();
  generated();
}
