/* Ropewalk: cryptographic primitives at the speed of the processor, one message at a time or many side by side.
 *
 * Everything here lies in memory of the caller's; nothing is allocated, and nothing has to be set up first. Lengths are in
 * bytes. A pointer may be NULL where its length is 0. What is written may overlap nothing else of a call, but that a text may
 * be written exactly where it is read: both then begin at one address. Where a call fails nothing has been written, but the
 * error, which may be NULL; a message that is forged is zeroed.
 *
 * Keys and states are made by _init in words that the caller has reserved, and wiped by _wipe. They know where they lie: one that
 * was copied or moved, or wiped, is refused with ROPEWALK_NOT_READY. Threads may share what a call takes as const.
 *
 * Written by `cargo xtask check --fix`. */

#ifndef ROPEWALK_H
#define ROPEWALK_H

#include <stddef.h>
#include <stdint.h>

/**
 * Words of a ropewalk_aead_key.
 */
#define ROPEWALK_AEAD_KEY_WORDS 208

/**
 * The most bytes of a digest or a tag, but of SHAKE, which has as many as are asked for.
 */
#define ROPEWALK_LONGEST_TAG 64

/**
 * Words of a ropewalk_hash_state.
 */
#define ROPEWALK_HASH_STATE_WORDS 64

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
 * Bytes of the words in an error, each with a zero at its end.
 */
#define ROPEWALK_WORDS_LEN 72

/**
 * Bytes of a name in an error, with a zero at its end. A longer one is cut.
 */
#define ROPEWALK_NAME_LEN 24

/**
 * What became of a call. All but ROPEWALK_OK and ROPEWALK_FORGED say that nothing was done, and that nothing was
 * written but the error.
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
   * A message is not what its sender sealed; its output is zeroed. Nothing more is said, on purpose.
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
   * A word that nothing here has: `what`, `name`.
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
   * An object was not made, has been wiped or finished, or was moved since: `what`.
   */
  ROPEWALK_NOT_READY = 11,
  /**
   * A key is of an algorithm that the function is not for: `what`.
   */
  ROPEWALK_WRONG_KIND = 12,
  /**
   * A fault of the library, which has been caught. What the call was to write is not to be relied on, and what
   * it worked with is to be wiped.
   */
  ROPEWALK_INTERNAL = 13,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum ropewalk_status ropewalk_status;
#else
typedef uint32_t ropewalk_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A key of an authenticated cipher. Whoever has one may not copy or move it; ropewalk_aead_key_clone() copies. Any number of
 * threads may seal and open with one key at the same time.
 */
typedef struct ropewalk_aead_key {
  /**
   * Nobody else's business.
   */
  uint64_t words[ROPEWALK_AEAD_KEY_WORDS];
} ropewalk_aead_key;

/**
 * An authenticated cipher.
 */
typedef uint32_t ropewalk_aead;

/**
 * What was wrong, in detail. It is written where a call fails, and left alone where it does not. A member that a
 * status does not speak of is zero or empty.
 */
typedef struct ropewalk_error {
  /**
   * What the call has returned.
   */
  uint32_t status;
  /**
   * Whether `index` says anything: 1, or 0.
   */
  uint32_t has_index;
  /**
   * Of a call for many messages, which one, from 0 on.
   */
  size_t index;
  /**
   * The length or the number that it has.
   */
  size_t got;
  /**
   * What is wrong.
   */
  char what[ROPEWALK_WORDS_LEN];
  /**
   * What it may be, in words.
   */
  char allowed[ROPEWALK_WORDS_LEN];
  /**
   * What was asked for.
   */
  char name[ROPEWALK_NAME_LEN];
} ropewalk_error;

/**
 * A hash function, ROPEWALK_SHA256 or another one. Numbers begin with 1, and none is ever given anew.
 */
typedef uint32_t ropewalk_hash;

/**
 * A message authentication code.
 */
typedef uint32_t ropewalk_mac;

/**
 * A cipher that does not notice what has been changed.
 */
typedef uint32_t ropewalk_cipher;

/**
 * A message that comes in pieces. Whoever has one may not copy or move it; ropewalk_hash_clone() copies.
 */
typedef struct ropewalk_hash_state {
  /**
   * Nobody else's business.
   */
  uint64_t words[ROPEWALK_HASH_STATE_WORDS];
} ropewalk_hash_state;

/**
 * One of many messages.
 */
typedef struct ropewalk_hash_message {
  /**
   * The message.
   */
  const void *message;
  /**
   * Bytes of it.
   */
  size_t message_len;
  /**
   * Where its digest goes. It may lie within this message, and not within another one.
   */
  void *digest;
} ropewalk_hash_message;

/**
 * For what is old: others find two messages with one digest.
 */
#define ROPEWALK_MD5 1

/**
 * For what is old: others find two messages with one digest.
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
 * Its output may have any length; a digest has 32 bytes where nobody says.
 */
#define ROPEWALK_SHAKE128 12

/**
 * Its output may have any length; a digest has 64 bytes where nobody says.
 */
