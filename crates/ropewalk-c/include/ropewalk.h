/* Ropewalk: cryptographic primitives at the speed of the processor, for single messages and for batches.
 *
 * Keys and states are in memory of the caller; the library needs no setup, and only RSA allocates. Lengths are in bytes. A pointer
 * may be NULL where its length is 0; keys and signatures of fixed length come without one. An output must not overlap any other
 * memory of a call, except that a text may be processed in place: input and output then begin at the same address. A call that fails
 * has written nothing but the error, which may be NULL; the output of a forged message is zeroed.
 *
 * _init makes keys and states in words that the caller provides, and _wipe wipes them. Each is bound to its address: one that was
 * copied, moved or wiped is refused with ROPEWALK_NOT_READY. Where _init fails, all words are zero. Threads may share what a call
 * takes as const.
 *
 * Written by `cargo xtask check --fix`. */

#ifndef ROPEWALK_H
#define ROPEWALK_H

#include <stddef.h>
#include <stdint.h>

/**
 * Words of a ropewalk_aead_key.
 */
#define ROPEWALK_AEAD_KEY_WORDS 240

/**
 * Words of a ropewalk_sealer.
 */
#define ROPEWALK_SEALER_WORDS 216

/**
 * Words of a ropewalk_aead_stream.
 */
#define ROPEWALK_AEAD_STREAM_WORDS 64

/**
 * The longest digest or tag in bytes. The output of SHAKE may be longer.
 */
#define ROPEWALK_LONGEST_TAG 64

/**
 * Words of a ropewalk_cipher_key.
 */
#define ROPEWALK_CIPHER_KEY_WORDS 144

/**
 * Words of a ropewalk_stream.
 */
#define ROPEWALK_STREAM_WORDS 64

/**
 * Words of a ropewalk_ecb_key.
 */
#define ROPEWALK_ECB_KEY_WORDS 96

/**
 * Words of a ropewalk_hash_state.
 */
#define ROPEWALK_HASH_STATE_WORDS 64

/**
 * Words of a ropewalk_prk.
 */
#define ROPEWALK_PRK_WORDS 72

/**
 * Words of a ropewalk_wrap_key.
 */
#define ROPEWALK_WRAP_KEY_WORDS 88

/**
 * The version of this header: its first part.
 */
#define ROPEWALK_VERSION_MAJOR 0

/**
 * The second part.
 */
#define ROPEWALK_VERSION_MINOR 1

/**
 * The last part.
 */
#define ROPEWALK_VERSION_PATCH 0

/**
 * Words of a ropewalk_mac_key.
 */
#define ROPEWALK_MAC_KEY_WORDS 88

/**
 * Words of a ropewalk_mac_state.
 */
#define ROPEWALK_MAC_STATE_WORDS 88

/**
 * Words of a ropewalk_ed25519_key.
 */
#define ROPEWALK_ED25519_KEY_WORDS 24

/**
 * Words of a ropewalk_ed25519_public_key.
 */
#define ROPEWALK_ED25519_PUBLIC_KEY_WORDS 32

/**
 * Bytes of a private key, and of a public key, of Ed25519.
 */
#define ROPEWALK_ED25519_LEN 32

/**
 * Bytes of a signature of Ed25519.
 */
#define ROPEWALK_ED25519_SIGNATURE_LEN 64

/**
 * Bytes of the longest file of a key that this library writes, rounded up.
 */
#define ROPEWALK_KEY_FILE_LEN 4096

/**
 * Words of a ropewalk_p256_key.
 */
#define ROPEWALK_P256_KEY_WORDS 8

/**
 * Words of a ropewalk_p256_public_key.
 */
#define ROPEWALK_P256_PUBLIC_KEY_WORDS 10

/**
 * Bytes of a private key, and of a shared secret, of P-256.
 */
#define ROPEWALK_P256_LEN 32

/**
 * Bytes of an uncompressed public key of P-256: 4, x and y.
 */
#define ROPEWALK_P256_UNCOMPRESSED_LEN 65

/**
 * Bytes of a compressed public key of P-256: 2 or 3 for an even or odd y, and x.
 */
#define ROPEWALK_P256_COMPRESSED_LEN 33

/**
 * Bytes of a signature of P-256 of fixed length: r and s, 32 bytes each, big-endian.
 */
#define ROPEWALK_P256_SIGNATURE_LEN 64

/**
 * Bytes of the longest signature of P-256 in DER.
 */
#define ROPEWALK_P256_DER_LEN 72

/**
 * Words of a ropewalk_rsa_key.
 */
#define ROPEWALK_RSA_KEY_WORDS 2

/**
 * Words of a ropewalk_rsa_public_key.
 */
#define ROPEWALK_RSA_PUBLIC_KEY_WORDS 208

/**
 * Bytes of the longest signature of RSA, and of the longest modulus.
 */
#define ROPEWALK_RSA_LONGEST 512

/**
 * Words of a ropewalk_x25519_key.
 */
#define ROPEWALK_X25519_KEY_WORDS 8

/**
 * Bytes of a private key, a public key and a shared secret of X25519.
 */
#define ROPEWALK_X25519_LEN 32

/**
 * Bytes of a seed of a ropewalk_drbg.
 */
#define ROPEWALK_SEED_LEN 48

/**
 * Words of a ropewalk_drbg.
 */
#define ROPEWALK_DRBG_WORDS 96

/**
 * Words of a ropewalk_record_key.
 */
#define ROPEWALK_RECORD_KEY_WORDS 104

/**
 * The length of a sequence number, a type and a version in bytes.
 */
#define ROPEWALK_RECORD_HEADER_LEN 11

/**
 * The space for words in an error in bytes, including a zero at the end.
 */
#define ROPEWALK_WORDS_LEN 72

/**
 * The space for a name in an error in bytes, including a zero at the end. A longer name is truncated.
 */
#define ROPEWALK_NAME_LEN 24

/**
 * The result of a call. All but ROPEWALK_OK and ROPEWALK_FORGED mean that nothing was done, and that nothing was written but the
 * error.
 */
enum ropewalk_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Done.
   */
  ROPEWALK_OK = 0,
  /**
   * A message is not what its sender sealed; its output is zeroed. No more is said, on purpose.
   */
  ROPEWALK_FORGED = 1,
  /**
   * A buffer, a key or a message has a length that is not allowed: `what`, `got`, `allowed`.
   */
  ROPEWALK_LENGTH = 2,
  /**
   * A pointer is NULL and must not be: `what`.
   */
  ROPEWALK_NULL = 3,
  /**
   * Memory that is written overlaps other memory of the call: `what`, `index`.
   */
  ROPEWALK_OVERLAP = 4,
  /**
   * An unknown name: `what`, `name`.
   */
  ROPEWALK_UNKNOWN = 5,
  /**
   * No algorithm has that name or number: `what`, `name` or `got`.
   */
  ROPEWALK_NO_ALGORITHM = 6,
  /**
   * The halves of a key of AES-XTS are the same.
   */
  ROPEWALK_EQUAL_HALVES = 7,
  /**
   * A key has sealed as many messages as it may, or a generator has answered as many requests.
   */
  ROPEWALK_EXHAUSTED = 8,
  /**
   * The operating system gave no random bytes.
   */
  ROPEWALK_NO_RANDOMNESS = 9,
  /**
   * There is no such backend on this processor.
   */
  ROPEWALK_NO_BACKEND = 10,
  /**
   * An object was not made, has been wiped or finished, or was moved: `what`.
   */
  ROPEWALK_NOT_READY = 11,
  /**
   * A key is of another algorithm than the function requires: `what`.
   */
  ROPEWALK_WRONG_KIND = 12,
  /**
   * A fault of the library, which has been caught. Do not use the output of the call, and wipe the objects that it used.
   */
  ROPEWALK_INTERNAL = 13,
  /**
   * Additional data came after the first chunk of a text. It must come before.
   */
  ROPEWALK_TEXT_HAS_BEGUN = 14,
  /**
   * A key was made anew or changed after a message in chunks was started with it: `what`.
   */
  ROPEWALK_KEY_CHANGED = 15,
  /**
   * A value is not allowed: `what`, and the reason in `allowed`. Of a batch of agreements, the others are done.
   */
  ROPEWALK_INVALID = 16,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum ropewalk_status ropewalk_status;
#else
typedef uint32_t ropewalk_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A key of an authenticated cipher. It must not be copied or moved; ropewalk_aead_key_clone() copies. Any number of
 * threads may seal and open with one key at the same time.
 */
typedef struct ropewalk_aead_key {
  /**
   * Private.
   */
  uint64_t words[ROPEWALK_AEAD_KEY_WORDS];
} ropewalk_aead_key;

/**
 * An authenticated cipher.
 */
typedef uint32_t ropewalk_aead;

/**
 * Details of an error. It is written where a call fails, and left unchanged where it does not. A member that does not apply to a
 * status is zero or empty.
 */
typedef struct ropewalk_error {
  /**
   * The status that the call has returned.
   */
  uint32_t status;
  /**
   * Whether `index` is valid: 1, or 0.
   */
  uint32_t has_index;
  /**
   * In a batch, the index of the message, from 0 on.
   */
  size_t index;
  /**
   * The invalid length or number.
   */
  size_t got;
  /**
   * The name of the invalid value.
   */
  char what[ROPEWALK_WORDS_LEN];
  /**
   * The allowed values in words, or the reason why a value is not allowed.
   */
  char allowed[ROPEWALK_WORDS_LEN];
  /**
   * The requested name.
   */
  char name[ROPEWALK_NAME_LEN];
} ropewalk_error;

/**
 * A message of a batch.
 */
typedef struct ropewalk_aead_message {
  /**
   * Its key. Messages may share a key.
   */
  const struct ropewalk_aead_key *key;
  /**
   * Its nonce. For sealing, it must be new for its key.
   */
  const void *nonce;
  /**
   * Its length in bytes.
   */
  size_t nonce_len;
  /**
   * Its additional data.
   */
  const void *aad;
  /**
   * Its length in bytes.
   */
  size_t aad_len;
  /**
   * The text.
   */
  const void *in;
  /**
   * The output. It may be `in`.
   */
  void *out;
  /**
   * The length of both in bytes.
   */
  size_t len;
  /**
   * Its tag: written when sealing, only read when opening.
   */
  void *tag;
  /**
   * Its length in bytes: that of the key's tags.
   */
  size_t tag_len;
  /**
   * Written: ROPEWALK_OK or, when opening, ROPEWALK_FORGED.
   */
  uint32_t status;
} ropewalk_aead_message;

/**
 * A key of AES-GCM that generates the nonce of each message. It must not be copied or moved, and one thread at a time seals with
 * it.
 */
typedef struct ropewalk_sealer {
  /**
   * Private.
   */
  uint64_t words[ROPEWALK_SEALER_WORDS];
} ropewalk_sealer;

/**
 * A message of which some chunks have been processed. It must not be copied or moved; ropewalk_aead_stream_clone() copies. Its
 * key must stay in place for as long.
 */
typedef struct ropewalk_aead_stream {
  /**
   * Private.
   */
  uint64_t words[ROPEWALK_AEAD_STREAM_WORDS];
} ropewalk_aead_stream;

/**
 * A hash function: ROPEWALK_SHA256 or another one. Numbers start with 1, and are never reused.
 */
typedef uint32_t ropewalk_hash;

/**
 * A message authentication code.
 */
typedef uint32_t ropewalk_mac;

/**
 * A cipher without authentication: modifications are not detected.
 */
typedef uint32_t ropewalk_cipher;

/**
 * A key of a cipher. It must not be copied or moved. Any number of threads may use one at the same time.
 */
typedef struct ropewalk_cipher_key {
  /**
   * Private.
   */
  uint64_t words[ROPEWALK_CIPHER_KEY_WORDS];
} ropewalk_cipher_key;

/**
 * A message of a batch.
 */
typedef struct ropewalk_cipher_message {
  /**
   * Its key. Messages may share a key.
   */
  const struct ropewalk_cipher_key *key;
  /**
   * Its nonce, of ropewalk_cipher_nonce_len() bytes.
   */
  const void *nonce;
  /**
   * Its length in bytes.
   */
  size_t nonce_len;
  /**
   * The text.
   */
  const void *in;
  /**
   * The output. It may be `in`.
   */
  void *out;
  /**
   * The length of both in bytes.
   */
  size_t len;
} ropewalk_cipher_message;

/**
 * A position in a key stream. It must not be copied or moved. Its key must stay in place for as long.
 */
typedef struct ropewalk_stream {
  /**
   * Private.
   */
  uint64_t words[ROPEWALK_STREAM_WORDS];
} ropewalk_stream;

/**
 * A key of AES for single blocks (NIST SP 800-38A, section 6.1): a building block for other modes. Do not encrypt messages with
 * it: equal blocks give equal ciphertext. It must not be copied or moved; ropewalk_ecb_key_clone() copies.
 */
typedef struct ropewalk_ecb_key {
  /**
   * Private.
   */
  uint64_t words[ROPEWALK_ECB_KEY_WORDS];
} ropewalk_ecb_key;

/**
 * A message in chunks. It must not be copied or moved; ropewalk_hash_clone() copies.
 */
typedef struct ropewalk_hash_state {
  /**
   * Private.
   */
  uint64_t words[ROPEWALK_HASH_STATE_WORDS];
} ropewalk_hash_state;

/**
 * A message of a batch.
 */
typedef struct ropewalk_hash_message {
  /**
   * The message.
   */
  const void *message;
  /**
   * Its length in bytes.
   */
  size_t message_len;
  /**
   * The output for its digest. It may lie within the message.
   */
  void *digest;
} ropewalk_hash_message;

/**
 * A pseudorandom key of HKDF, or a secret of TLS 1.3, from which keys are derived. It must not be copied or moved. Any number of
 * threads may use one at the same time.
 */
typedef struct ropewalk_prk {
  /**
   * Private.
   */
  uint64_t words[ROPEWALK_PRK_WORDS];
} ropewalk_prk;

/**
 * A key for messages; a key of HMAC also derives keys. It must not be copied or moved; ropewalk_mac_key_clone() copies. Any
 * number of threads may use one at the same time.
 */
typedef struct ropewalk_mac_key {
  /**
   * Private.
   */
  uint64_t words[ROPEWALK_MAC_KEY_WORDS];
} ropewalk_mac_key;

/**
 * An extraction of a pseudorandom key, in a batch.
 */
typedef struct ropewalk_hkdf_extraction {
  /**
   * The output.
   */
  struct ropewalk_prk *prk;
  /**
   * The salt, a key of HMAC. Extractions may share it.
   */
  const struct ropewalk_mac_key *salt;
  /**
   * The secret.
   */
  const void *secret;
  /**
   * Its length in bytes.
   */
  size_t secret_len;
} ropewalk_hkdf_extraction;

/**
 * An expansion of a pseudorandom key, in a batch.
 */
typedef struct ropewalk_hkdf_expansion {
  /**
   * The pseudorandom key. Expansions may share it.
   */
  const struct ropewalk_prk *prk;
  /**
   * The context.
   */
  const void *info;
  /**
   * Its length in bytes.
   */
  size_t info_len;
  /**
   * The output.
   */
  void *out;
  /**
   * Its length in bytes: up to 255 digests.
   */
  size_t out_len;
} ropewalk_hkdf_expansion;

/**
 * A derivation from a password, in a batch.
 */
typedef struct ropewalk_pbkdf2_derivation {
  /**
   * The password, a key of HMAC. Derivations may share it.
   */
  const struct ropewalk_mac_key *password;
  /**
   * The salt.
   */
  const void *salt;
  /**
   * Its length in bytes.
   */
  size_t salt_len;
  /**
   * The number of iterations, at least one.
   */
  uint32_t iterations;
  /**
   * The output.
   */
  void *out;
  /**
   * Its length in bytes.
   */
  size_t out_len;
} ropewalk_pbkdf2_derivation;

/**
 * A key that wraps others. It must not be copied or moved.
 */
typedef struct ropewalk_wrap_key {
  /**
   * Private.
   */
  uint64_t words[ROPEWALK_WRAP_KEY_WORDS];
} ropewalk_wrap_key;

