/* Where the module differs from OpenSSL's default provider on purpose. */
#include <fnmatch.h>

/* AES-ECB and AES-CBC. */
#define BLOCKS_ "AES-*-[EC][CB][BC]"
#define ANY "*"
#define V(major, minor) ((unsigned long)(major) << 28 | (unsigned long)(minor) << 20)
#define ALWAYS 0, ULONG_MAX
#define BEFORE(major, minor) 0, V(major, minor)
#define SINCE(major, minor) V(major, minor), ULONG_MAX

#define NOT_COPIED                                                                                                               \
    "derivations of the default provider cannot be copied before 3.1, or if one of their parameters is empty"
#define TAG_BEFORE_END "a tag before the end of a message: the default provider gives what was there"
#define OWN_TAG "the default provider compares with the tag that it has made"
#define EMPTY_RECORD "EVP_Cipher of no bytes does nothing: the default provider takes them for a record, and fails"
#define LONGER_THAN_NONCE "the default provider takes a part of a nonce that is longer than the nonce"
#define LOST_TAG "the default AES-CCM loses a tag where a second message was refused"
#define AAD_BEHIND "additional data behind the text: the default provider authenticates another message"

static const struct known KNOWN[] = {
    /* Digests. */
    {ANY, "*after the end*", ANY, ANY, BEFORE(3, 3),
     "what follows the end of a message is undefined: the default provider continues with the state after the end"},
    {"SHA1", "set *", "failed", "done", ALWAYS, "the default SHA-1 takes every parameter, and does nothing"},
    {"SHA1", "finalXOF*", "failed", "done*", ALWAYS, "the default SHA-1 reports that it has written the requested length, and has not"},
    {"SHA3-*", "finalXOF*", "failed", "done*", SINCE(3, 4),
     "the default SHA-3 writes a whole digest, though the buffer is shorter"},
    {"SHAKE*", "update*", "failed", "done", BEFORE(4, 0), "more to absorb after output came: the default SHAKE continues with the remaining state"},
    /* Ciphers. */
    {ANY, "*turned*", ANY, ANY, ALWAYS,
     "after a change of direction without a key, the default provider continues with the round keys of the other direction"},
    {BLOCKS_, "cipher *", "-1 *", ANY, ALWAYS,
     "EVP_Cipher of part of a block: the default provider does not write it, or reads behind its end"},
    {BLOCKS_, "* in place*part*", "failed*", ANY, ALWAYS,
     "a text in place behind part of a block: the default provider overwrites what it has not read"},
    {ANY, "*decrypts*ended*", ANY, ANY, ALWAYS,
     "what follows an end that has failed is undefined: the default provider continues with the remaining state"},
    {BLOCKS_, "*no iv*ended*", ANY, ANY, ALWAYS, "without an IV, the default provider continues with the state after a failed end"},
    {"ChaCha20", "*rekeyed*", ANY, ANY, ALWAYS,
     "another key in the middle of a block: the default ChaCha20 uses the block again, with the same key too"},
    {"ChaCha20-Poly1305", "*no iv*", ANY, ANY, ALWAYS, "the default ChaCha20-Poly1305 has a nonce of zeros until one is set"},
    {"ChaCha20-Poly1305", "final*decrypts*", "failed", "done*", ALWAYS, "the default ChaCha20-Poly1305 opens a message without a tag"},
    {"AES-*-CCM", "final*", "failed", "done*", BEFORE(4, 0), "the end of the default AES-CCM always succeeds, also for a forged text"},
    {"AES-*-CCM", "final*decrypts]*", "done*", "failed", BEFORE(3, 1),
     "the end of a message without data: the default AES-CCM refuses it since 3.0.22, and accepted it before"},
    {"AES-*-CCM", "final*encrypts*open*", "done*", "failed", BEFORE(3, 1), "as the one before, to encrypt"},
    {"AES-*-CCM", "*encrypts*ended*", ANY, ANY, ALWAYS, "the default AES-CCM seals two messages with one nonce"},
    {"AES-*-CCM", "*, other nonces*", "done*", "done*", ALWAYS, "the default AES-CCM uses the length of nonces from when the key was set, or that of a failed message"},
    {"AES-*-CCM", "*, other nonces*", "[0-9]*", "[0-9]*", ALWAYS, "as the one before, by EVP_Cipher"},
    {"AES-*-CCM", "get *iv *", "done*", "done*", ALWAYS, "the default AES-CCM returns as many bytes of a nonce as the buffer holds"},
    {"AES-*-CCM", "*record*", ANY, ANY, ALWAYS,
     "the default AES-CCM stays in record mode after one record, and takes nonces that are not of 12 bytes (RFC 6655)"},
    {"AES-*-CCM", "*refused*", ANY, ANY, ALWAYS, "the default AES-CCM stays in record mode after one record"},
    {"AES-*-CCM", "* [[]encrypts*open*", "*-1*", ANY, ALWAYS, "the default AES-CCM seals two messages with one nonce"},
    {"AES-*-CCM", "* [[]encrypts*open*", "failed*", "done*", ALWAYS, "the default AES-CCM seals two messages with one nonce"},
    {"AES-*-CCM", "cipher *", ANY, "*-1*", ALWAYS, "the default AES-CCM keeps the length of the previous message"},
    {"AES-*-CCM", "cipher * without *", "*-1*", ANY, ALWAYS, "as the two before, by EVP_Cipher"},
    {"AES-*-CCM", "get tag*open*", "done*", "failed*", ALWAYS, LOST_TAG},
    {"AES-*-CCM", "ctrl 3*open*", "done*", "failed*", ALWAYS, LOST_TAG},
    {"AES-*-CCM", "tag*open*", "done*", "failed*", ALWAYS, LOST_TAG},
    {"AES-*-CCM", "final*decrypts*rekeyed*", "done*", "failed", ALWAYS,
     "a nonce that has sealed opens nothing: the default AES-CCM tries it with the tag of what was sealed"},
    {"AES-*-CCM", "update *", "done*", "failed*", ALWAYS, "the default AES-CCM keeps the length of the previous message"},
    {"AES-*-GCM", "tag*open*", ANY, "done*", ALWAYS, TAG_BEFORE_END},
    {"ChaCha20-Poly1305", "tag*open*", ANY, "done*", ALWAYS, TAG_BEFORE_END},
    {"AES-*-GCM", "ctrl 3*open*", ANY, "done*", ALWAYS, TAG_BEFORE_END},
    {"ChaCha20-Poly1305", "ctrl 3*open*", ANY, "done*", ALWAYS, TAG_BEFORE_END},
    {"AES-*-GCM", "get tag*open*", ANY, "done*", ALWAYS, TAG_BEFORE_END},
    {"ChaCha20-Poly1305", "final*open*", "failed", "done*", ALWAYS, "the default ChaCha20-Poly1305 ends a message twice"},
    {"ChaCha20-Poly1305", "numbers *", ANY, ANY, ALWAYS, "the default ChaCha20-Poly1305 says that a tag has no bytes until one was set"},
    {"ChaCha20-Poly1305", "get taglen*", "done*", "done*", ALWAYS, "the default ChaCha20-Poly1305 says that a tag has no bytes until one was set"},
    {"ChaCha20-Poly1305", "get tag*", "failed*", "done*", ALWAYS, "the default ChaCha20-Poly1305 gives a tag of zeros before the end"},
    {"ChaCha20-Poly1305", "* without output*", "failed*", "done*", ALWAYS, AAD_BEHIND},
    {"ChaCha20-Poly1305", "* without output*", "*-1*", ANY, ALWAYS, AAD_BEHIND},
    {"ChaCha20-Poly1305", "get tag*", "done*", "*tag not written*", ALWAYS, "the default ChaCha20-Poly1305 does not set the length of a tag"},
    {"AES-*-CCM", "get tag*", "done*", "*tag not written*", ALWAYS, "the default AES-CCM does not set the length of a tag"},
    {"AES-*-WRAP*", "cipher *", "0 *", "1 *", BEFORE(4, 0), "EVP_Cipher of the default key wrap says 1 where it has failed"},
    {"ChaCha20-Poly1305", "*rekeyed*", ANY, ANY, ALWAYS,
     "the default ChaCha20-Poly1305 seals another message with the same nonce where a key is set again"},
    {"ChaCha20-Poly1305", "*encrypts*ended*", ANY, ANY, ALWAYS, "the default ChaCha20-Poly1305 seals more after the end of a message"},
    {"AES-*-CCM", "update * without output*", "failed", "done*", ALWAYS,
     "the default AES-CCM keeps the length of the previous message"},
    {"AES-*", "* num *", "failed", "done", ALWAYS, "a place within a block cannot be set; the newest releases refuse it"},
    {"AES-*", "ctrl 6*", "failed", "done", ALWAYS, "a place within a block cannot be set; the newest releases refuse it"},
    {"AES-*-GCM", "*encrypts*refused*", "done*", "done*", ALWAYS, "a tag or an end that is refused overwrites the tag in the default provider"},
    {"AES-*-GCM", "cipher 0 without output*", "0 *", "-1 *", ALWAYS, "no additional data behind the text: the default provider refuses it"},
    {"AES-*-GCM", "*tlsivfixed*", "failed", "done", ALWAYS, LONGER_THAN_NONCE},
    {"AES-*-GCM", "*tlsivinv*", "failed", "done", ALWAYS, LONGER_THAN_NONCE},
    {"AES-*-GCM", "*encrypts*ended*", "failed*", "done*", ALWAYS, "the default provider seals with the nonce of a message whose end has failed"},
    {"ChaCha20-Poly1305", "*, other nonces*", ANY, ANY, ALWAYS, "the fixed part of the nonces of records changes other messages in the default provider"},
    {"ChaCha20-Poly1305", "cipher 0 without input*", "-1 *", "0 *", ALWAYS, "EVP_Cipher of the default ChaCha20-Poly1305 ends no message"},
    {"AES-*-GCM", "final*no tag*", "failed", "done*", ALWAYS, OWN_TAG},
    {"AES-*-GCM", "cipher 0 without input*no tag*", "-1 *", "0 *", ALWAYS, OWN_TAG},
    {"AES-*-GCM", "numbers*no tag*", "key*", "key*", ALWAYS, "the default provider says how long the tag was that it has compared"},
    {"AES-*-GCM", "numbers*encrypts*", "key*", "key*", ALWAYS, "the default provider says how long the tag was that it has compared"},
    {"AES-*-GCM", "cipher 0*record*", "0 *", "-1 *", ALWAYS, EMPTY_RECORD},
    {"ChaCha20-Poly1305", "cipher 0*record*", "0 *", "-1 *", ALWAYS, EMPTY_RECORD},
    {"AES-*-GCM", "*rekeyed*", ANY, ANY, ALWAYS,
     "another key in the middle of a message: the default provider continues without a nonce"},
    {"AES-*-GCM", "*cut*", ANY, ANY, ALWAYS,
     "EVP_Cipher of no bytes between additional data: the default provider authenticates the data before it as whole blocks"},
    {"ChaCha20*", "ivs *", "done*", "done*", ALWAYS, "the default ChaCha20 does not write the requested nonce, and reports success"},
    {"ChaCha20*", "get *iv *", ANY, "*not written*", ALWAYS, "the default ChaCha20 does not answer what its nonce is"},
    {"ChaCha20-Poly1305", "*no key*", ANY, ANY, ALWAYS, "the default ChaCha20-Poly1305 has a key of zeros until there is another"},
    {"ChaCha20-Poly1305", "*", "failed", "done *:00*", ALWAYS, "the default ChaCha20-Poly1305 gives a tag of zeros before the end"},
    {"AES-*-CBC-HMAC-*", "*no mac key*", ANY, ANY, ALWAYS, "a record without a key of its MAC: the default provider hashes it without one"},
    /* MACs. */
    {"?MAC", "*[[]ended]*", ANY, ANY, BEFORE(3, 3),
     "what follows the end of a message is undefined: the default provider continues with the state after the end"},
    {"CMAC", "*[[]ended]*", ANY, ANY, ALWAYS, "the default CMAC continues with the state after the end of a message"},
    {"GMAC", "dup*no key*", "done", "failed", ALWAYS, "the default GMAC cannot be copied before it has a cipher"},
    {"GMAC", "*[[]restarted]*", ANY, ANY, ALWAYS, "a message restarted with its nonce: the default GMAC continues with it"},
    {"GMAC", "final*", "failed", "done*", ALWAYS, "the default GMAC generates a nonce and does not return it"},
    {"GMAC", "update*", "failed", "done", ALWAYS, "the default GMAC generates a nonce and does not return it"},
    {"HMAC", "sizes*", ANY, ANY, ALWAYS, "the block of a digest of another provider is not known before its key"},
    {"HMAC", "get block-size*", "done*", "done*", ALWAYS, "the block of a digest of another provider is not known before its key"},
    {"CMAC", "final without output*no key*", "done*", "done*", ALWAYS, "the default CMAC has a size of 1 before it has a key"},
    {"CMAC", "dup*no key*", "done", "failed", ALWAYS, "the default CMAC cannot be copied before it has a key"},
    /* Key derivations. */
    {"HKDF", "dup*", "done", "failed", ALWAYS, NOT_COPIED},
    {"TLS*", "dup*", "done", "failed", ALWAYS, NOT_COPIED},
    {"PBKDF2", "dup*", "done", "failed", ALWAYS, NOT_COPIED},
};
static unsigned long met[COUNT(KNOWN)];

static int is(const char *pattern, const char *words) { return fnmatch(pattern, words, 0) == 0; }

static const struct known *known_difference(void) {
    for (size_t i = 0; i < COUNT(KNOWN); i++) {
        const struct known *known = &KNOWN[i];
        if (version >= known->from && version < known->before && is(known->algorithm, algorithm) && is(known->call, call)
            && is(known->ours, answers[OURS]) && is(known->theirs, answers[THEIRS])) {
            met[i]++;
            return known;
        }
    }
    return NULL;
}