#define ROPEWALK_SHAKE256 13

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

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Makes a key of `secret`, which has ropewalk_aead_key_len() bytes, with the best backend of this processor. What was in the
 * key before is forgotten, not wiped.
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
 * Makes a second key of the same secret.
 *
 * The caller promises:
 * `copy` is for writing; `key` was made; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_aead_key_clone(struct ropewalk_aead_key *copy,
                                        const struct ropewalk_aead_key *key,
                                        struct ropewalk_error *error);

/**
 * Wipes a key. One that was not made, or has been wiped, is left alone; NULL too.
 *
 * The caller promises:
 * `key` is for reading and writing, or NULL.
 */
void ropewalk_aead_key_wipe(struct ropewalk_aead_key *key);

/**
 * Lets a key have tags of another length from now on: 12 to 16 bytes of AES-GCM; 4, 6, 8, 10, 12, 14 or 16 of AES-CCM. A key
 * has tags of one length: were it left to each message, a forger would choose the shortest.
 *
 * The caller promises:
 * `key` was made, and nobody else uses it meanwhile; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_aead_key_set_tag_len(struct ropewalk_aead_key *key,
                                              size_t tag_len,
                                              struct ropewalk_error *error);

/**
 * Lets a key become another one of the same algorithm in the same place, which is faster than to make one; tags are as long
 * as before.
 *
 * The caller promises:
 * `key` was made, and nobody else uses it meanwhile; `secret` has `secret_len` bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_aead_rekey(struct ropewalk_aead_key *key,
                                    const void *secret,
                                    size_t secret_len,
                                    struct ropewalk_error *error);

/**
 * Encrypts `len` bytes of `in` to `out`, which may be the same, and writes their tag. The nonce must be new for this key.
 *
 * Fails with ROPEWALK_LENGTH for a nonce that the cipher does not take, a text that is too long for it, and unless `tag_len` is
 * that of the key's tags: 16, if nobody has said otherwise.
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
 * Encrypts `in` to `out`, where the tag follows: `out_len` is greater than `in_len` by the length of a tag. Both may begin at one
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
 * Writes the number of a hash function to `algorithm`, given its name, such as "sha256": for programs that have it from a configuration.
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
 * Bytes of a digest; of SHAKE, where nobody says how many. 0 where there is no such algorithm.
 */
size_t ropewalk_hash_digest_len(ropewalk_hash algorithm);

/**
 * Bytes of a block. 0 where there is no such algorithm.
 */
size_t ropewalk_hash_block_len(ropewalk_hash algorithm);

/**
 * Writes the number of a message authentication code to `algorithm`, given its name, such as "hmac-sha256": for programs that have it from a configuration.
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
 * Bytes of a key. HMAC takes others too: it should have as many. 0 where there is no such algorithm.
 */
size_t ropewalk_mac_key_len(ropewalk_mac algorithm);

/**
 * Bytes of a tag. 0 where there is no such algorithm.
 */
size_t ropewalk_mac_tag_len(ropewalk_mac algorithm);

/**
 * Writes the number of an authenticated cipher to `algorithm`, given its name, such as "aes-256-gcm": for programs that have it from a configuration.
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
 * Bytes of a key. 0 where there is no such algorithm.
 */
size_t ropewalk_aead_key_len(ropewalk_aead algorithm);

/**
 * Bytes of a nonce that every one of them takes. AES-GCM and AES-CCM take others too. 0 where there is no such algorithm.
 */
size_t ropewalk_aead_nonce_len(ropewalk_aead algorithm);

/**
 * Bytes of a tag, where a key has not been told otherwise. 0 where there is no such algorithm.
 */
size_t ropewalk_aead_tag_len(ropewalk_aead algorithm);

/**
 * Writes the number of a cipher to `algorithm`, given its name, such as "aes-256-ctr": for programs that have it from a configuration.
 *
 * Fails with ROPEWALK_NO_ALGORITHM where none has that name.
 *
 * The caller promises:
 * `name` is a string; `algorithm` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_cipher_named(const char *name,
                                      ropewalk_cipher *algorithm,
                                      struct ropewalk_error *error);

/**
 * The name of a cipher; NULL where none has that number. They are numbered from 1 on, without gaps.
 */
const char *ropewalk_cipher_name(ropewalk_cipher algorithm);

/**
 * Bytes of a key; of XTS, of both of its halves. 0 where there is no such algorithm.
 */
size_t ropewalk_cipher_key_len(ropewalk_cipher algorithm);

/**
 * Bytes of a nonce: of CTR it is the first counter block, of CBC the initialization vector, and of XTS the tweak. 0 where there is no such algorithm.
 */
size_t ropewalk_cipher_nonce_len(ropewalk_cipher algorithm);

/**
 * Bytes of which a text has a multiple; it is not padded. Of XTS it has 16 at least. 0 where there is no such algorithm.
 */
size_t ropewalk_cipher_block_len(ropewalk_cipher algorithm);