/**
 * A message of a batch.
 */
typedef struct ropewalk_mac_message {
  /**
   * Its key. Messages may share a key.
   */
  const struct ropewalk_mac_key *key;
  /**
   * The message.
   */
  const void *message;
  /**
   * Its length in bytes.
   */
  size_t message_len;
  /**
   * Its tag: written, but only read when verifying. It may lie within the message.
   */
  void *tag;
  /**
   * Its length in bytes.
   */
  size_t tag_len;
  /**
   * Written: ROPEWALK_OK or, when verifying, ROPEWALK_FORGED.
   */
  uint32_t status;
} ropewalk_mac_message;

/**
 * A message in chunks. It must not be copied or moved; ropewalk_mac_clone() copies.
 */
typedef struct ropewalk_mac_state {
  /**
   * Private.
   */
  uint64_t words[ROPEWALK_MAC_STATE_WORDS];
} ropewalk_mac_state;

/**
 * A private key of Ed25519, with its public key. It must not be copied or moved.
 */
typedef struct ropewalk_ed25519_key {
  /**
   * Private.
   */
  uint64_t words[ROPEWALK_ED25519_KEY_WORDS];
} ropewalk_ed25519_key;

/**
 * The form of a key in a file: ROPEWALK_DER or ROPEWALK_PEM.
 */
typedef uint32_t ropewalk_key_form;

/**
 * A public key of Ed25519, ready to verify signatures. It must not be copied or moved.
 */
typedef struct ropewalk_ed25519_public_key {
  /**
   * Private.
   */
  uint64_t words[ROPEWALK_ED25519_PUBLIC_KEY_WORDS];
} ropewalk_ed25519_public_key;

/**
 * A message that is signed, in a batch.
 */
typedef struct ropewalk_ed25519_to_sign {
  /**
   * Its key. Messages may share a key.
   */
  const struct ropewalk_ed25519_key *key;
  /**
   * The message.
   */
  const void *message;
  /**
   * Its length in bytes.
   */
  size_t message_len;
  /**
   * Its signature, of 64 bytes: written. It may lie within the message.
   */
  void *signature;
} ropewalk_ed25519_to_sign;

/**
 * A message with its signature, in a batch.
 */
typedef struct ropewalk_ed25519_signed {
  /**
   * The public key of its signer. Messages may share a key.
   */
  const struct ropewalk_ed25519_public_key *key;
  /**
   * The message.
   */
  const void *message;
  /**
   * Its length in bytes.
   */
  size_t message_len;
  /**
   * Its signature, of 64 bytes.
   */
  const void *signature;
  /**
   * Written: ROPEWALK_OK or ROPEWALK_FORGED.
   */
  uint32_t status;
} ropewalk_ed25519_signed;

/**
 * A private key of P-256. It must not be copied or moved.
 */
typedef struct ropewalk_p256_key {
  /**
   * Private.
   */
  uint64_t words[ROPEWALK_P256_KEY_WORDS];
} ropewalk_p256_key;

/**
 * A public key of P-256, ready to verify signatures. It must not be copied or moved.
 */
typedef struct ropewalk_p256_public_key {
  /**
   * Private.
   */
  uint64_t words[ROPEWALK_P256_PUBLIC_KEY_WORDS];
} ropewalk_p256_public_key;

/**
 * An agreement of a batch.
 */
typedef struct ropewalk_p256_item {
  /**
   * Our private key. Items may share a key.
   */
  const struct ropewalk_p256_key *key;
  /**
   * The other side's public key.
   */
  const void *public_key;
  /**
   * Its length in bytes: 65 or 33.
   */
  size_t public_key_len;
  /**
   * The shared secret, of 32 bytes: written. It may overlap the public key.
   */
  void *secret;
  /**
   * Written: ROPEWALK_OK or ROPEWALK_INVALID.
   */
  uint32_t status;
} ropewalk_p256_item;

/**
 * A public key that is computed, in a batch.
 */
typedef struct ropewalk_p256_public_item {
  /**
   * The private key. Items may share a key.
   */
  const struct ropewalk_p256_key *key;
  /**
   * Its public key: written.
   */
  void *public_key;
  /**
   * Its length in bytes: 65, or 33 for the compressed form.
   */
  size_t public_key_len;
} ropewalk_p256_public_item;

/**
 * A digest that is signed, in a batch.
 */
typedef struct ropewalk_p256_to_sign {
  /**
   * Its key. Digests may share a key.
   */
  const struct ropewalk_p256_key *key;
  /**
   * The digest of the message.
   */
  const void *digest;
  /**
   * Its length in bytes: 20 or more.
   */
  size_t digest_len;
  /**
   * Its signature, of 64 bytes: written. It may overlap the digest.
   */
  void *signature;
} ropewalk_p256_to_sign;

/**
 * A digest with its signature, in a batch.
 */
typedef struct ropewalk_p256_signed {
  /**
   * The public key of its signer. Digests may share a key.
   */
  const struct ropewalk_p256_public_key *key;
  /**
   * The digest of the message.
   */
  const void *digest;
  /**
   * Its length in bytes: 20 or more.
   */
  size_t digest_len;
  /**
   * Its signature, of 64 bytes.
   */
  const void *signature;
  /**
   * Written: ROPEWALK_OK or ROPEWALK_FORGED.
   */
  uint32_t status;
} ropewalk_p256_signed;

/**
 * A private key of RSA, of 2048 to 4096 bits. It must not be copied or moved. Its numbers are on the heap, until it is wiped.
 */
typedef struct ropewalk_rsa_key {
  /**
   * Private.
   */
  uint64_t words[ROPEWALK_RSA_KEY_WORDS];
} ropewalk_rsa_key;

/**
 * A public key of RSA, of 1024 to 4096 bits. It must not be copied or moved.
 */
typedef struct ropewalk_rsa_public_key {
  /**
   * Private.
   */
  uint64_t words[ROPEWALK_RSA_PUBLIC_KEY_WORDS];
} ropewalk_rsa_public_key;

/**
 * The encoding of a digest: ROPEWALK_RSA_PKCS1V15 or ROPEWALK_RSA_PSS.
 */
typedef uint32_t ropewalk_rsa_padding;

/**
 * A digest that is signed, in a batch.
 */
typedef struct ropewalk_rsa_to_sign {
  /**
   * Its key. Digests may share a key.
   */
  const struct ropewalk_rsa_key *key;
  /**
   * ROPEWALK_RSA_PKCS1V15 or ROPEWALK_RSA_PSS.
   */
  ropewalk_rsa_padding padding;
  /**
   * Its hash function.
   */
  ropewalk_hash hash;
  /**
   * Bytes of the salt of RSASSA-PSS; ignored otherwise.
   */
  size_t salt_len;
  /**
   * The digest of the message.
   */
  const void *digest;
  /**
   * Its length in bytes: that of the hash function.
   */
  size_t digest_len;
  /**
   * Its signature: written. It may overlap the digest.
   */
  void *signature;
  /**
   * Its length in bytes: that of the modulus.
   */
  size_t signature_len;
} ropewalk_rsa_to_sign;

/**
 * A digest with its signature, in a batch.
 */
typedef struct ropewalk_rsa_signed {
  /**
   * The public key of its signer. Digests may share a key.
   */
  const struct ropewalk_rsa_public_key *key;
  /**
   * ROPEWALK_RSA_PKCS1V15 or ROPEWALK_RSA_PSS.
   */
  ropewalk_rsa_padding padding;
  /**
   * Its hash function.
   */
  ropewalk_hash hash;
  /**
   * Bytes of the salt of RSASSA-PSS; ignored otherwise.
   */
  size_t salt_len;
  /**
   * The digest of the message.
   */
  const void *digest;
  /**
   * Its length in bytes: that of the hash function.
   */
  size_t digest_len;
  /**
   * Its signature.
   */
  const void *signature;
  /**
   * Its length in bytes.
   */
  size_t signature_len;
  /**
   * Written: ROPEWALK_OK or ROPEWALK_FORGED.
   */
  uint32_t status;
} ropewalk_rsa_signed;

/**
 * A private key of X25519. It must not be copied or moved.
 */
typedef struct ropewalk_x25519_key {
  /**
   * Private.
   */
  uint64_t words[ROPEWALK_X25519_KEY_WORDS];
} ropewalk_x25519_key;

/**
 * An agreement of a batch.
 */
typedef struct ropewalk_x25519_item {
  /**
   * Our private key. Items may share a key.
   */
  const struct ropewalk_x25519_key *key;
  /**
   * The other side's public key, of 32 bytes.
   */
  const void *public_key;
  /**
   * The shared secret, of 32 bytes: written. It may overlap the public key.
   */
  void *secret;
  /**
   * Written: ROPEWALK_OK or ROPEWALK_INVALID.
   */
  uint32_t status;
} ropewalk_x25519_item;

/**
 * A public key that is computed, in a batch.
 */
typedef struct ropewalk_x25519_public_item {
  /**
   * The private key. Items may share a key.
   */
  const struct ropewalk_x25519_key *key;
  /**
   * Its public key, of 32 bytes: written.
   */
  void *public_key;
} ropewalk_x25519_public_item;

/**
 * A generator of random bytes, CTR_DRBG with AES-256 (NIST SP 800-90A), for programs with their own entropy. Others call
 * ropewalk_random(). It must not be copied or moved.
 */
typedef struct ropewalk_drbg {
  /**
   * Private.
   */
  uint64_t words[ROPEWALK_DRBG_WORDS];
} ropewalk_drbg;

/**
 * The AES key and the HMAC key for the records of one direction. It must not be copied or moved. Any number of threads may use
 * one at the same time.
 */
typedef struct ropewalk_record_key {
  /**
   * Private.
   */
  uint64_t words[ROPEWALK_RECORD_KEY_WORDS];
} ropewalk_record_key;

/**
 * A record of a batch.
 */
typedef struct ropewalk_record {
  /**
   * Its key. Records may share a key.
   */
  const struct ropewalk_record_key *key;
  /**
   * Its initialization vector, of 16 bytes.
   */
  const void *iv;
  /**
   * Its sequence number, type and version, of ROPEWALK_RECORD_HEADER_LEN bytes.
   */
  const void *header;
  /**
   * For sealing, its text; for opening, the record.
   */
  const void *in;
  /**
   * Its length in bytes.
   */
  size_t in_len;
  /**
   * For sealing, the record; for opening, its text with space for the whole record. It may begin where `in` does.
   */
  void *out;
  /**
   * Its length in bytes: for sealing, ropewalk_record_len(); for opening, `in_len`.
   */
  size_t out_len;
  /**
   * Written when opening: how many bytes of `out` are the text; 0 if it is forged.
   */
  size_t text_len;
  /**
   * Written: ROPEWALK_OK or, when opening, ROPEWALK_FORGED.
   */
  uint32_t status;
} ropewalk_record;

/**
 * For old protocols: collisions can be found.
 */
#define ROPEWALK_MD5 1

/**
 * For old protocols: collisions can be found.
 */
#define ROPEWALK_SHA1 2

#define ROPEWALK_SHA224 3

#define ROPEWALK_SHA256 4

#define ROPEWALK_SHA384 5

#define ROPEWALK_SHA512 6

#define ROPEWALK_SHA512_256 7

#define ROPEWALK_SHA3_224 8

#define ROPEWALK_SHA3_256 9

#define ROPEWALK_SHA3_384 10

#define ROPEWALK_SHA3_512 11

/**
 * Its output may have any length; a digest has 32 bytes by default.
 */
#define ROPEWALK_SHAKE128 12

/**
 * Its output may have any length; a digest has 64 bytes by default.
 */
#define ROPEWALK_SHAKE256 13

#define ROPEWALK_SM3 14

#define ROPEWALK_HMAC_MD5 1

#define ROPEWALK_HMAC_SHA1 2

#define ROPEWALK_HMAC_SHA224 3

#define ROPEWALK_HMAC_SHA256 4

#define ROPEWALK_HMAC_SHA384 5

#define ROPEWALK_HMAC_SHA512 6

#define ROPEWALK_HMAC_SHA512_256 7

#define ROPEWALK_HMAC_SHA3_224 8

#define ROPEWALK_HMAC_SHA3_256 9

#define ROPEWALK_HMAC_SHA3_384 10

#define ROPEWALK_HMAC_SHA3_512 11

#define ROPEWALK_AES_128_CMAC 12

#define ROPEWALK_AES_192_CMAC 13

#define ROPEWALK_AES_256_CMAC 14

#define ROPEWALK_HMAC_SM3 15

#define ROPEWALK_AES_128_GCM 1

#define ROPEWALK_AES_192_GCM 2

#define ROPEWALK_AES_256_GCM 3

#define ROPEWALK_AES_128_CCM 4

#define ROPEWALK_AES_192_CCM 5

#define ROPEWALK_AES_256_CCM 6

#define ROPEWALK_CHACHA20_POLY1305 7

#define ROPEWALK_AES_128_CTR 1

#define ROPEWALK_AES_192_CTR 2

#define ROPEWALK_AES_256_CTR 3

#define ROPEWALK_AES_128_CBC 4

#define ROPEWALK_AES_192_CBC 5

#define ROPEWALK_AES_256_CBC 6

#define ROPEWALK_AES_128_XTS 7

#define ROPEWALK_AES_256_XTS 8

#define ROPEWALK_CHACHA20 9

/**
 * Bytes.
 */
#define ROPEWALK_DER 1

/**
 * Text, in base64 between two lines that name it.
 */
#define ROPEWALK_PEM 2

/**
 * RSASSA-PKCS1-v1_5.
 */
#define ROPEWALK_RSA_PKCS1V15 1

/**
 * RSASSA-PSS, with MGF1 of the same hash function.
 */
#define ROPEWALK_RSA_PSS 2

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Makes a key of `secret`, which has ropewalk_aead_key_len() bytes, with the best backend of this processor. Previous contents
 * of the key are not wiped.
 *
 * The caller promises:
 * `key` is for writing; `secret` has `secret_len` bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_aead_key_init(struct ropewalk_aead_key *key,
                                       ropewalk_aead algorithm,
                                       const void *secret,
                                       size_t secret_len,
                                       struct ropewalk_error *error);

/**
 * Makes a copy of a key.
 *
 * The caller promises:
 * `copy` is for writing; `key` was made; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_aead_key_clone(struct ropewalk_aead_key *copy,
                                        const struct ropewalk_aead_key *key,
                                        struct ropewalk_error *error);

/**
 * Wipes a key. NULL, and a key that was not made or has been wiped, are left unchanged.
 *
 * The caller promises:
 * `key` is for reading and writing, or NULL.
 */
void ropewalk_aead_key_wipe(struct ropewalk_aead_key *key);

/**
 * Sets the length of a key's tags: 12 to 16 bytes for AES-GCM; 4, 6, 8, 10, 12, 14 or 16 for AES-CCM. A key has tags of one
 * length: were it chosen for each message, a forger would choose the shortest.
 *
 * The caller promises:
 * `key` was made, and no other thread uses it meanwhile; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_aead_key_set_tag_len(struct ropewalk_aead_key *key,
                                              size_t tag_len,
                                              struct ropewalk_error *error);

/**
 * Replaces a key by another one of the same algorithm, in the same place, which is faster than to make a new one. The tag length
 * does not change.
 *
 * The caller promises:
 * `key` was made, and no other thread uses it meanwhile; `secret` has `secret_len` bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_aead_rekey(struct ropewalk_aead_key *key,
                                    const void *secret,
                                    size_t secret_len,
                                    struct ropewalk_error *error);

/**
 * Encrypts `len` bytes of `in` to `out`, which may be the same, and writes their tag. The nonce must be new for this key.
 *
 * Fails with ROPEWALK_LENGTH for a nonce length that the cipher does not accept, for a text that is too long for it, and unless
 * `tag_len` is that of the key's tags, by default 16.
 *
 * The caller promises:
 * `key` was made; each pointer has as many bytes as follow it; `out` and `tag` are for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_aead_seal(const struct ropewalk_aead_key *key,
                                   const void *nonce,
                                   size_t nonce_len,
                                   const void *aad,
                                   size_t aad_len,
                                   const void *in,
                                   void *out,
                                   size_t len,
                                   void *tag,
                                   size_t tag_len,
                                   struct ropewalk_error *error);

/**
 * Decrypts `len` bytes of `in` to `out`, which may be the same, if `tag` is their tag.
 *
 * Fails with ROPEWALK_FORGED if it is not: `out` is then zeroed. Fails with ROPEWALK_LENGTH as ropewalk_aead_seal().
 *
 * The caller promises:
 * As ropewalk_aead_seal(), and `tag` is only read.
 */
