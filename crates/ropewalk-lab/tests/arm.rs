//! AArch64cryptolib through its documented functions, with a stand-in that has the same functions over OpenSSL:
//! lengths in bits, whole blocks, and states that point to constants.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

mod common;
use common::{cells, peer, runs::stderr, wrong_cells};
use ropewalk_lab::tasks::Kind;

#[test]
fn calls_are_those_of_the_header() {
    let Some(library) = fake() else { return };
    let opened = peer("aarch64cryptolib").open(library.to_str().unwrap()).unwrap();
    assert_eq!(opened.version(), "AArch64cryptolib");
    let of_gcm =
        cells().filter(|cell| matches!(cell.task.kind, Kind::Gcm { .. } | Kind::Gmac { .. }));
    let mut wrong = wrong_cells("aarch64cryptolib", &*opened, of_gcm);
    wrong.retain(|wrong| !wrong.ends_with(": a message goes through whole"));
    assert!(wrong.is_empty(), "{wrong:#?}");
    let others = cells().filter(|cell| matches!(cell.task.kind, Kind::Ctr { .. } | Kind::Rc4));
    for why in wrong_cells("aarch64cryptolib", &*opened, others) {
        let lacks = why.ends_with(": has no AES-CTR") || why.ends_with(": has no RC4");
        assert!(lacks, "{why}");
    }
}

/// `None` without an OpenSSL 3 for the stand-in.
fn fake() -> Option<PathBuf> {
    const LIBCRYPTO: &str = "libcrypto.so.3";
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, library) = (folder.join("arm.c"), folder.join("libAArch64crypto-fake.so"));
    fs::write(&source, SOURCE).unwrap();
    let mut compiler = Command::new(env::var_os("CC").unwrap_or_else(|| "cc".into()));
    compiler.args(["-shared", "-fPIC", "-w", "-o"]).arg(&library).arg(source);
    let output = compiler.arg(format!("-l:{LIBCRYPTO}")).output().unwrap();
    if !output.status.success() {
        assert!(peer("libcrypto").open(LIBCRYPTO).is_err(), "{}", stderr(&output));
        eprintln!("skipped: there is no {LIBCRYPTO}");
        return None;
    }
    Some(library)
}

const SOURCE: &str = "
    #include <stdint.h>
    #include <string.h>
    typedef struct { int mode; uint8_t key[32]; } constants;
    typedef struct { uint8_t counter[16], tag[16]; constants *of; } state;
    void *EVP_CIPHER_CTX_new(void), *EVP_aes_128_gcm(void), *EVP_aes_192_gcm(void), *EVP_aes_256_gcm(void);
    int EVP_CipherInit_ex(void *, void *, void *, const uint8_t *, const uint8_t *, int);
    int EVP_CipherUpdate(void *, uint8_t *, int *, const uint8_t *, int);
    int EVP_CipherFinal_ex(void *, uint8_t *, int *);
    int EVP_CIPHER_CTX_ctrl(void *, int, int, void *);
    void EVP_CIPHER_CTX_free(void *);

    int armv8_aes_gcm_set_constants(int mode, uint8_t tag, uint8_t *key, constants *of) {
        if (mode < 0 || mode > 2 || tag != 16) return 3;
        of->mode = mode;
        memcpy(of->key, key, 16 + 8 * mode);
        return 0;
    }
    int armv8_aes_gcm_set_counter(uint8_t *nonce, uint64_t bits, state *s) {
        uint8_t whole[16];
        memcpy(whole, nonce, 16);
        memcpy(s->counter, whole, 12);
        return bits == 96 ? 0 : 3;
    }
    static int whole(uint64_t bits) { return (bits / 8 + 15) / 16 * 16; }
    static int put(state *s, int seal, uint8_t *aad, uint64_t aad_bits, uint8_t *in, uint64_t bits,
                   uint8_t *out, uint8_t *tag) {
        void *ciphers[] = { EVP_aes_128_gcm(), EVP_aes_192_gcm(), EVP_aes_256_gcm() };
        uint8_t block[16];
        int n, right;
        for (int i = 0; i < whole(aad_bits); i += 16) memcpy(block, aad + i, 16);
        for (int i = 0; i < whole(bits); i += 16) memcpy(block, in + i, 16);
        void *ctx = EVP_CIPHER_CTX_new();
        EVP_CipherInit_ex(ctx, ciphers[s->of->mode], 0, s->of->key, s->counter, seal);
        EVP_CipherUpdate(ctx, 0, &n, aad, aad_bits / 8);
        if (bits) EVP_CipherUpdate(ctx, out, &n, in, bits / 8);
        if (!seal) EVP_CIPHER_CTX_ctrl(ctx, 17, 16, tag);
        right = EVP_CipherFinal_ex(ctx, block, &n);
        if (seal) EVP_CIPHER_CTX_ctrl(ctx, 16, 16, tag);
        EVP_CIPHER_CTX_free(ctx);
        memset(out + bits / 8, 0, whole(bits) - bits / 8);
        return right == 1 ? 0 : 1;
    }
    int armv8_enc_aes_gcm_from_state(state *s, uint8_t *aad, uint64_t aad_bits, uint8_t *in, uint64_t bits,
                                     uint8_t *out, uint8_t *tag) {
        return put(s, 1, aad, aad_bits, in, bits, out, tag);
    }
    int armv8_dec_aes_gcm_from_state(state *s, uint8_t *aad, uint64_t aad_bits, uint8_t *in, uint64_t bits,
                                     uint8_t *tag, uint8_t *out) {
        return put(s, 0, aad, aad_bits, in, bits, out, tag);
    }
";