/**
 * Writes the digest of a message, which has ropewalk_hash_digest_len() bytes; of SHAKE, any number. It may lie within the
 * message.
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
 * Begins a message that comes in pieces. What was in the state before is forgotten, not wiped.
 *
 * The caller promises:
 * `state` is for writing; `error` too, or NULL.
 */
ropewalk_status ropewalk_hash_init(struct ropewalk_hash_state *state,
                                   ropewalk_hash algorithm,
                                   struct ropewalk_error *error);

/**
 * Takes the next piece of the message, of any length.
 *
 * The caller promises:
 * `state` was made; `piece` has `piece_len` bytes; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_hash_update(struct ropewalk_hash_state *state,
                                     const void *piece,
                                     size_t piece_len,
                                     struct ropewalk_error *error);

/**
 * Writes the digest of all pieces, and wipes the state. The digest has ropewalk_hash_digest_len() bytes; of SHAKE any number, or
 * what ropewalk_hash_squeeze() would give next.
 *
 * The caller promises:
 * `state` was made; `digest` has `digest_len` bytes for writing; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_hash_finish(struct ropewalk_hash_state *state,
                                     void *digest,
                                     size_t digest_len,
                                     struct ropewalk_error *error);

/**
 * Writes the next bytes of the output of SHAKE, which has as many as anybody asks for. No piece may follow.
 *
 * The caller promises:
 * `state` was made; `output` has `output_len` bytes for writing; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_hash_squeeze(struct ropewalk_hash_state *state,
                                      void *output,
                                      size_t output_len,
                                      struct ropewalk_error *error);

/**
 * Makes a second state that goes on from where the first one stands.
 *
 * The caller promises:
 * `copy` is for writing; `state` was made; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_hash_clone(struct ropewalk_hash_state *copy,
                                    const struct ropewalk_hash_state *state,
                                    struct ropewalk_error *error);

/**
 * Wipes a state. One that was not made, or has been wiped or finished, is left alone; NULL too.
 *
 * The caller promises:
 * `state` is for reading and writing, or NULL.
 */
void ropewalk_hash_wipe(struct ropewalk_hash_state *state);

/**
 * Writes the digest of each message, of `digest_len` bytes, side by side where that is faster. Messages of any lengths may be
 * mixed.
 *
 * Where it fails, nothing is written.
 *
 * The caller promises:
 * There are `count` messages, each with its bytes and room for its digest; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_hash_digest_many(ropewalk_hash algorithm,
                                          const struct ropewalk_hash_message *messages,
                                          size_t count,
                                          size_t digest_len,
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
 * Reads the variable ROPEWALK_CPU of the environment, which switches processor features off as ropewalk_disable() does, and
 * nothing else. Calling it is only needed for that: everything works without. It reads once, whoever calls first; later calls
 * say the same.
 *
 * Fails with ROPEWALK_UNKNOWN where the variable names a feature that there is none of; none is then switched off.
 *
 * The caller promises:
 * `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_init(struct ropewalk_error *error);

/**
 * Switches processor features off, for keys and states that are made afterwards. `list` has their names, as the compiler of Rust
 * spells them, separated by commas: "-vaes,-avx512f", with or without a minus; "all" is every one. What builds on a feature goes
 * with it. Nothing is ever switched on.
 *
 * Fails with ROPEWALK_UNKNOWN where a name is no feature's; none is then switched off.
 *
 * The caller promises:
 * `list` is a string; `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_disable(const char *list,
                                 struct ropewalk_error *error);

/**
 * The name of a processor feature that the library knows, of whichever architecture, as the compiler of Rust spells it. From
 * index 0 on until there are no more: then NULL.
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
 * The name of a primitive, such as "aes-gcm" or "sha256-many". From index 0 on until there are no more: then NULL.
 */
const char *ropewalk_primitive(size_t index);

/**
 * The name of the backend that keys and states of a primitive get from now on, such as "aes_gcm/x86_64/vaes512"; NULL where
 * no primitive has that name.
 *
 * The caller promises:
 * `primitive` is a string, or NULL.
 */
const char *ropewalk_backend(const char *primitive);

/**
 * Runs a known answer through every backend that this processor has and that is not switched off. It takes some milliseconds.
 *
 * Fails with ROPEWALK_INTERNAL where one gives another answer: `what` is its name.
 *
 * The caller promises:
 * `error` is for writing, or NULL.
 */
ropewalk_status ropewalk_self_test(struct ropewalk_error *error);

/**
 * The status in words, such as "forged message". They are there as long as the library is.
 */
const char *ropewalk_status_text(uint32_t status);

/**
 * Writes the error in words to `text`, of which there are `text_len` bytes: as much of them as has room, and a zero
 * behind. Returns how many bytes they are without the zero, as snprintf does. `text` may be NULL where `text_len` is 0.
 *
 * The caller promises:
 * `error` was written by a call of this library, or all of it is zero; `text` has `text_len` bytes.
 */
size_t ropewalk_error_text(const struct ropewalk_error *error, char *text, size_t text_len);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* ROPEWALK_H */