ropewalk_status ropewalk_aead_open(const struct ropewalk_aead_key *key,
                                   const void *nonce,
                                   size_t nonce_len,
                                   const void *aad,
                                   size_t aad_len,
                                   const void *in,
                                   void *out,
                                   size_t len,
                                   const void *tag,
                                   size_t tag_len,
                                   struct ropewalk_error *error);

/**
 * Encrypts `in` to `out`, followed by the tag: `out_len` is greater than `in_len` by the length of a tag. Both may begin at one
 * address. The nonce must be new for this key.
 *
 * Fails with ROPEWALK_LENGTH as ropewalk_aead_seal(), and for another `out_len`.
 *
 * The caller promises:
 * As ropewalk_aead_seal().
 */
ropewalk_status ropewalk_aead_seal_appended(const struct ropewalk_aead_key *key,
                                            const void *nonce,
                                            size_t nonce_len,
                                            const void *aad,
                                            size_t aad_len,
                                            const void *in,
                                            size_t in_len,
                                            void *out,
                                            size_t out_len,
                                            struct ropewalk_error *error);

/**
 * Decrypts `in`, which ends with its tag, to `out`: `out_len` is less than `in_len` by the length of a tag. Both may begin at one
 * address.
 *
 * Fails as ropewalk_aead_open(), and with ROPEWALK_LENGTH for another `out_len`.
 *
 * The caller promises:
 * As ropewalk_aead_seal().
 */
ropewalk_status ropewalk_aead_open_appended(const struct ropewalk_aead_key *key,
                                            const void *nonce,
                                            size_t nonce_len,
                                            const void *aad,
                                            size_t aad_len,
                                            const void *in,
                                            size_t in_len,
                                            void *out,
                                            size_t out_len,
                                            struct ropewalk_error *error);

/**
 * Writes the tag of a message by GMAC, with a key of AES-GCM. The nonce must be new for this key.
 *
 * Fails with ROPEWALK_WRONG_KIND for a key of another cipher, and as ropewalk_aead_seal().
 *
 * The caller promises:
 * As ropewalk_aead_seal().
 */
ropewalk_status ropewalk_gmac(const struct ropewalk_aead_key *key,
                              const void *nonce,
                              size_t nonce_len,
                              const void *message,
                              size_t message_len,
                              void *tag,
                              size_t tag_len,
                              struct ropewalk_error *error);

/**
 * Verifies `tag` as the tag of a message by GMAC. Fails with ROPEWALK_FORGED if it is not.
 *
 * The caller promises:
 * As ropewalk_aead_open().
 */
ropewalk_status ropewalk_gmac_verify(const struct ropewalk_aead_key *key,
                                     const void *nonce,
                                     size_t nonce_len,
                                     const void *message,
                                     size_t message_len,
                                     const void *tag,
                                     size_t tag_len,
                                     struct ropewalk_error *error);

/**
 * Seals each message, with the results of a loop over ropewalk_aead_seal(), and in lanes where that is faster: best if
 * neighbours have the same cipher. Messages may differ in key and length.
 *
 * Fails as ropewalk_aead_seal() for the first message that would, with its index in the error, and with ROPEWALK_OVERLAP where a
 * message writes into `messages`, or the key of another one, or a key lies there. Nothing is then written.
 *
 * The caller promises:
 * There are `count` messages, each as for ropewalk_aead_seal(); `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_aead_seal_many(struct ropewalk_aead_message *messages,
                                        size_t count,
                                        struct ropewalk_error *error);

/**
 * Opens each message, with the results of a loop over ropewalk_aead_open(), and in lanes where that is faster. `status` of each
 * message is its result; a forged message is zeroed, and the others are opened.
 *
 * Returns ROPEWALK_FORGED where some are forged, with the index of the first. Fails otherwise as ropewalk_aead_seal_many():
 * nothing is then written.
 *
 * The caller promises:
 * There are `count` messages, each as for ropewalk_aead_open(); `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_aead_open_many(struct ropewalk_aead_message *messages,
                                        size_t count,
                                        struct ropewalk_error *error);

/**
 * Encrypts one message with a key that is not used again, and writes its tag of 16 bytes. With AES-GCM in place this is faster
 * than to make a key and to seal with it. `out` may be `in`.
 *
 * Fails as ropewalk_aead_key_init() and ropewalk_aead_seal().
 *
 * The caller promises:
 * As ropewalk_aead_key_init() and ropewalk_aead_seal().
 */
ropewalk_status ropewalk_aead_seal_once(ropewalk_aead algorithm,
                                        const void *secret,
                                        size_t secret_len,
                                        const void *nonce,
                                        size_t nonce_len,
                                        const void *aad,
                                        size_t aad_len,
                                        const void *in,
                                        void *out,
                                        size_t len,
                                        void *tag,
                                        size_t tag_len,
                                        struct ropewalk_error *error);

/**
 * Decrypts one message with a key that is not used again, if `tag` is its tag of 16 bytes. `out` may be `in`.
 *
 * Fails as ropewalk_aead_key_init() and ropewalk_aead_open().
 *
 * The caller promises:
 * As ropewalk_aead_key_init() and ropewalk_aead_open().
 */
ropewalk_status ropewalk_aead_open_once(ropewalk_aead algorithm,
                                        const void *secret,
                                        size_t secret_len,
                                        const void *nonce,
                                        size_t nonce_len,
                                        const void *aad,
                                        size_t aad_len,
                                        const void *in,
                                        void *out,
                                        size_t len,
                                        const void *tag,
                                        size_t tag_len,
                                        struct ropewalk_error *error);

/**
 * Makes a sealer with nonces of four fixed bytes, `fixed`, and an eight-byte counter from `first` on. Any other sealer with this
 * key, at any time, must have other fixed bytes, or a `first` that is greater than all values counted by this one. It seals at
 * most `limit` messages or, if that is 0, as many as there are nonces.
 *
 * Fails with ROPEWALK_WRONG_KIND for a key that is not of AES-GCM.
 *
 * The caller promises:
 * `sealer` is for writing; `key` was made; `fixed` has 4 bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_sealer_init_counter(struct ropewalk_sealer *sealer,
                                             const struct ropewalk_aead_key *key,
                                             const void *fixed,
                                             uint64_t first,
                                             uint64_t limit,
                                             struct ropewalk_error *error);

/**
 * Makes a sealer with random nonces. It seals at most `limit` messages or, if that is 0, 2^32: the limit for all sealers of a
 * key together.
 *
 * Fails with ROPEWALK_WRONG_KIND for a key that is not of AES-GCM.
 *
 * The caller promises:
 * `sealer` is for writing; `key` was made; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_sealer_init_random(struct ropewalk_sealer *sealer,
                                            const struct ropewalk_aead_key *key,
                                            uint64_t limit,
                                            struct ropewalk_error *error);

/**
 * Wipes a sealer. NULL, and a sealer that was not made or has been wiped, are left unchanged.
 *
 * The caller promises:
 * `sealer` is for reading and writing, or NULL.
 */
void ropewalk_sealer_wipe(struct ropewalk_sealer *sealer);

/**
 * Encrypts `text` in place, and writes its nonce, of 12 bytes, and its tag. ropewalk_aead_open() opens.
 *
 * Fails with ROPEWALK_EXHAUSTED once it has sealed as many messages as it may, with ROPEWALK_NO_RANDOMNESS, and as
 * ropewalk_aead_seal().
 *
 * The caller promises:
 * `sealer` was made; each pointer has as many bytes as follow it; `text`, `nonce` and `tag` are for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_sealer_seal(struct ropewalk_sealer *sealer,
                                     const void *aad,
                                     size_t aad_len,
                                     void *text,
                                     size_t text_len,
                                     void *nonce,
                                     size_t nonce_len,
                                     void *tag,
                                     size_t tag_len,
                                     struct ropewalk_error *error);

/**
 * Encrypts `in` to `out`: the nonce, of 12 bytes, the text and the tag. `out` is longer by nonce and tag.
 *
 * Fails as ropewalk_sealer_seal(), and with ROPEWALK_LENGTH for another `out_len`.
 *
 * The caller promises:
 * `sealer` was made; each pointer has as many bytes as follow it; `out` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_sealer_seal_message(struct ropewalk_sealer *sealer,
                                             const void *aad,
                                             size_t aad_len,
                                             const void *in,
                                             size_t in_len,
                                             void *out,
                                             size_t out_len,
                                             struct ropewalk_error *error);

/**
 * Decrypts the output of ropewalk_sealer_seal_message(), sealed with the same secret, to `out`, which is shorter by a nonce and
 * a tag.
 *
 * Fails as ropewalk_aead_open_appended().
 *
 * The caller promises:
 * As ropewalk_sealer_seal_message().
 */
ropewalk_status ropewalk_sealer_open_message(const struct ropewalk_sealer *sealer,
                                             const void *aad,
                                             size_t aad_len,
                                             const void *in,
                                             size_t in_len,
                                             void *out,
                                             size_t out_len,
                                             struct ropewalk_error *error);

/**
 * Starts a message with a key of AES-GCM or ChaCha20-Poly1305. A nonce must be new for the key if the message is sealed.
 * Previous contents of the stream are not wiped.
 *
 * Fails with ROPEWALK_WRONG_KIND for a key of AES-CCM, which needs the length before it starts.
 *
 * The caller promises:
 * `stream` is for writing; `key` was made; `nonce` has `nonce_len` bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_aead_stream_init(struct ropewalk_aead_stream *stream,
                                          const struct ropewalk_aead_key *key,
                                          const void *nonce,
                                          size_t nonce_len,
                                          struct ropewalk_error *error);

/**
 * Absorbs the next chunk of the additional data, of any length. All of it comes before the text.
 *
 * Fails with ROPEWALK_TEXT_HAS_BEGUN after a chunk of the text that was not empty.
 *
 * The caller promises:
 * `stream` was made, and its key is still there; `aad` has `aad_len` bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_aead_stream_aad(struct ropewalk_aead_stream *stream,
                                         const void *aad,
                                         size_t aad_len,
                                         struct ropewalk_error *error);

/**
 * Encrypts the next chunk of the text, of any length, and writes `out`, which may be the same.
 *
 * Fails with ROPEWALK_LENGTH where all chunks together are longer than a text may be.
 *
 * The caller promises:
 * `stream` was made, and its key is still there; `in` has `len` bytes, and `out` for writing; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_aead_stream_seal(struct ropewalk_aead_stream *stream,
                                          const void *in,
                                          void *out,
                                          size_t len,
                                          struct ropewalk_error *error);

/**
 * Decrypts the next chunk of the text, of any length, and writes `out`, which may be the same. The output is unauthenticated
 * until ropewalk_aead_stream_finish_verify() has found the tag right. Do not use it before, and discard it if the tag is wrong.
 *
 * Fails as ropewalk_aead_stream_seal().
 *
 * The caller promises:
 * As ropewalk_aead_stream_seal().
 */
ropewalk_status ropewalk_aead_stream_open_unverified(struct ropewalk_aead_stream *stream,
                                                     const void *in,
                                                     void *out,
                                                     size_t len,
                                                     struct ropewalk_error *error);

/**
 * Writes the tag of all chunks, and wipes the stream.
 *
 * The caller promises:
 * `stream` was made, and its key is still there; `tag` has `tag_len` bytes for writing; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_aead_stream_finish(struct ropewalk_aead_stream *stream,
                                            void *tag,
                                            size_t tag_len,
                                            struct ropewalk_error *error);

/**
 * Verifies `tag` as the tag of all chunks, in constant time, and wipes the stream. Only then may the output of
 * ropewalk_aead_stream_open_unverified() be used.
 *
 * Fails with ROPEWALK_FORGED if it is wrong, and with ROPEWALK_LENGTH for a tag that is not as long as the key's: the stream
 * then stays.
 *
 * The caller promises:
 * `stream` was made, and its key is still there; `tag` has `tag_len` bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_aead_stream_finish_verify(struct ropewalk_aead_stream *stream,
                                                   const void *tag,
                                                   size_t tag_len,
                                                   struct ropewalk_error *error);

/**
 * Makes a copy of a stream, which continues from the same position with the same key. Two streams that seal different texts from
 * there reveal both.
 *
 * The caller promises:
 * `copy` is for writing; `stream` was made; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_aead_stream_clone(struct ropewalk_aead_stream *copy,
                                           const struct ropewalk_aead_stream *stream,
                                           struct ropewalk_error *error);

/**
 * Wipes a stream. NULL, and a stream that was not made or has been wiped or finished, are left unchanged.
 *
 * The caller promises:
 * `stream` is for reading and writing, or NULL.
 */
void ropewalk_aead_stream_wipe(struct ropewalk_aead_stream *stream);

/**
 * Writes the number of a hash function to `algorithm`, given its name, such as "sha256": for programs that have it from a
 * configuration. Case and `-`, `_` and `/` do not matter.
 *
 * Fails with ROPEWALK_NO_ALGORITHM where none has that name.
 *
 * The caller promises:
 * `name` is a string; `algorithm` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_hash_named(const char *name,
                                    ropewalk_hash *algorithm,
                                    struct ropewalk_error *error);

/**
 * The name of a hash function; NULL where none has that number. They are numbered from 1 on, without gaps.
 */
const char *ropewalk_hash_name(ropewalk_hash algorithm);

/**
 * The length of a digest in bytes; for SHAKE, the default one. 0 where there is no such algorithm.
 */
size_t ropewalk_hash_digest_len(ropewalk_hash algorithm);

/**
 * The length of a block in bytes. 0 where there is no such algorithm.
 */
size_t ropewalk_hash_block_len(ropewalk_hash algorithm);

/**
 * Writes the number of a message authentication code to `algorithm`, given its name, such as "hmac-sha256": for programs that
 * have it from a configuration. Case and `-`, `_` and `/` do not matter.
 *
 * Fails with ROPEWALK_NO_ALGORITHM where none has that name.
 *
 * The caller promises:
 * `name` is a string; `algorithm` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_mac_named(const char *name,
                                   ropewalk_mac *algorithm,
                                   struct ropewalk_error *error);

/**
 * The name of a message authentication code; NULL where none has that number. They are numbered from 1 on, without gaps.
 */
const char *ropewalk_mac_name(ropewalk_mac algorithm);

/**
 * The length of a key in bytes. HMAC accepts others too, but this is recommended. 0 where there is no such algorithm.
 */
size_t ropewalk_mac_key_len(ropewalk_mac algorithm);

/**
 * The length of a tag in bytes. 0 where there is no such algorithm.
 */
size_t ropewalk_mac_tag_len(ropewalk_mac algorithm);

/**
 * Writes the number of an authenticated cipher to `algorithm`, given its name, such as "aes-256-gcm": for programs that have it
 * from a configuration. Case and `-`, `_` and `/` do not matter.
 *
 * Fails with ROPEWALK_NO_ALGORITHM where none has that name.
 *
 * The caller promises:
 * `name` is a string; `algorithm` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_aead_named(const char *name,
                                    ropewalk_aead *algorithm,
                                    struct ropewalk_error *error);

/**
 * The name of an authenticated cipher; NULL where none has that number. They are numbered from 1 on, without gaps.
 */
const char *ropewalk_aead_name(ropewalk_aead algorithm);

/**
 * The length of a key in bytes. 0 where there is no such algorithm.
 */
size_t ropewalk_aead_key_len(ropewalk_aead algorithm);

