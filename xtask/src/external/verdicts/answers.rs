//! Tests whether a libcrypto computes the right results: SHA-256 of "abc" (FIPS 180-4), and AES-128-GCM of sixteen zero
//! bytes under a key of zeros (test case 2 of the specification of GCM).

/// The right output of the program.
pub(super) const RIGHT: &str = "\
ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
0388dace60b6a392f328c2b971b2fe78
ab6e47d42cec13bdf53a67b21257bddf
";

/// Loads the library that is its argument, and calls it.
pub(super) const PROGRAM: &str = r#"
#include <dlfcn.h>
#include <stdio.h>

typedef unsigned char byte;

static void *library;

static void *function(const char *name) {
    void *found = dlsym(library, name);
    if (!found) fprintf(stderr, "no %s\n", name);
    return found;
}

static void print(const byte *bytes, int count) {
    for (int i = 0; i < count; i++) printf("%02x", bytes[i]);
    printf("\n");
}

int main(int count, char **arguments) {
    if (count != 2 || !(library = dlopen(arguments[1], RTLD_NOW))) {
        fprintf(stderr, "%s\n", count == 2 ? dlerror() : "one argument");
        return 1;
    }
    int (*digest)(const void *, size_t, byte *, unsigned *, const void *, void *) =
        function("EVP_Digest");
    const void *(*sha256)(void) = function("EVP_sha256");
    void *(*context)(void) = function("EVP_CIPHER_CTX_new");
    const void *(*gcm)(void) = function("EVP_aes_128_gcm");
    int (*start)(void *, const void *, void *, const byte *, const byte *) =
        function("EVP_EncryptInit_ex");
    int (*update)(void *, byte *, int *, const byte *, int) = function("EVP_EncryptUpdate");
    int (*finish)(void *, byte *, int *) = function("EVP_EncryptFinal_ex");
    int (*control)(void *, int, int, void *) = function("EVP_CIPHER_CTX_ctrl");
    if (!digest || !sha256 || !context || !gcm || !start || !update || !finish || !control)
        return 1;

    byte hash[32], zeros[16] = {0}, text[16], tag[16];
    unsigned hash_length;
    if (!digest("abc", 3, hash, &hash_length, sha256(), NULL)) return 2;
    print(hash, 32);

    const int get_tag = 0x10;
    int length;
    void *sealing = context();
    if (!start(sealing, gcm(), NULL, zeros, zeros) || !update(sealing, text, &length, zeros, 16)
        || !finish(sealing, text, &length) || !control(sealing, get_tag, 16, tag))
        return 3;
    print(text, 16);
    print(tag, 16);
    return 0;
}
"#;