/**
 * The length in bytes of a nonce that all of them accept. AES-GCM and AES-CCM accept others too. 0 where there is no such
 * algorithm.
 */
size_t ropewalk_aead_nonce_len(ropewalk_aead algorithm);

/**
 * The default length of a tag in bytes. 0 where there is no such algorithm.
 */
size_t ropewalk_aead_tag_len(ropewalk_aead algorithm);

/**
 * Writes the number of a cipher to `algorithm`, given its name, such as "aes-256-ctr": for programs that have it from a
 * configuration. Case and `-`, `_` and `/` do not matter.
 *
 * Fails with ROPEWALK_NO_ALGORITHM where none has that name.
 *
 * The caller promises:
 * `name` is a string; `algorithm` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_cipher_named(const char *name, ropewalk_cipher *algorithm, struct ropewalk_error *error);

/**
 * The name of a cipher; NULL where none has that number. They are numbered from 1 on, without gaps.
 */
const char *ropewalk_cipher_name(ropewalk_cipher algorithm);

/**
 * The length of a key in bytes; for XTS, of both of its halves. 0 where there is no such algorithm.
 */
size_t ropewalk_cipher_key_len(ropewalk_cipher algorithm);

/**
 * The length of a nonce in bytes: of the first counter block for CTR, of the initialization vector for CBC, and of the tweak for
 * XTS. 0 where there is no such algorithm.
 */
size_t ropewalk_cipher_nonce_len(ropewalk_cipher algorithm);

/**
 * The length of a text must be a multiple of this many bytes; there is no padding. For XTS it is also at least 16. 0 where there
 * is no such algorithm.
 */
size_t ropewalk_cipher_block_len(ropewalk_cipher algorithm);

/**
 * Makes a key of `secret`, which has ropewalk_cipher_key_len() bytes, with the best backend of this processor. Previous contents
 * of the key are not wiped.
 *
 * Fails with ROPEWALK_EQUAL_HALVES where the halves of an XTS key are equal.
 *
 * The caller promises:
 * `key` is for writing; `secret` has `secret_len` bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_cipher_key_init(struct ropewalk_cipher_key *key,
                                         ropewalk_cipher algorithm,
                                         const void *secret,
                                         size_t secret_len,
                                         struct ropewalk_error *error);

/**
 * Wipes a key. NULL, and a key that was not made or has been wiped, are left unchanged.
 *
 * The caller promises:
 * `key` is for reading and writing, or NULL.
 */
void ropewalk_cipher_key_wipe(struct ropewalk_cipher_key *key);

/**
 * Encrypts `len` bytes of `in` to `out`, which may be the same. The nonce has ropewalk_cipher_nonce_len() bytes: for CTR it is
 * the first counter block, all of which is the counter; for CBC the initialization vector; for XTS the tweak. ChaCha20 counts
 * from 0.
 *
 * Fails with ROPEWALK_LENGTH for a nonce or a text of a length that the cipher does not accept.
 *
 * The caller promises:
 * `key` was made; each pointer has as many bytes as follow it; `out` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_cipher_encrypt(const struct ropewalk_cipher_key *key,
                                        const void *nonce,
                                        size_t nonce_len,
                                        const void *in,
                                        void *out,
                                        size_t len,
                                        struct ropewalk_error *error);

/**
 * Decrypts `len` bytes of `in` to `out`, which may be the same.
 *
 * Fails as ropewalk_cipher_encrypt().
 *
 * The caller promises:
 * As ropewalk_cipher_encrypt().
 */
ropewalk_status ropewalk_cipher_decrypt(const struct ropewalk_cipher_key *key,
                                        const void *nonce,
                                        size_t nonce_len,
                                        const void *in,
                                        void *out,
                                        size_t len,
                                        struct ropewalk_error *error);

/**
 * Encrypts each message, with the results of a loop over ropewalk_cipher_encrypt(), and in lanes where that is faster: best if
 * neighbours have the same cipher. Messages may differ in key and length.
 *
 * Fails as ropewalk_cipher_encrypt() for the first message that would, with its index in the error, and with ROPEWALK_OVERLAP
 * where a message writes into `messages`, or the key of another one. Nothing is then written.
 *
 * The caller promises:
 * There are `count` messages, each as for ropewalk_cipher_encrypt(); `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_cipher_encrypt_many(const struct ropewalk_cipher_message *messages,
                                             size_t count,
                                             struct ropewalk_error *error);

/**
 * Decrypts each message, with the results of a loop over ropewalk_cipher_decrypt(), and in lanes where that is faster.
 *
 * Fails as ropewalk_cipher_encrypt_many().
 *
 * The caller promises:
 * As ropewalk_cipher_encrypt_many().
 */
ropewalk_status ropewalk_cipher_decrypt_many(const struct ropewalk_cipher_message *messages,
                                             size_t count,
                                             struct ropewalk_error *error);

/**
 * Encrypts or decrypts `in` by AES-CTR to `out`, which may be the same. `iv`, of 16 bytes, is the first counter block; its last
 * `counter_bits` bits, 32, 64 or 128, are the counter.
 *
 * Fails with ROPEWALK_WRONG_KIND for a key that is not of AES-CTR; with ROPEWALK_LENGTH for other counters, and for more text
 * than there are counter values.
 *
 * The caller promises:
 * As ropewalk_cipher_encrypt().
 */
ropewalk_status ropewalk_ctr_apply(const struct ropewalk_cipher_key *key,
                                   uint32_t counter_bits,
                                   const void *iv,
                                   size_t iv_len,
                                   const void *in,
                                   void *out,
                                   size_t len,
                                   struct ropewalk_error *error);

/**
 * Encrypts or decrypts `in` by ChaCha20, from the block `counter` on, to `out`, which may be the same. The nonce has 12 bytes.
 *
 * Fails with ROPEWALK_WRONG_KIND for a key that is not of ChaCha20; with ROPEWALK_LENGTH for another nonce length, and for more
 * text than there are counter values.
 *
 * The caller promises:
 * As ropewalk_cipher_encrypt().
 */
ropewalk_status ropewalk_chacha20_apply(const struct ropewalk_cipher_key *key,
                                        uint32_t counter,
                                        const void *nonce,
                                        size_t nonce_len,
                                        const void *in,
                                        void *out,
                                        size_t len,
                                        struct ropewalk_error *error);

/**
 * The length of a text of `len` bytes with padding: the next greater multiple of 16.
 */
size_t ropewalk_cbc_padded_len(size_t len);

/**
 * Encrypts `in` by AES-CBC to `out`, with the padding of PKCS #7: `out_len` is ropewalk_cbc_padded_len() of `in_len`. Both may
 * begin at one address. The initialization vector has 16 bytes.
 *
 * Fails with ROPEWALK_WRONG_KIND for a key that is not of AES-CBC, and with ROPEWALK_LENGTH for other lengths.
 *
 * The caller promises:
 * As ropewalk_cipher_encrypt().
 */
ropewalk_status ropewalk_cbc_encrypt_padded(const struct ropewalk_cipher_key *key,
                                            const void *iv,
                                            size_t iv_len,
                                            const void *in,
                                            size_t in_len,
                                            void *out,
                                            size_t out_len,
                                            struct ropewalk_error *error);

/**
 * Decrypts `len` bytes of `in` by AES-CBC to `out`, which may be the same, and writes to `text_len` how many of them are the
 * text, without its padding. Check a MAC first wherever an attacker could learn whether a padding is right.
 *
 * Fails with ROPEWALK_FORGED where the padding is wrong: `out` is then zeroed. Fails otherwise as ropewalk_cbc_encrypt_padded().
 *
 * The caller promises:
 * As ropewalk_cipher_encrypt(); `text_len` is for writing.
 */
ropewalk_status ropewalk_cbc_decrypt_padded(const struct ropewalk_cipher_key *key,
                                            const void *iv,
                                            size_t iv_len,
                                            const void *in,
                                            void *out,
                                            size_t len,
                                            size_t *text_len,
                                            struct ropewalk_error *error);

/**
 * Encrypts sectors of `sector_size` bytes each by AES-XTS, numbered from `first` on: `len` bytes of `in` to `out`, which may be
 * the same. The tweak of a sector is its number, little-endian.
 *
 * Fails with ROPEWALK_WRONG_KIND for a key that is not of AES-XTS, and with ROPEWALK_LENGTH for a size below 16 or above 16 MiB,
 * and unless there are whole sectors.
 *
 * The caller promises:
 * As ropewalk_cipher_encrypt().
 */
ropewalk_status ropewalk_xts_encrypt_sectors(const struct ropewalk_cipher_key *key,
                                             uint64_t first,
                                             size_t sector_size,
                                             const void *in,
                                             void *out,
                                             size_t len,
                                             struct ropewalk_error *error);

/**
 * Decrypts sectors: the inverse of ropewalk_xts_encrypt_sectors().
 *
 * The caller promises:
 * As ropewalk_cipher_encrypt().
 */
ropewalk_status ropewalk_xts_decrypt_sectors(const struct ropewalk_cipher_key *key,
                                             uint64_t first,
                                             size_t sector_size,
                                             const void *in,
                                             void *out,
                                             size_t len,
                                             struct ropewalk_error *error);

/**
 * Starts a key stream of AES-CTR. `iv`, of 16 bytes, is the first counter block; its last 32, 64 or 128 bits are the counter.
 *
 * Fails with ROPEWALK_WRONG_KIND for a key that is not of AES-CTR.
 *
 * The caller promises:
 * `stream` is for writing; `key` was made; `iv` has `iv_len` bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_stream_init_ctr(struct ropewalk_stream *stream,
                                         const struct ropewalk_cipher_key *key,
                                         uint32_t counter_bits,
                                         const void *iv,
                                         size_t iv_len,
                                         struct ropewalk_error *error);

/**
 * Starts a key stream of ChaCha20 at the block `counter`. The nonce has 12 bytes.
 *
 * Fails with ROPEWALK_WRONG_KIND for a key that is not of ChaCha20.
 *
 * The caller promises:
 * `stream` is for writing; `key` was made; `nonce` has `nonce_len` bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_stream_init_chacha20(struct ropewalk_stream *stream,
                                              const struct ropewalk_cipher_key *key,
                                              uint32_t counter,
                                              const void *nonce,
                                              size_t nonce_len,
                                              struct ropewalk_error *error);

/**
 * XORs the next `len` bytes of the key stream into `in`, which encrypts or decrypts, and writes `out`, which may be the same.
 *
 * Fails with ROPEWALK_LENGTH past the last counter value. Where it fails, nothing is written.
 *
 * The caller promises:
 * `stream` was made, and its key is still there; `in` has `len` bytes, and `out` for writing; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_stream_apply(struct ropewalk_stream *stream,
                                      const void *in,
                                      void *out,
                                      size_t len,
                                      struct ropewalk_error *error);

/**
 * Wipes a stream. NULL, and a stream that was not made or has been wiped, are left unchanged.
 *
 * The caller promises:
 * `stream` is for reading and writing, or NULL.
 */
void ropewalk_stream_wipe(struct ropewalk_stream *stream);

/**
 * Makes a key of 16, 24 or 32 bytes. Previous contents of the key are not wiped.
 *
 * The caller promises:
 * `key` is for writing; `secret` has `secret_len` bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_ecb_key_init(struct ropewalk_ecb_key *key,
                                      const void *secret,
                                      size_t secret_len,
                                      struct ropewalk_error *error);

/**
 * Makes a copy of a key.
 *
 * The caller promises:
 * `copy` is for writing; `key` was made; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_ecb_key_clone(struct ropewalk_ecb_key *copy,
                                       const struct ropewalk_ecb_key *key,
                                       struct ropewalk_error *error);

/**
 * Wipes a key. NULL, and a key that was not made or has been wiped, are left unchanged.
 *
 * The caller promises:
 * `key` is for reading and writing, or NULL.
 */
void ropewalk_ecb_key_wipe(struct ropewalk_ecb_key *key);

/**
 * Encrypts whole blocks of 16 bytes, each independently: `len` bytes of `in` to `out`, which may be the same.
 *
 * The caller promises:
 * `key` was made; `in` has `len` bytes, and `out` for writing; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_ecb_encrypt(const struct ropewalk_ecb_key *key,
                                     const void *in,
                                     void *out,
                                     size_t len,
                                     struct ropewalk_error *error);

/**
 * Decrypts whole blocks of 16 bytes, each independently: `len` bytes of `in` to `out`, which may be the same.
 *
 * The caller promises:
 * As ropewalk_ecb_encrypt().
 */
ropewalk_status ropewalk_ecb_decrypt(const struct ropewalk_ecb_key *key,
                                     const void *in,
                                     void *out,
                                     size_t len,
                                     struct ropewalk_error *error);

/**
 * Writes the digest of a message, which has ropewalk_hash_digest_len() bytes; for SHAKE, any number. The digest may lie within
 * the message.
 *
 * The caller promises:
 * `message` has `message_len` bytes, and `digest` has `digest_len` for writing; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_hash_digest(ropewalk_hash algorithm,
                                     const void *message,
                                     size_t message_len,
                                     void *digest,
                                     size_t digest_len,
                                     struct ropewalk_error *error);

/**
 * Starts a message in chunks. Previous contents of the state are not wiped.
 *
 * The caller promises:
 * `state` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_hash_init(struct ropewalk_hash_state *state,
                                   ropewalk_hash algorithm,
                                   struct ropewalk_error *error);

/**
 * Absorbs the next chunk of the message, of any length.
 *
 * The caller promises:
 * `state` was made; `piece` has `piece_len` bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_hash_update(struct ropewalk_hash_state *state,
                                     const void *piece,
                                     size_t piece_len,
                                     struct ropewalk_error *error);

/**
 * Writes the digest of all chunks, and wipes the state. The digest has ropewalk_hash_digest_len() bytes; for SHAKE any number,
 * or the next output of ropewalk_hash_squeeze().
 *
 * The caller promises:
 * `state` was made; `digest` has `digest_len` bytes for writing; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_hash_finish(struct ropewalk_hash_state *state,
                                     void *digest,
                                     size_t digest_len,
                                     struct ropewalk_error *error);

/**
 * Writes the next bytes of the output of SHAKE, which has any length. No chunk may follow.
 *
 * The caller promises:
 * `state` was made; `output` has `output_len` bytes for writing; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_hash_squeeze(struct ropewalk_hash_state *state,
                                      void *output,
                                      size_t output_len,
                                      struct ropewalk_error *error);

/**
 * Makes a copy of a state, which continues from the same position.
 *
 * The caller promises:
 * `copy` is for writing; `state` was made; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_hash_clone(struct ropewalk_hash_state *copy,
                                    const struct ropewalk_hash_state *state,
                                    struct ropewalk_error *error);

/**
 * Wipes a state. NULL, and a state that was not made or has been wiped or finished, are left unchanged.
 *
 * The caller promises:
 * `state` is for reading and writing, or NULL.
 */
void ropewalk_hash_wipe(struct ropewalk_hash_state *state);

/**
 * Writes the digest of each message, of `digest_len` bytes, with the results of a loop over ropewalk_hash_digest(), and in lanes
 * where that is faster. Messages may differ in length.
 *
 * Fails as ropewalk_hash_digest() for the first message that would, with its index in the error, and with ROPEWALK_OVERLAP where
 * a digest overlaps `messages`. Nothing is then written.
 *
 * The caller promises:
 * There are `count` messages, each with its bytes and space for its digest; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_hash_digest_many(ropewalk_hash algorithm,
                                          const struct ropewalk_hash_message *messages,
                                          size_t count,
                                          size_t digest_len,
                                          struct ropewalk_error *error);

/**
 * Makes a pseudorandom key of bytes that are uniformly random already, as many as a digest of `hash` has. Previous contents are
 * not wiped.
 *
 * The caller promises:
 * `prk` is for writing; `secret` has `secret_len` bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_prk_init(struct ropewalk_prk *prk,
                                  ropewalk_hash hash,
                                  const void *secret,
                                  size_t secret_len,
                                  struct ropewalk_error *error);

/**
 * Wipes a pseudorandom key. NULL, and a key that was not made or has been wiped, are left unchanged.
 *
 * The caller promises:
 * `prk` is for reading and writing, or NULL.
 */
void ropewalk_prk_wipe(struct ropewalk_prk *prk);

/**
 * Writes the bytes of a pseudorandom key, as many as a digest has.
 *
 * The caller promises:
 * `prk` was made; `out` has `out_len` bytes for writing; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_prk_bytes(const struct ropewalk_prk *prk,
                                   void *out,
                                   size_t out_len,
                                   struct ropewalk_error *error);

/**
 * HKDF-Extract (RFC 5869): makes a pseudorandom key of a secret that is not uniformly random. The salt is a key of HMAC with the
 * hash function to be used; without a salt, a key made of the empty string.
 *
 * Fails with ROPEWALK_WRONG_KIND for a key that is not of HMAC.
 *
 * The caller promises:
 * `prk` is for writing; `salt` was made; `secret` has `secret_len` bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_hkdf_extract(struct ropewalk_prk *prk,
                                      const struct ropewalk_mac_key *salt,
                                      const void *secret,
                                      size_t secret_len,
                                      struct ropewalk_error *error);

/**
 * HKDF-Expand (RFC 5869): fills `out`, of up to 255 digests. `info` is the context.
 *
 * The caller promises:
 * `prk` was made; each pointer has as many bytes as follow it; `out` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_hkdf_expand(const struct ropewalk_prk *prk,
                                     const void *info,
                                     size_t info_len,
                                     void *out,
                                     size_t out_len,
                                     struct ropewalk_error *error);

/**
 * HKDF in one call: extracts, and expands to `out`, of up to 255 digests.
 *
 * The caller promises:
 * Each pointer has as many bytes as follow it; `out` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_hkdf(ropewalk_hash hash,
                              const void *salt,
                              size_t salt_len,
                              const void *secret,
                              size_t secret_len,
                              const void *info,
                              size_t info_len,
                              void *out,
                              size_t out_len,
                              struct ropewalk_error *error);

/**
 * PBKDF2 (RFC 8018): fills `out`. The password is a key of HMAC with the hash function to be used.
 *
 * Fails with ROPEWALK_WRONG_KIND for a key that is not of HMAC, and with ROPEWALK_LENGTH for no iteration.
 *
 * The caller promises:
 * `password` was made; each pointer has as many bytes as follow it; `out` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_pbkdf2(const struct ropewalk_mac_key *password,
                                const void *salt,
                                size_t salt_len,
                                uint32_t iterations,
                                void *out,
                                size_t out_len,
                                struct ropewalk_error *error);

/**
 * HKDF-Extract of many secrets, with the results of a loop over ropewalk_hkdf_extract(), and in lanes where that is faster: best
 * if neighbours have salts of the same hash function.
 *
 * Fails as ropewalk_hkdf_extract() for the first extraction that would, with its index in the error, and with ROPEWALK_OVERLAP
 * where one writes into `extractions`, or the key of another one. Nothing is then written.
 *
 * The caller promises:
 * There are `count` extractions, each as for ropewalk_hkdf_extract(); `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_hkdf_extract_many(const struct ropewalk_hkdf_extraction *extractions,
                                           size_t count,
                                           struct ropewalk_error *error);

/**
 * HKDF-Expand of many keys, with the results of a loop over ropewalk_hkdf_expand(), and in lanes where that is faster: best if
 * neighbours have the same hash function.
 *
 * Fails as ropewalk_hkdf_expand() for the first expansion that would, with its index in the error, and with ROPEWALK_OVERLAP
 * where one writes into `expansions`, or the key of another one. Nothing is then written.
 *
 * The caller promises:
 * There are `count` expansions, each as for ropewalk_hkdf_expand(); `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_hkdf_expand_many(const struct ropewalk_hkdf_expansion *expansions,
                                          size_t count,
                                          struct ropewalk_error *error);

/**
 * PBKDF2 of many passwords, with the results of a loop over ropewalk_pbkdf2(), and in lanes where that is faster: best if
 * neighbours have the same hash function.
 *
 * Fails as ropewalk_pbkdf2() for the first derivation that would, with its index in the error, and with ROPEWALK_OVERLAP where
 * one writes into `derivations`, or the key of another one. Nothing is then written.
 *
 * The caller promises:
 * There are `count` derivations, each as for ropewalk_pbkdf2(); `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_pbkdf2_many(const struct ropewalk_pbkdf2_derivation *derivations,
                                     size_t count,
                                     struct ropewalk_error *error);

/**
 * HKDF-Expand-Label of TLS 1.3 (RFC 8446, section 7.1): fills `out`. The label is given without the prefix "tls13 ".
 *
 * Fails with ROPEWALK_LENGTH for an empty label or one of more than 249 bytes, a context of more than 255, and more than 255
 * digests.
 *
 * The caller promises:
 * `secret` was made; each pointer has as many bytes as follow it; `out` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_tls13_expand_label(const struct ropewalk_prk *secret,
                                            const void *label,
                                            size_t label_len,
                                            const void *context,
                                            size_t context_len,
                                            void *out,
                                            size_t out_len,
                                            struct ropewalk_error *error);

/**
 * Derive-Secret of TLS 1.3 (RFC 8446, section 7.1), given the digest of the transcript.
 *
 * Fails as ropewalk_tls13_expand_label(), and with ROPEWALK_LENGTH where the digest does not have the length of its function.
 *
 * The caller promises:
 * `derived` is for writing; `secret` was made; each pointer has as many bytes as follow it; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_tls13_derive_secret(struct ropewalk_prk *derived,
                                             const struct ropewalk_prk *secret,
                                             const void *label,
                                             size_t label_len,
                                             const void *transcript,
                                             size_t transcript_len,
                                             struct ropewalk_error *error);

/**
 * The PRF of TLS 1.2 (RFC 5246, section 5): fills `out`. The secret is a key of HMAC with the hash function to be used.
 *
 * Fails with ROPEWALK_WRONG_KIND for a key that is not of HMAC, and with ROPEWALK_LENGTH for an empty label.
 *
 * The caller promises:
 * `secret` was made; each pointer has as many bytes as follow it; `out` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_tls12_prf(const struct ropewalk_mac_key *secret,
                                   const void *label,
                                   size_t label_len,
                                   const void *seed,
                                   size_t seed_len,
                                   void *out,
                                   size_t out_len,
                                   struct ropewalk_error *error);

/**
 * Makes a key of 16, 24 or 32 bytes. Previous contents of the key are not wiped.
 *
 * The caller promises:
 * `key` is for writing; `secret` has `secret_len` bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_wrap_key_init(struct ropewalk_wrap_key *key,
                                       const void *secret,
                                       size_t secret_len,
                                       struct ropewalk_error *error);

/**
 * Wipes a key. NULL, and a key that was not made or has been wiped, are left unchanged.
 *
 * The caller promises:
 * `key` is for reading and writing, or NULL.
 */
void ropewalk_wrap_key_wipe(struct ropewalk_wrap_key *key);

/**
 * Wraps `in`, a multiple of 8 bytes from 16 on, to `out`, which is longer by 8 (RFC 3394). Both may begin at one address.
 *
 * The caller promises:
 * `key` was made; each pointer has as many bytes as follow it; `out` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_wrap(const struct ropewalk_wrap_key *key,
                              const void *in,
                              size_t in_len,
                              void *out,
                              size_t out_len,
                              struct ropewalk_error *error);

/**
 * Unwraps `in` to `out`, which is shorter by 8 bytes. Both may begin at one address.
 *
 * Fails with ROPEWALK_FORGED if it was not wrapped with this key: `out` is then zeroed.
 *
 * The caller promises:
 * As ropewalk_wrap(); where both begin at one address, all of `in` is for writing.
 */
ropewalk_status ropewalk_unwrap(const struct ropewalk_wrap_key *key,
                                const void *in,
                                size_t in_len,
                                void *out,
                                size_t out_len,
                                struct ropewalk_error *error);

/**
 * The length of a wrapped key of `len` bytes with padding: the next multiple of 8 from there on, and 8 more.
 */
size_t ropewalk_wrap_padded_len(size_t len);

/**
 * Wraps `in`, of 1 to 2^32 - 1 bytes, padded, to `out`, which has ropewalk_wrap_padded_len() bytes (RFC 5649). Both may begin at one
 * address.
 *
 * The caller promises:
 * As ropewalk_wrap().
 */
ropewalk_status ropewalk_wrap_padded(const struct ropewalk_wrap_key *key,
                                     const void *in,
                                     size_t in_len,
                                     void *out,
                                     size_t out_len,
                                     struct ropewalk_error *error);

/**
 * Unwraps `in` to `out`, which is shorter by 8 bytes, and writes to `key_len` how many of them are the key, without its padding.
 * Both may begin at one address.
 *
 * Fails with ROPEWALK_FORGED if it was not wrapped with this key: `out` is then zeroed.
 *
 * The caller promises:
 * As ropewalk_unwrap(); `key_len` is for writing.
 */
ropewalk_status ropewalk_unwrap_padded(const struct ropewalk_wrap_key *key,
                                       const void *in,
                                       size_t in_len,
                                       void *out,
                                       size_t out_len,
                                       size_t *key_len,
                                       struct ropewalk_error *error);

/**
 * The version of the library that runs, such as "0.1.0".
 */
const char *ropewalk_version(void);

/**
 * The version of the library that runs, as a number that grows: major * 1000000 + minor * 1000 + patch.
 */
uint32_t ropewalk_version_number(void);

/**
 * Reads two variables of the environment: ROPEWALK_CPU, which switches processor features off as ropewalk_disable() does, and
 * ROPEWALK_TUNING, which names the class of cores to tune for, such as zen5. Calling it is only needed for these. The first call reads
 * them; later calls give the same result.
 *
 * Fails with ROPEWALK_UNKNOWN where a variable has an unknown name; that variable then changes nothing.
 *
 * The caller promises:
 * `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_init(struct ropewalk_error *error);

/**
 * Switches processor features off, for keys and states that are made afterwards. `list` has their names, as in the Rust
 * compiler, separated by commas: "-vaes,-avx512f", with or without a minus; "all" is every one. Features that build on a listed
 * one go too. Nothing is ever switched on.
 *
 * Fails with ROPEWALK_UNKNOWN for an unknown name; none is then switched off.
 *
 * The caller promises:
 * `list` is a string; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_disable(const char *list,
                                 struct ropewalk_error *error);

/**
 * The name of a processor feature that the library knows, of any architecture, as in the Rust compiler. Indices start at 0; past
 * the last it is NULL.
 */
const char *ropewalk_cpu_feature(size_t index);

/**
 * Whether this processor has the feature of that name, and it has not been switched off: 1, or 0.
 *
 * The caller promises:
 * `name` is a string, or NULL.
 */
uint32_t ropewalk_cpu_has(const char *name);

/**
 * The name of a primitive, such as "aes-gcm" or "sha256-many". Indices start at 0; past the last it is NULL.
 */
const char *ropewalk_primitive(size_t index);

/**
 * The name of the backend that keys and states of a primitive get from now on, such as "aes_gcm/x86_64/vaes512"; NULL for an
 * unknown primitive.
 *
 * The caller promises:
 * `primitive` is a string, or NULL.
 */
const char *ropewalk_backend(const char *primitive);

/**
 * The name of a backend that computes wrong answers on this processor or emulator. Keys and states do not get it: they get the
 * next one. Indices start at 0; past the last it is NULL. The first call in a process tests each backend that has not been used
 * yet: some milliseconds for all.
 */
const char *ropewalk_wrong_backend(size_t index);

/**
 * Tests every backend that this processor has and that is not switched off with known answers. It takes some milliseconds.
 *
 * Fails with ROPEWALK_INTERNAL where one gives a wrong answer: `what` is its name.
 *
 * The caller promises:
 * `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_self_test(struct ropewalk_error *error);

/**
 * Makes a key of `secret`, with the best backend of this processor. For AES-CMAC it has ropewalk_mac_key_len() bytes; for HMAC
 * it may have any length, but that is recommended. Previous contents of the key are not wiped.
 *
 * The caller promises:
 * `key` is for writing; `secret` has `secret_len` bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_mac_key_init(struct ropewalk_mac_key *key,
                                      ropewalk_mac algorithm,
                                      const void *secret,
                                      size_t secret_len,
                                      struct ropewalk_error *error);

/**
 * Makes a copy of a key.
 *
 * The caller promises:
 * `copy` is for writing; `key` was made; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_mac_key_clone(struct ropewalk_mac_key *copy,
                                       const struct ropewalk_mac_key *key,
                                       struct ropewalk_error *error);

/**
 * Wipes a key. NULL, and a key that was not made or has been wiped, are left unchanged.
 *
 * The caller promises:
 * `key` is for reading and writing, or NULL.
 */
void ropewalk_mac_key_wipe(struct ropewalk_mac_key *key);

/**
 * Sets the length of the tags of an AES-CMAC key. Tags of HMAC are truncated by the sender, and ropewalk_mac_verify() accepts
 * them.
 *
 * The caller promises:
 * `key` was made, and no other thread uses it meanwhile; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_mac_key_set_tag_len(struct ropewalk_mac_key *key,
                                             size_t tag_len,
                                             struct ropewalk_error *error);

/**
 * Writes the tag of a message, of ropewalk_mac_tag_len() bytes. It may lie within the message.
 *
 * The caller promises:
 * `key` was made; `message` has `message_len` bytes, and `tag` has `tag_len` for writing; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_mac_once(const struct ropewalk_mac_key *key,
                                  const void *message,
                                  size_t message_len,
                                  void *tag,
                                  size_t tag_len,
                                  struct ropewalk_error *error);

/**
 * Verifies `tag` as the tag of a message. A tag of HMAC may be truncated, but not below half of its length or 10 bytes.
 *
 * Fails with ROPEWALK_FORGED if it is wrong, with ROPEWALK_LENGTH for a tag of another length.
 *
 * The caller promises:
 * `key` was made; `message` and `tag` have as many bytes as follow them; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_mac_verify(const struct ropewalk_mac_key *key,
                                    const void *message,
                                    size_t message_len,
                                    const void *tag,
                                    size_t tag_len,
                                    struct ropewalk_error *error);

/**
 * Writes the tag of each message, with the results of a loop over ropewalk_mac_once(), and in lanes where that is faster: best
 * if neighbours have keys of the same algorithm. Messages may differ in key and length.
 *
 * Fails as ropewalk_mac_once() for the first message that would, with its index in the error, and with ROPEWALK_OVERLAP where a
 * tag overlaps `messages`, or the key of another message, or a key lies in `messages`. Nothing is then written.
 *
 * The caller promises:
 * There are `count` messages, each as for ropewalk_mac_once(); `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_mac_many(struct ropewalk_mac_message *messages,
                                  size_t count,
                                  struct ropewalk_error *error);

/**
 * Verifies the tag of each message; tags may be truncated as for ropewalk_mac_verify(). `status` of each message is its result.
 *
 * Returns the status of the first that is not ROPEWALK_OK, with its index. Fails otherwise as ropewalk_mac_many(): nothing is then
 * written.
 *
 * The caller promises:
 * There are `count` messages, each as for ropewalk_mac_verify(); `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_mac_verify_many(struct ropewalk_mac_message *messages,
                                         size_t count,
                                         struct ropewalk_error *error);

/**
 * Writes the tag of a message, of 16 bytes, by Poly1305. The key, of 32 bytes, must be new: it is for one message. The tag may
 * lie within the message.
 *
 * The caller promises:
 * Each pointer has as many bytes as follow it; `tag` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_poly1305(const void *key,
                                  size_t key_len,
                                  const void *message,
                                  size_t message_len,
                                  void *tag,
                                  size_t tag_len,
                                  struct ropewalk_error *error);

/**
 * Verifies `tag` as the tag of a message by Poly1305. Fails with ROPEWALK_FORGED if it is not.
 *
 * The caller promises:
 * Each pointer has as many bytes as follow it; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_poly1305_verify(const void *key,
                                         size_t key_len,
                                         const void *message,
                                         size_t message_len,
                                         const void *tag,
                                         size_t tag_len,
                                         struct ropewalk_error *error);

/**
 * Starts a message. A key of AES-CMAC must stay unchanged and in place until the state is finished or wiped. Previous contents
 * of the state are not wiped.
 *
 * The caller promises:
 * `state` is for writing; `key` was made; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_mac_init(struct ropewalk_mac_state *state,
                                  const struct ropewalk_mac_key *key,
                                  struct ropewalk_error *error);

/**
 * Starts a message for Poly1305, with a key of 32 bytes that is for this message only.
 *
 * The caller promises:
 * `state` is for writing; `key` has `key_len` bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_mac_init_poly1305(struct ropewalk_mac_state *state,
                                           const void *key,
                                           size_t key_len,
                                           struct ropewalk_error *error);

/**
 * Absorbs the next chunk of the message, of any length.
 *
 * The caller promises:
 * `state` was made; `piece` has `piece_len` bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_mac_update(struct ropewalk_mac_state *state,
                                    const void *piece,
                                    size_t piece_len,
                                    struct ropewalk_error *error);

/**
 * Writes the tag of all chunks, and wipes the state.
 *
 * The caller promises:
 * `state` was made; `tag` has `tag_len` bytes for writing; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_mac_finish(struct ropewalk_mac_state *state,
                                    void *tag,
                                    size_t tag_len,
                                    struct ropewalk_error *error);

/**
 * Verifies `tag` as the tag of all chunks, and wipes the state. Fails as ropewalk_mac_verify(); for a tag of a wrong length the
 * state stays.
 *
 * The caller promises:
 * `state` was made; `tag` has `tag_len` bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_mac_finish_verify(struct ropewalk_mac_state *state,
                                           const void *tag,
                                           size_t tag_len,
                                           struct ropewalk_error *error);

/**
 * Makes a copy of a state, which continues from the same position. Not for Poly1305, whose key is for one message.
 *
 * The caller promises:
 * `copy` is for writing; `state` was made; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_mac_clone(struct ropewalk_mac_state *copy,
                                   const struct ropewalk_mac_state *state,
                                   struct ropewalk_error *error);

/**
 * Wipes a state. NULL, and a state that was not made or has been wiped or finished, are left unchanged.
 *
 * The caller promises:
 * `state` is for reading and writing, or NULL.
 */
void ropewalk_mac_wipe(struct ropewalk_mac_state *state);

/**
 * Makes a private key of 32 bytes of any value, which RFC 8032 calls the private key, and others a seed. Previous contents of the key
 * are not wiped.
 *
 * The caller promises:
 * `key` is for writing; `secret` has 32 bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_ed25519_key_init(struct ropewalk_ed25519_key *key,
                                          const void *secret,
                                          struct ropewalk_error *error);

/**
 * Makes a private key of random bytes. Previous contents of the key are not wiped.
 *
 * Fails with ROPEWALK_NO_RANDOMNESS where the operating system provides none.
 *
 * The caller promises:
 * `key` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_ed25519_key_generate(struct ropewalk_ed25519_key *key, struct ropewalk_error *error);

/**
 * Wipes a key. NULL, and a key that was not made or has been wiped, are left unchanged.
 *
 * The caller promises:
 * `key` is for reading and writing, or NULL.
 */
void ropewalk_ed25519_key_wipe(struct ropewalk_ed25519_key *key);

/**
 * Writes the 32 bytes of a private key, as ropewalk_ed25519_key_init() takes them, to `secret`.
 *
 * The caller promises:
 * `key` was made; `secret` has 32 bytes for writing; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_ed25519_key_bytes(const struct ropewalk_ed25519_key *key,
                                           void *secret,
                                           struct ropewalk_error *error);

/**
 * Makes a private key of a file: DER of PKCS#8, or PEM labelled PRIVATE KEY. Previous contents of the key are not wiped.
 *
 * Fails with ROPEWALK_INVALID, and the reason, for a file that has no key, or one that is encrypted or damaged; with
 * ROPEWALK_WRONG_KIND for a key of another algorithm.
 *
 * The caller promises:
 * `key` is for writing; `file` has `file_len` bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_ed25519_key_read(struct ropewalk_ed25519_key *key,
                                          const void *file,
                                          size_t file_len,
                                          struct ropewalk_error *error);

/**
 * Writes a private key as PKCS#8 to `file`, which has ROPEWALK_KEY_FILE_LEN bytes, and the length to `file_len`. The bytes after
 * it are left unchanged. The file is secret.
 *
 * Fails with ROPEWALK_NO_ALGORITHM unless `form` is ROPEWALK_DER or ROPEWALK_PEM.
 *
 * The caller promises:
 * `key` was made; `file` has ROPEWALK_KEY_FILE_LEN bytes for writing; `file_len` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_ed25519_key_write(const struct ropewalk_ed25519_key *key,
                                           ropewalk_key_form form,
                                           void *file,
                                           size_t *file_len,
                                           struct ropewalk_error *error);

/**
 * Writes the 32 bytes of the public key of a private key to `public_key`.
 *
 * The caller promises:
 * `key` was made; `public_key` has 32 bytes for writing; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_ed25519_public(const struct ropewalk_ed25519_key *key,
                                        void *public_key,
                                        struct ropewalk_error *error);

/**
 * Makes a public key of its 32 bytes. Previous contents of the key are not wiped.
 *
 * Fails with ROPEWALK_INVALID if the bytes are not those of a point (RFC 8032, section 5.1.3).
 *
 * The caller promises:
 * `key` is for writing; `public_key` has 32 bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_ed25519_public_key_init(struct ropewalk_ed25519_public_key *key,
                                                 const void *public_key,
                                                 struct ropewalk_error *error);

/**
 * Makes a public key of a file: DER of SubjectPublicKeyInfo, or PEM labelled PUBLIC KEY. Previous contents of the key are not
 * wiped.
 *
 * Fails with ROPEWALK_INVALID, and the reason, for a file that has no key; with ROPEWALK_WRONG_KIND for a key of another algorithm.
 *
 * The caller promises:
 * `key` is for writing; `file` has `file_len` bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_ed25519_public_key_read(struct ropewalk_ed25519_public_key *key,
                                                 const void *file,
                                                 size_t file_len,
                                                 struct ropewalk_error *error);

/**
 * Writes a public key as SubjectPublicKeyInfo to `file`, which has ROPEWALK_KEY_FILE_LEN bytes, and the length to `file_len`. The
 * bytes after it are left unchanged.
 *
 * Fails with ROPEWALK_NO_ALGORITHM unless `form` is ROPEWALK_DER or ROPEWALK_PEM.
 *
 * The caller promises:
 * `key` was made; `file` has ROPEWALK_KEY_FILE_LEN bytes for writing; `file_len` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_ed25519_public_key_write(const struct ropewalk_ed25519_public_key *key,
                                                  ropewalk_key_form form,
                                                  void *file,
                                                  size_t *file_len,
                                                  struct ropewalk_error *error);

/**
 * Wipes a public key. NULL, and a key that was not made or has been wiped, are left unchanged.
 *
 * The caller promises:
 * `key` is for reading and writing, or NULL.
 */
void ropewalk_ed25519_public_key_wipe(struct ropewalk_ed25519_public_key *key);

/**
 * Writes the 32 bytes of a public key, as ropewalk_ed25519_public_key_init() takes them, to `public_key`.
 *
 * The caller promises:
 * `key` was made; `public_key` has 32 bytes for writing; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_ed25519_public_key_bytes(const struct ropewalk_ed25519_public_key *key,
                                                  void *public_key,
                                                  struct ropewalk_error *error);

/**
 * Writes the signature of a message, of 64 bytes (Ed25519). It may lie within the message.
 *
 * The caller promises:
 * `key` was made; `message` has `message_len` bytes, and `signature` has 64 for writing; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_ed25519_sign(const struct ropewalk_ed25519_key *key,
                                      const void *message,
                                      size_t message_len,
                                      void *signature,
                                      struct ropewalk_error *error);

/**
 * Writes the signature of a message in a context of 1 to 255 bytes (Ed25519ctx). It may lie within the message.
 *
 * The caller promises:
 * `key` was made; `context` and `message` have as many bytes as follow them, and `signature` has 64 for writing; `error` is for
 * writing, or NULL.
 */
ropewalk_status ropewalk_ed25519_sign_context(const struct ropewalk_ed25519_key *key,
                                              const void *context,
                                              size_t context_len,
                                              const void *message,
                                              size_t message_len,
                                              void *signature,
                                              struct ropewalk_error *error);

/**
 * Writes the signature of a message with the SHA-512 digest `digest`, of 64 bytes, in a context of up to 255 bytes (Ed25519ph). It may
 * lie where the digest is.
 *
 * The caller promises:
 * `key` was made; `context` has `context_len` bytes, `digest` has 64, and `signature` too, for writing; `error` is for writing, or
 * NULL.
 */
ropewalk_status ropewalk_ed25519_sign_prehashed(const struct ropewalk_ed25519_key *key,
                                                const void *context,
                                                size_t context_len,
                                                const void *digest,
                                                void *signature,
                                                struct ropewalk_error *error);

/**
 * Verifies `signature`, of 64 bytes, as the signature of a message (Ed25519). S must be below the order of the base point, R must be
 * canonical, and the equation must hold without the cofactor.
 *
 * Fails with ROPEWALK_FORGED if it is not its signature with this key.
 *
 * The caller promises:
 * `key` was made; `message` has `message_len` bytes, and `signature` has 64; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_ed25519_verify(const struct ropewalk_ed25519_public_key *key,
                                        const void *message,
                                        size_t message_len,
                                        const void *signature,
                                        struct ropewalk_error *error);

/**
 * Verifies `signature`, of 64 bytes, as the signature of a message in a context of 1 to 255 bytes (Ed25519ctx).
 *
 * Fails with ROPEWALK_FORGED as ropewalk_ed25519_verify().
 *
 * The caller promises:
 * `key` was made; `context` and `message` have as many bytes as follow them, and `signature` has 64; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_ed25519_verify_context(const struct ropewalk_ed25519_public_key *key,
                                                const void *context,
                                                size_t context_len,
                                                const void *message,
                                                size_t message_len,
                                                const void *signature,
                                                struct ropewalk_error *error);

/**
 * Verifies `signature`, of 64 bytes, as the signature of a message with the SHA-512 digest `digest`, of 64 bytes, in a context of up
 * to 255 bytes (Ed25519ph).
 *
 * Fails with ROPEWALK_FORGED as ropewalk_ed25519_verify().
 *
 * The caller promises:
 * `key` was made; `context` has `context_len` bytes, `digest` and `signature` have 64; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_ed25519_verify_prehashed(const struct ropewalk_ed25519_public_key *key,
                                                  const void *context,
                                                  size_t context_len,
                                                  const void *digest,
                                                  const void *signature,
                                                  struct ropewalk_error *error);

/**
 * Writes the signature of each message, with the results of a loop over ropewalk_ed25519_sign(), and in lanes where that is faster.
 * Messages may differ in key and length.
 *
 * Fails as ropewalk_ed25519_sign() for the first message that would, with its index in the error, and with ROPEWALK_OVERLAP where a
 * signature overlaps `messages`, or the key of another message, or a key lies in `messages`. Nothing is then written.
 *
 * The caller promises:
 * There are `count` messages, each as for ropewalk_ed25519_sign(); `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_ed25519_sign_many(const struct ropewalk_ed25519_to_sign *messages,
                                           size_t count,
                                           struct ropewalk_error *error);

/**
 * Verifies the signature of each message, in lanes where that is faster. `status` of each message is its result.
 *
 * Returns the status of the first that is not ROPEWALK_OK, with its index. Fails otherwise as ropewalk_ed25519_verify() for the first
 * message that would, with its index, and with ROPEWALK_OVERLAP where a key lies in `messages`. Nothing is then written.
 *
 * The caller promises:
 * There are `count` messages, each as for ropewalk_ed25519_verify(); `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_ed25519_verify_many(struct ropewalk_ed25519_signed *messages,
                                             size_t count,
                                             struct ropewalk_error *error);

/**
 * Makes a private key of 32 bytes: a number from 1 to n - 1, big-endian. Previous contents of the key are not wiped.
 *
 * Fails with ROPEWALK_INVALID for any other number.
 *
 * The caller promises:
 * `key` is for writing; `secret` has 32 bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_p256_key_init(struct ropewalk_p256_key *key, const void *secret, struct ropewalk_error *error);

/**
 * Makes a private key of random bytes. Previous contents of the key are not wiped.
 *
 * Fails with ROPEWALK_NO_RANDOMNESS where the operating system provides none.
 *
 * The caller promises:
 * `key` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_p256_key_generate(struct ropewalk_p256_key *key, struct ropewalk_error *error);

/**
 * Wipes a key. NULL, and a key that was not made or has been wiped, are left unchanged.
 *
 * The caller promises:
 * `key` is for reading and writing, or NULL.
 */
void ropewalk_p256_key_wipe(struct ropewalk_p256_key *key);

/**
 * Writes the 32 bytes of a private key, as ropewalk_p256_key_init() takes them, to `secret`.
 *
 * The caller promises:
 * `key` was made; `secret` has 32 bytes for writing; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_p256_key_bytes(const struct ropewalk_p256_key *key,
                                        void *secret,
                                        struct ropewalk_error *error);

/**
 * Makes a private key of a file: DER of PKCS#8, or PEM labelled PRIVATE KEY or EC PRIVATE KEY. Previous contents of the key are not wiped.
 *
 * Fails with ROPEWALK_INVALID, and the reason, for a file that has no key, or one that is encrypted or damaged; with
 * ROPEWALK_WRONG_KIND for a key of another algorithm.
 *
 * The caller promises:
 * `key` is for writing; `file` has `file_len` bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_p256_key_read(struct ropewalk_p256_key *key,
                                       const void *file,
                                       size_t file_len,
                                       struct ropewalk_error *error);

/**
 * Writes a private key as PKCS#8 to `file`, which has ROPEWALK_KEY_FILE_LEN bytes, and the length to `file_len`. The bytes after
 * it are left unchanged. The file is secret.
 *
 * Fails with ROPEWALK_NO_ALGORITHM unless `form` is ROPEWALK_DER or ROPEWALK_PEM.
 *
 * The caller promises:
 * `key` was made; `file` has ROPEWALK_KEY_FILE_LEN bytes for writing; `file_len` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_p256_key_write(const struct ropewalk_p256_key *key,
                                        ropewalk_key_form form,
                                        void *file,
                                        size_t *file_len,
                                        struct ropewalk_error *error);

/**
 * Writes the public key of a private key to `public_key`: uncompressed if `public_key_len` is 65, compressed if it is 33 (SEC 1,
 * section 2.3.3).
 *
 * Fails with ROPEWALK_LENGTH for other lengths.
 *
 * The caller promises:
 * `key` was made; `public_key` has `public_key_len` bytes for writing; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_p256_public(const struct ropewalk_p256_key *key,
                                     void *public_key,
                                     size_t public_key_len,
                                     struct ropewalk_error *error);

/**
 * Makes a public key of its bytes: 65 uncompressed, or 33 compressed (SEC 1, section 2.3.4). Previous contents of the key are not
 * wiped.
 *
 * Fails with ROPEWALK_LENGTH for other lengths, and with ROPEWALK_INVALID if the bytes are not those of a point on the curve.
 *
 * The caller promises:
 * `key` is for writing; `public_key` has `public_key_len` bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_p256_public_key_init(struct ropewalk_p256_public_key *key,
                                              const void *public_key,
                                              size_t public_key_len,
                                              struct ropewalk_error *error);

/**
 * Makes a public key of a file: DER of SubjectPublicKeyInfo, or PEM labelled PUBLIC KEY. Previous contents of the key are not
 * wiped.
 *
 * Fails with ROPEWALK_INVALID, and the reason, for a file that has no key; with ROPEWALK_WRONG_KIND for a key of another algorithm.
 *
 * The caller promises:
 * `key` is for writing; `file` has `file_len` bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_p256_public_key_read(struct ropewalk_p256_public_key *key,
                                              const void *file,
                                              size_t file_len,
                                              struct ropewalk_error *error);

/**
 * Writes a public key as SubjectPublicKeyInfo to `file`, which has ROPEWALK_KEY_FILE_LEN bytes, and the length to `file_len`. The
 * bytes after it are left unchanged.
 *
 * Fails with ROPEWALK_NO_ALGORITHM unless `form` is ROPEWALK_DER or ROPEWALK_PEM.
 *
 * The caller promises:
 * `key` was made; `file` has ROPEWALK_KEY_FILE_LEN bytes for writing; `file_len` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_p256_public_key_write(const struct ropewalk_p256_public_key *key,
                                               ropewalk_key_form form,
                                               void *file,
                                               size_t *file_len,
                                               struct ropewalk_error *error);

/**
 * Wipes a public key. NULL, and a key that was not made or has been wiped, are left unchanged.
 *
 * The caller promises:
 * `key` is for reading and writing, or NULL.
 */
void ropewalk_p256_public_key_wipe(struct ropewalk_p256_public_key *key);

/**
 * Writes the bytes of a public key, as ropewalk_p256_public_key_init() takes them, to `public_key`: uncompressed if
 * `public_key_len` is 65, compressed if it is 33.
 *
 * Fails with ROPEWALK_LENGTH for other lengths.
 *
 * The caller promises:
 * `key` was made; `public_key` has `public_key_len` bytes for writing; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_p256_public_key_bytes(const struct ropewalk_p256_public_key *key,
                                               void *public_key,
                                               size_t public_key_len,
                                               struct ropewalk_error *error);

/**
 * Writes the 32 bytes of the secret that both sides share to `secret`: ours with `key`, theirs with the private key of `public_key`,
 * which has 65 bytes uncompressed, or 33 compressed. It is an x-coordinate, big-endian, which is not uniformly random: derive keys
 * from it, with ropewalk_hkdf() for instance. `secret` may overlap `public_key`.
 *
 * Fails as ropewalk_p256_public_key_init() for a public key that is not valid.
 *
 * The caller promises:
 * `key` was made; `public_key` has `public_key_len` bytes, and `secret` has 32 for writing; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_p256_agree(const struct ropewalk_p256_key *key,
                                    const void *public_key,
                                    size_t public_key_len,
                                    void *secret,
                                    struct ropewalk_error *error);

/**
 * Writes the shared secret of each item, with the results of a loop over ropewalk_p256_agree(), and in lanes where that is faster.
 * `status` of each item is its result: if a public key is not a point on the curve, the secret of that item is not written.
 *
 * Returns the status of the first that is not ROPEWALK_OK, with its index. Fails otherwise as ropewalk_p256_agree() for the first
 * item that would, with its index, and with ROPEWALK_OVERLAP where a secret overlaps `items`, or the key of another item, or a key
 * lies in `items`. Nothing is then written.
 *
 * The caller promises:
 * There are `count` items, each as for ropewalk_p256_agree(); `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_p256_agree_many(struct ropewalk_p256_item *items,
                                         size_t count,
                                         struct ropewalk_error *error);

/**
 * Writes the public key of each private key, with the results of a loop over ropewalk_p256_public(), and in lanes where that is
 * faster.
 *
 * Fails as ropewalk_p256_public() for the first item that would, with its index in the error, and with ROPEWALK_OVERLAP where a
 * public key overlaps `items`, or the private key of another item, or a private key lies in `items`. Nothing is then written.
 *
 * The caller promises:
 * There are `count` items, each as for ropewalk_p256_public(); `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_p256_public_many(const struct ropewalk_p256_public_item *items,
                                          size_t count,
                                          struct ropewalk_error *error);

/**
 * Writes the signature of a message with that digest to `signature`: 64 bytes, r and s, big-endian. Of a digest of more than 32
 * bytes, the first 32 count. The nonce is derived from the key, the digest and random bytes (RFC 6979, section 3.6). The
 * signature may overlap the digest.
 *
 * Fails with ROPEWALK_LENGTH for a digest of less than 20 bytes, and with ROPEWALK_NO_RANDOMNESS where the operating system
 * provides no random bytes.
 *
 * The caller promises:
 * `key` was made; `digest` has `digest_len` bytes, and `signature` has 64 for writing; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_p256_sign(const struct ropewalk_p256_key *key,
                                   const void *digest,
                                   size_t digest_len,
                                   void *signature,
                                   struct ropewalk_error *error);

/**
 * Writes the signature of a message with that digest as ropewalk_p256_sign(), without random bytes: the nonce is that of RFC 6979,
 * and a digest always has the same signature. HMAC for the nonce is of SHA-224, SHA-384 or SHA-512 for a digest of 28, 48 or 64
 * bytes, and of SHA-256 for other lengths.
 *
 * Fails with ROPEWALK_LENGTH for a digest of less than 20 bytes.
 *
 * The caller promises:
 * As ropewalk_p256_sign().
 */
ropewalk_status ropewalk_p256_sign_deterministic(const struct ropewalk_p256_key *key,
                                                 const void *digest,
                                                 size_t digest_len,
                                                 void *signature,
                                                 struct ropewalk_error *error);

/**
 * Verifies `signature`, of 64 bytes, as the signature of a message with that digest.
 *
 * Fails with ROPEWALK_FORGED if it is not its signature with this key, whatever its bytes are, and with ROPEWALK_LENGTH for a digest
 * of less than 20 bytes.
 *
 * The caller promises:
 * `key` was made; `digest` has `digest_len` bytes, and `signature` has 64; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_p256_verify(const struct ropewalk_p256_public_key *key,
                                     const void *digest,
                                     size_t digest_len,
                                     const void *signature,
                                     struct ropewalk_error *error);

/**
 * Verifies a signature in DER, as that of X.509 and TLS, as ropewalk_p256_verify().
 *
 * Fails with ROPEWALK_FORGED if it is not the signature of the message with this key, whatever its bytes are, and with ROPEWALK_LENGTH
 * for a digest of less than 20 bytes.
 *
 * The caller promises:
 * `key` was made; `digest` and `signature` have as many bytes as follow them; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_p256_verify_der(const struct ropewalk_p256_public_key *key,
                                         const void *digest,
                                         size_t digest_len,
                                         const void *signature,
                                         size_t signature_len,
                                         struct ropewalk_error *error);

/**
 * Writes a signature of 64 bytes in DER to `der`, which has 72 bytes, and its length, of 8 to 72 bytes, to `der_len`. The bytes
 * after it are left unchanged. `der` may overlap `signature`.
 *
 * Fails with ROPEWALK_INVALID if r or s is 0, or n or more.
 *
 * The caller promises:
 * `signature` has 64 bytes, and `der` has 72 for writing; `der_len` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_p256_signature_to_der(const void *signature,
                                               void *der,
                                               size_t *der_len,
                                               struct ropewalk_error *error);

/**
 * Writes the 64 bytes of a signature in DER to `signature`, which may overlap it.
 *
 * Fails with ROPEWALK_INVALID if `der` is not a sequence of two integers in DER, as if it has negative or padded integers, long
 * lengths, or bytes after its end, and if r or s is 0, or n or more.
 *
 * The caller promises:
 * `der` has `der_len` bytes, and `signature` has 64 for writing; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_p256_signature_from_der(const void *der,
                                                 size_t der_len,
                                                 void *signature,
                                                 struct ropewalk_error *error);

/**
 * Writes the signature of each digest, as a loop over ropewalk_p256_sign(), and in lanes where that is faster. Digests may differ in
 * key and length.
 *
 * Fails as ropewalk_p256_sign() for the first digest that would, with its index in the error, and with ROPEWALK_OVERLAP where a
 * signature overlaps `digests`, or the key of another digest, or a key lies in `digests`. Nothing is then written, except that
 * ROPEWALK_NO_RANDOMNESS may come after some signatures.
 *
 * The caller promises:
 * There are `count` digests, each as for ropewalk_p256_sign(); `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_p256_sign_many(const struct ropewalk_p256_to_sign *digests,
                                        size_t count,
                                        struct ropewalk_error *error);

/**
 * Writes the signature of each digest, with the results of a loop over ropewalk_p256_sign_deterministic(), and in lanes where that is
 * faster. Digests may differ in key and length.
 *
 * Fails as ropewalk_p256_sign_deterministic() for the first digest that would, with its index in the error, and with
 * ROPEWALK_OVERLAP where a signature overlaps `digests`, or the key of another digest, or a key lies in `digests`. Nothing is then
 * written.
 *
 * The caller promises:
 * As ropewalk_p256_sign_many().
 */
ropewalk_status ropewalk_p256_sign_deterministic_many(const struct ropewalk_p256_to_sign *digests,
                                                      size_t count,
                                                      struct ropewalk_error *error);

/**
 * Verifies the signature of each digest, in lanes where that is faster. `status` of each digest is its result.
 *
 * Returns the status of the first that is not ROPEWALK_OK, with its index. Fails otherwise as ropewalk_p256_verify() for the first
 * digest that would, with its index, and with ROPEWALK_OVERLAP where a key lies in `digests`. Nothing is then written.
 *
 * The caller promises:
 * There are `count` digests, each as for ropewalk_p256_verify(); `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_p256_verify_many(struct ropewalk_p256_signed *digests,
                                          size_t count,
                                          struct ropewalk_error *error);

/**
 * Makes a private key with random primes (FIPS 186-5, appendix A.1.3), a modulus of `bits` bits, and the public exponent 65537.
 * The time varies, as candidates are drawn until two are prime. Previous contents of the key are not wiped.
 *
 * Fails with ROPEWALK_LENGTH unless `bits` is an even number from 2048 to 4096, and with ROPEWALK_NO_RANDOMNESS where the operating
 * system provides none.
 *
 * The caller promises:
 * `key` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_rsa_key_generate(struct ropewalk_rsa_key *key,
                                          size_t bits,
                                          struct ropewalk_error *error);

/**
 * Makes a private key of a file: DER of PKCS#8, or PEM labelled PRIVATE KEY or RSA PRIVATE KEY. Previous contents of the key are
 * not wiped.
 *
 * Fails with ROPEWALK_INVALID, and the reason, for a file that has no key, or one that is encrypted, has more than two primes, or
 * parts that do not belong together; with ROPEWALK_LENGTH unless the modulus has 2048 to 4096 bits; with ROPEWALK_WRONG_KIND for a
 * key of another algorithm.
 *
 * The caller promises:
 * `key` is for writing; `file` has `file_len` bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_rsa_key_read(struct ropewalk_rsa_key *key,
                                      const void *file,
                                      size_t file_len,
                                      struct ropewalk_error *error);

/**
 * Writes a private key as PKCS#8 to `file`, which has ROPEWALK_KEY_FILE_LEN bytes, and the length to `file_len`. The bytes after
 * it are left unchanged. The file is secret.
 *
 * Fails with ROPEWALK_NO_ALGORITHM unless `form` is ROPEWALK_DER or ROPEWALK_PEM.
 *
 * The caller promises:
 * `key` was made; `file` has ROPEWALK_KEY_FILE_LEN bytes for writing; `file_len` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_rsa_key_write(const struct ropewalk_rsa_key *key,
                                       ropewalk_key_form form,
                                       void *file,
                                       size_t *file_len,
                                       struct ropewalk_error *error);

/**
 * Wipes a key, and frees what it has on the heap. NULL, and a key that was not made or has been wiped, are left unchanged.
 *
 * The caller promises:
 * `key` is for reading and writing, or NULL.
 */
void ropewalk_rsa_key_wipe(struct ropewalk_rsa_key *key);

/**
 * Makes the public key of a private key. Previous contents of `public_key` are not wiped.
 *
 * The caller promises:
 * `public_key` is for writing; `key` was made; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_rsa_public(struct ropewalk_rsa_public_key *public_key,
                                    const struct ropewalk_rsa_key *key,
                                    struct ropewalk_error *error);

/**
 * Makes a public key of its modulus, big-endian, and its public exponent. Previous contents of the key are not wiped.
 *
 * Fails with ROPEWALK_LENGTH unless the modulus has 1024 to 4096 bits and the exponent 2 or more, and with ROPEWALK_INVALID where one
 * of them is even.
 *
 * The caller promises:
 * `key` is for writing; `modulus` has `modulus_len` bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_rsa_public_key_init(struct ropewalk_rsa_public_key *key,
                                             const void *modulus,
                                             size_t modulus_len,
                                             uint64_t exponent,
                                             struct ropewalk_error *error);

/**
 * Makes a public key of a file: DER of SubjectPublicKeyInfo, or PEM labelled PUBLIC KEY or RSA PUBLIC KEY. Previous contents of the
 * key are not wiped.
 *
 * Fails with ROPEWALK_INVALID, and the reason, for a file that has no key; with ROPEWALK_LENGTH as ropewalk_rsa_public_key_init();
 * with ROPEWALK_WRONG_KIND for a key of another algorithm.
 *
 * The caller promises:
 * `key` is for writing; `file` has `file_len` bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_rsa_public_key_read(struct ropewalk_rsa_public_key *key,
                                             const void *file,
                                             size_t file_len,
                                             struct ropewalk_error *error);

/**
 * Writes a public key as SubjectPublicKeyInfo to `file`, which has ROPEWALK_KEY_FILE_LEN bytes, and the length to `file_len`. The
 * bytes after it are left unchanged.
 *
 * Fails with ROPEWALK_NO_ALGORITHM unless `form` is ROPEWALK_DER or ROPEWALK_PEM.
 *
 * The caller promises:
 * `key` was made; `file` has ROPEWALK_KEY_FILE_LEN bytes for writing; `file_len` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_rsa_public_key_write(const struct ropewalk_rsa_public_key *key,
                                              ropewalk_key_form form,
                                              void *file,
                                              size_t *file_len,
                                              struct ropewalk_error *error);

/**
 * Writes the length of the modulus in bytes, which is that of a signature, to `modulus_len`.
 *
 * The caller promises:
 * `key` was made; `modulus_len` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_rsa_public_key_len(const struct ropewalk_rsa_public_key *key,
                                            size_t *modulus_len,
                                            struct ropewalk_error *error);

/**
 * Writes the modulus, big-endian, to `modulus`, and the public exponent to `exponent`.
 *
 * Fails with ROPEWALK_LENGTH unless `modulus_len` is the length of the modulus.
 *
 * The caller promises:
 * `key` was made; `modulus` has `modulus_len` bytes for writing; `exponent` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_rsa_public_key_numbers(const struct ropewalk_rsa_public_key *key,
                                                void *modulus,
                                                size_t modulus_len,
                                                uint64_t *exponent,
                                                struct ropewalk_error *error);

/**
 * Wipes a public key. NULL, and a key that was not made or has been wiped, are left unchanged.
 *
 * The caller promises:
 * `key` is for reading and writing, or NULL.
 */
void ropewalk_rsa_public_key_wipe(struct ropewalk_rsa_public_key *key);

/**
 * Writes the signature RSASSA-PKCS1-v1_5 of a message with that digest of the hash function `hash` to `signature`, which has as many
 * bytes as the modulus. The signature may overlap the digest.
 *
 * Fails with ROPEWALK_WRONG_KIND unless `hash` is SHA-1 or one of SHA-2; with ROPEWALK_LENGTH unless the digest has its length and
 * the signature that of the modulus; with ROPEWALK_NO_RANDOMNESS where the operating system provides no random bytes, which blind
 * the computation; with ROPEWALK_INVALID where the result does not verify, by a fault of the machine. After the last two, the
 * signature is zeroed.
 *
 * The caller promises:
 * `key` was made; `digest` has `digest_len` bytes; `signature` has `signature_len` for writing; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_rsa_sign_pkcs1v15(const struct ropewalk_rsa_key *key,
                                           ropewalk_hash hash,
                                           const void *digest,
                                           size_t digest_len,
                                           void *signature,
                                           size_t signature_len,
                                           struct ropewalk_error *error);

/**
 * Writes the signature RSASSA-PSS, with a random salt of `salt_len` bytes, as ropewalk_rsa_sign_pkcs1v15(). A salt mostly has as many
 * bytes as the digest.
 *
 * Fails as ropewalk_rsa_sign_pkcs1v15(), and with ROPEWALK_LENGTH if the salt is longer than the modulus less the digest and 2 bytes.
 *
 * The caller promises:
 * As ropewalk_rsa_sign_pkcs1v15().
 */
ropewalk_status ropewalk_rsa_sign_pss(const struct ropewalk_rsa_key *key,
                                      ropewalk_hash hash,
                                      size_t salt_len,
                                      const void *digest,
                                      size_t digest_len,
                                      void *signature,
                                      size_t signature_len,
                                      struct ropewalk_error *error);

/**
 * Verifies `signature` as the signature RSASSA-PKCS1-v1_5 of a message with that digest of the hash function `hash`.
 *
 * Fails with ROPEWALK_FORGED if it is not its signature with this key, whatever its bytes and its length are; with
 * ROPEWALK_WRONG_KIND unless `hash` is SHA-1 or one of SHA-2; with ROPEWALK_LENGTH unless the digest has its length.
 *
 * The caller promises:
 * `key` was made; `digest` and `signature` have as many bytes as follow them; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_rsa_verify_pkcs1v15(const struct ropewalk_rsa_public_key *key,
                                             ropewalk_hash hash,
                                             const void *digest,
                                             size_t digest_len,
                                             const void *signature,
                                             size_t signature_len,
                                             struct ropewalk_error *error);

/**
 * Verifies `signature` as the signature RSASSA-PSS, with a salt of exactly `salt_len` bytes, as ropewalk_rsa_verify_pkcs1v15().
 *
 * The caller promises:
 * As ropewalk_rsa_verify_pkcs1v15().
 */
ropewalk_status ropewalk_rsa_verify_pss(const struct ropewalk_rsa_public_key *key,
                                        ropewalk_hash hash,
                                        size_t salt_len,
                                        const void *digest,
                                        size_t digest_len,
                                        const void *signature,
                                        size_t signature_len,
                                        struct ropewalk_error *error);

/**
 * Writes the signature of each digest, as a loop over ropewalk_rsa_sign_pkcs1v15() or ropewalk_rsa_sign_pss(), and in lanes where that
 * is faster. Digests may differ in key, size and encoding.
 *
 * Fails as these for the first digest that would, with its index in the error, and with ROPEWALK_OVERLAP where a signature overlaps
 * `digests`, or the key of another digest, or a key lies in `digests`. Nothing is then written, except that ROPEWALK_NO_RANDOMNESS
 * and ROPEWALK_INVALID may come after some signatures.
 *
 * The caller promises:
 * There are `count` digests, each as for ropewalk_rsa_sign_pss(); `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_rsa_sign_many(const struct ropewalk_rsa_to_sign *digests,
                                       size_t count,
                                       struct ropewalk_error *error);

/**
 * Verifies the signature of each digest, in lanes where that is faster. `status` of each digest is its result.
 *
 * Returns the status of the first that is not ROPEWALK_OK, with its index. Fails otherwise as ropewalk_rsa_verify_pkcs1v15() or
 * ropewalk_rsa_verify_pss() for the first digest that would, with its index, and with ROPEWALK_OVERLAP where a key lies in `digests`.
 * Nothing is then written.
 *
 * The caller promises:
 * There are `count` digests, each as for ropewalk_rsa_verify_pss(); `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_rsa_verify_many(struct ropewalk_rsa_signed *digests,
                                         size_t count,
                                         struct ropewalk_error *error);

/**
 * Makes a private key of 32 bytes of any value. Previous contents of the key are not wiped.
 *
 * The caller promises:
 * `key` is for writing; `secret` has 32 bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_x25519_key_init(struct ropewalk_x25519_key *key,
                                         const void *secret,
                                         struct ropewalk_error *error);

/**
 * Makes a private key of random bytes. Previous contents of the key are not wiped.
 *
 * Fails with ROPEWALK_NO_RANDOMNESS where the operating system provides none.
 *
 * The caller promises:
 * `key` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_x25519_key_generate(struct ropewalk_x25519_key *key, struct ropewalk_error *error);

/**
 * Wipes a key. NULL, and a key that was not made or has been wiped, are left unchanged.
 *
 * The caller promises:
 * `key` is for reading and writing, or NULL.
 */
void ropewalk_x25519_key_wipe(struct ropewalk_x25519_key *key);

/**
 * Writes the 32 bytes of a private key, as ropewalk_x25519_key_init() takes them, to `secret`.
 *
 * The caller promises:
 * `key` was made; `secret` has 32 bytes for writing; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_x25519_key_bytes(const struct ropewalk_x25519_key *key,
                                          void *secret,
                                          struct ropewalk_error *error);

/**
 * Makes a private key of a file: DER of PKCS#8, or PEM labelled PRIVATE KEY. Previous contents of the key are not wiped.
 *
 * Fails with ROPEWALK_INVALID, and the reason, for a file that has no key, or one that is encrypted or damaged; with
 * ROPEWALK_WRONG_KIND for a key of another algorithm.
 *
 * The caller promises:
 * `key` is for writing; `file` has `file_len` bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_x25519_key_read(struct ropewalk_x25519_key *key,
                                         const void *file,
                                         size_t file_len,
                                         struct ropewalk_error *error);

/**
 * Writes a private key as PKCS#8 to `file`, which has ROPEWALK_KEY_FILE_LEN bytes, and the length to `file_len`. The bytes after
 * it are left unchanged. The file is secret.
 *
 * Fails with ROPEWALK_NO_ALGORITHM unless `form` is ROPEWALK_DER or ROPEWALK_PEM.
 *
 * The caller promises:
 * `key` was made; `file` has ROPEWALK_KEY_FILE_LEN bytes for writing; `file_len` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_x25519_key_write(const struct ropewalk_x25519_key *key,
                                          ropewalk_key_form form,
                                          void *file,
                                          size_t *file_len,
                                          struct ropewalk_error *error);

/**
 * Writes the 32 bytes of the public key to `public_key`.
 *
 * The caller promises:
 * `key` was made; `public_key` has 32 bytes for writing; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_x25519_public(const struct ropewalk_x25519_key *key,
                                       void *public_key,
                                       struct ropewalk_error *error);

/**
 * Writes the 32 bytes of a public key of a file to `public_key`: DER of SubjectPublicKeyInfo, or PEM labelled PUBLIC KEY.
 * `public_key` may overlap the file.
 *
 * Fails with ROPEWALK_INVALID, and the reason, for a file that has no key; with ROPEWALK_WRONG_KIND for a key of another algorithm.
 *
 * The caller promises:
 * `public_key` has 32 bytes for writing; `file` has `file_len` bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_x25519_public_read(void *public_key,
                                            const void *file,
                                            size_t file_len,
                                            struct ropewalk_error *error);

/**
 * Writes a public key of 32 bytes as SubjectPublicKeyInfo to `file`, which has ROPEWALK_KEY_FILE_LEN bytes, and the length to
 * `file_len`. The bytes after it are left unchanged.
 *
 * Fails with ROPEWALK_NO_ALGORITHM unless `form` is ROPEWALK_DER or ROPEWALK_PEM.
 *
 * The caller promises:
 * `public_key` has 32 bytes; `file` has ROPEWALK_KEY_FILE_LEN bytes for writing; `file_len` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_x25519_public_write(const void *public_key,
                                             ropewalk_key_form form,
                                             void *file,
                                             size_t *file_len,
                                             struct ropewalk_error *error);

/**
 * Writes the 32 bytes of the secret that both sides share to `secret`: ours with `key`, theirs with the private key of `public_key`,
 * which has 32 bytes of any value. It is not uniformly random: derive keys from it, with ropewalk_hkdf() for instance. `secret` may
 * overlap `public_key`.
 *
 * Fails with ROPEWALK_INVALID if `public_key` has small order, so that the secret would be zero.
 *
 * The caller promises:
 * `key` was made; `public_key` has 32 bytes, and `secret` too, for writing; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_x25519_agree(const struct ropewalk_x25519_key *key,
                                      const void *public_key,
                                      void *secret,
                                      struct ropewalk_error *error);

/**
 * Writes the shared secret of each item, with the results of a loop over ropewalk_x25519_agree(), and in lanes where that is faster.
 * `status` of each item is its result: if a public key has small order, the secret of that item is not written.
 *
 * Returns the status of the first that is not ROPEWALK_OK, with its index. Fails otherwise as ropewalk_x25519_agree() for the first
 * item that would, with its index, and with ROPEWALK_OVERLAP where a secret overlaps `items`, or the key of another item, or a key
 * lies in `items`. Nothing is then written.
 *
 * The caller promises:
 * There are `count` items, each as for ropewalk_x25519_agree(); `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_x25519_agree_many(struct ropewalk_x25519_item *items,
                                           size_t count,
                                           struct ropewalk_error *error);

/**
 * Writes the public key of each private key, with the results of a loop over ropewalk_x25519_public(), and in lanes where that is
 * faster.
 *
 * Fails as ropewalk_x25519_public() for the first item that would, with its index in the error, and with ROPEWALK_OVERLAP where a
 * public key overlaps `items`, or the private key of another item, or a private key lies in `items`. Nothing is then written.
 *
 * The caller promises:
 * There are `count` items, each as for ropewalk_x25519_public(); `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_x25519_public_many(const struct ropewalk_x25519_public_item *items,
                                            size_t count,
                                            struct ropewalk_error *error);

/**
 * Fills `out` with unpredictable bytes, from a generator of this thread, seeded by the operating system.
 *
 * Fails with ROPEWALK_NO_RANDOMNESS where that provides none; `out` must then not be used.
 *
 * The caller promises:
 * `out` has `out_len` bytes for writing; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_random(void *out, size_t out_len, struct ropewalk_error *error);

/**
 * Makes a generator from ROPEWALK_SEED_LEN bytes of full entropy, and a personalization string of up to as many bytes.
 *
 * The caller promises:
 * `drbg` is for writing; each pointer has as many bytes as follow it; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_drbg_init(struct ropewalk_drbg *drbg,
                                   const void *entropy,
                                   size_t entropy_len,
                                   const void *personalization,
                                   size_t personalization_len,
                                   struct ropewalk_error *error);

/**
 * Reseeds a generator with ROPEWALK_SEED_LEN bytes of full entropy, and up to as many bytes of additional data, which need not
 * be secret.
 *
 * The caller promises:
 * `drbg` was made; each pointer has as many bytes as follow it; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_drbg_reseed(struct ropewalk_drbg *drbg,
                                     const void *entropy,
                                     size_t entropy_len,
                                     const void *additional,
                                     size_t additional_len,
                                     struct ropewalk_error *error);

/**
 * Fills `out`, of up to 2^16 bytes.
 *
 * Fails with ROPEWALK_EXHAUSTED once a reseed is required.
 *
 * The caller promises:
 * `drbg` was made; each pointer has as many bytes as follow it; `out` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_drbg_generate(struct ropewalk_drbg *drbg,
                                       const void *additional,
                                       size_t additional_len,
                                       void *out,
                                       size_t out_len,
                                       struct ropewalk_error *error);

/**
 * Wipes a generator. NULL, and a generator that was not made or has been wiped, are left unchanged.
 *
 * The caller promises:
 * `drbg` is for reading and writing, or NULL.
 */
void ropewalk_drbg_wipe(struct ropewalk_drbg *drbg);

/**
 * Makes a key from an AES secret, of 16 or 32 bytes, and an HMAC secret for `hash`, which is ROPEWALK_SHA1 or ROPEWALK_SHA256;
 * that secret should have as many bytes as a digest. Previous contents of the key are not wiped.
 *
 * The caller promises:
 * `key` is for writing; each secret has as many bytes as follow it; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_record_key_init(struct ropewalk_record_key *key,
                                         ropewalk_hash hash,
                                         const void *aes_secret,
                                         size_t aes_secret_len,
                                         const void *mac_secret,
                                         size_t mac_secret_len,
                                         struct ropewalk_error *error);

/**
 * Wipes a key. NULL, and a key that was not made or has been wiped, are left unchanged.
 *
 * The caller promises:
 * `key` is for reading and writing, or NULL.
 */
void ropewalk_record_key_wipe(struct ropewalk_record_key *key);

/**
 * The length of a record in bytes, without its initialization vector, for a text of that length; 0 where there is no such key.
 *
 * The caller promises:
 * `key` was made, or it is NULL.
 */
size_t ropewalk_record_len(const struct ropewalk_record_key *key,
                           size_t text_len);

/**
 * Encrypts `in`, its MAC and a padding to `out`, which has ropewalk_record_len() bytes. Both may begin at one address. `iv`, of
 * 16 bytes, is the initialization vector, and `header` has ROPEWALK_RECORD_HEADER_LEN bytes: the sequence number, the type and
 * the version, which the MAC covers too.
 *
 * Fails with ROPEWALK_LENGTH for other lengths, and past 2^14 bytes of text.
 *
 * The caller promises:
 * `key` was made; each pointer has as many bytes as follow it; `out` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_record_seal(const struct ropewalk_record_key *key,
                                     const void *iv,
                                     size_t iv_len,
                                     const void *header,
                                     size_t header_len,
                                     const void *in,
                                     size_t in_len,
                                     void *out,
                                     size_t out_len,
                                     struct ropewalk_error *error);

/**
 * Decrypts a record, `len` bytes of `in`, to `out`, which may be the same, and writes to `text_len` how many of them are its
 * text. The time does not depend on the length of the text.
 *
 * Fails with ROPEWALK_FORGED where the MAC or the padding is wrong, in whatever way: `out` is then zeroed. Fails with
 * ROPEWALK_LENGTH unless there are whole blocks of 16 bytes, with space for a MAC and padding, and at most 2^14 + 2048 bytes.
 *
 * The caller promises:
 * As ropewalk_record_seal(); `text_len` is for writing.
 */
ropewalk_status ropewalk_record_open(const struct ropewalk_record_key *key,
                                     const void *iv,
                                     size_t iv_len,
                                     const void *header,
                                     size_t header_len,
                                     const void *in,
                                     void *out,
                                     size_t len,
                                     size_t *text_len,
                                     struct ropewalk_error *error);

/**
 * Seals each record, with the results of a loop over ropewalk_record_seal(), and in lanes where that is faster: best if
 * neighbours have the same hash function. Records may differ in key and length.
 *
 * Fails as ropewalk_record_seal() for the first record that would, with its index in the error, and with ROPEWALK_OVERLAP where
 * one writes into `records`, or the key of another one, or a key lies there. Nothing is then written.
 *
 * The caller promises:
 * There are `count` records, each as for ropewalk_record_seal(); `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_record_seal_many(struct ropewalk_record *records,
                                          size_t count,
                                          struct ropewalk_error *error);

/**
 * Opens each record, with the results of a loop over ropewalk_record_open(), and in lanes where that is faster. `status` of each
 * is its result, and `text_len` the length of its text; a forged record is zeroed, and the others are opened.
 *
 * Returns ROPEWALK_FORGED where some are forged, with the index of the first. Fails otherwise as ropewalk_record_open() for the
 * first that would, and as ropewalk_record_seal_many(): nothing is then written.
 *
 * The caller promises:
 * There are `count` records, each as for ropewalk_record_open(); `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_record_open_many(struct ropewalk_record *records,
                                          size_t count,
                                          struct ropewalk_error *error);

/**
 * The status in words, such as "forged message". The string is static.
 */
const char *ropewalk_status_text(uint32_t status);

/**
 * Writes the error in words to `text`, of `text_len` bytes: truncated to fit, with a zero at the end. Returns the length of the
 * whole text without the zero, as snprintf does. `text` may be NULL where `text_len` is 0.
 *
 * The caller promises:
 * `error` was written by a call of this library, or all of it is zero; `text` has `text_len` bytes.
 */
size_t ropewalk_error_text(const struct ropewalk_error *error,
                           char *text,
                           size_t text_len);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* ROPEWALK_H */
