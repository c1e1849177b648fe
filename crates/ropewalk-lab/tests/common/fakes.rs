//! Shared libraries that misbehave, built with the C compiler that also links Rust programs.

use std::{
    env,
    ffi::OsString,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// A library that does not behave as declared.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fake {
    /// Reports a version and has no other function.
    Lacking,
    /// Reports with its version the variables that might change a library.
    Telling,
    /// Dies of SIGSEGV while it is loaded.
    Crashing,
    /// Never returns from its initialization.
    Hanging,
    /// Reports success for everything and does nothing.
    Lying,
    /// Reports failure for everything.
    Failing,
}

impl Fake {
    /// Builds it for the test of that name, and returns its path.
    pub(crate) fn build(self, test: &str) -> PathBuf {
        let source = match self {
            Self::Lacking => VERSION.to_owned(),
            Self::Telling => format!("{TELLING}{}", EVP.replace("RESULT", "1")),
            Self::Crashing => {
                "__attribute__((constructor)) static void start(void) { *(volatile int *)8 = 1; }"
                    .to_owned()
            }
            Self::Hanging => "#include <unistd.h>\n\
                __attribute__((constructor)) static void start(void) { for (;;) pause(); }"
                .to_owned(),
            Self::Lying => format!("{VERSION}{}", EVP.replace("RESULT", "1")),
            Self::Failing => format!("{VERSION}{}", EVP.replace("RESULT", "0")),
        };
        compile(&format!("{self:?}-{test}").to_lowercase(), &source)
    }
}

const VERSION: &str = "const char *OpenSSL_version(int which) { return \"OpenSSL 1.1.1 fake\"; }\n";

const TELLING: &str = "
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    extern char **environ;
    static int by_name(const void *a, const void *b) { return strcmp(*(char **)a, *(char **)b); }
    static int stays(const char *set) {
        static const char *names[] = { \"LD_LIBRARY_PATH=\", \"ROPEWALK_RUNNER=\", \"ROPEWALK_PEERS=\", 0 };
        for (const char **name = names; *name; name++)
            if (!strncmp(set, *name, strlen(*name))) return 1;
        return 0;
    }
    static int matters(const char *set) {
        static const char *starts[] = {
            \"OPENSSL\", \"ROPEWALK\", \"LIBGCRYPT\", \"GCRYPT\", \"NETTLE\", \"GNUTLS\", \"NSS\", \"NSPR\", \"BOTAN\",
            \"SODIUM\", \"GRAVIOLA\", \"GODEBUG\", \"LD_\", \"GLIBC\", \"MALLOC\", 0
        };
        for (const char **start = starts; *start; start++)
            if (!strncmp(set, *start, strlen(*start))) return !stays(set);
        return 0;
    }
    const char *OpenSSL_version(int which) {
        static char said[8192];
        char *set[1024];
        int count = 0;
        for (char **next = environ; *next && count < 1024; next++)
            if (matters(*next)) set[count++] = *next;
        qsort(set, count, sizeof *set, by_name);
        strcpy(said, \"OpenSSL 1.1.1 fake:\");
        for (int i = 0; i < count; i++) {
            strncat(said, \" \", sizeof said - strlen(said) - 1);
            strncat(said, set[i], sizeof said - strlen(said) - 1);
        }
        return said;
    }
";

/// The functions that a job calls. A context is any nonzero address.
const EVP: &str = "
    static char thing[64];
    void *EVP_CIPHER_CTX_new(void) { return thing; }
    void EVP_CIPHER_CTX_free(void *ctx) {}
    void *EVP_aes_128_ctr(void) { return thing; }
    void *EVP_aes_192_ctr(void) { return thing; }
    void *EVP_aes_256_ctr(void) { return thing; }
    int EVP_EncryptInit_ex(void *ctx, void *c, void *e, void *key, void *iv) {
        return key ? 1 : RESULT;
    }
    int EVP_EncryptUpdate(void *ctx, char *out, int *written, char *in, int len) {
        *written = len;
        return RESULT;
    }
    void *EVP_MD_CTX_new(void) { return thing; }
    void EVP_MD_CTX_free(void *ctx) {}
    void *EVP_sha256(void) { return thing; }
    int EVP_MD_CTX_copy_ex(void *to, void *from) { return RESULT; }
    int EVP_DigestInit_ex(void *ctx, void *md, void *e) { return 1; }
    int EVP_DigestUpdate(void *ctx, void *text, unsigned long len) { return RESULT; }
    int EVP_DigestFinal_ex(void *ctx, char *digest, void *len) { return RESULT; }
    void *SHA256(void *text, unsigned long len, void *digest) { return RESULT ? digest : 0; }
";

/// Compiles a shared library under a unique name: a loaded file must not change.
pub(crate) fn compile(name: &str, source: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lib{name}.so"));
    let compiler = env::var_os("CC").unwrap_or_else(|| OsString::from("cc"));
    let mut child = Command::new(compiler)
        .args(["-shared", "-fPIC", "-w", "-x", "c", "-", "-o"])
        .arg(&path)
        .stdin(Stdio::piped())
        .spawn()
        .expect("a C compiler");
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(source.as_bytes()).expect("it reads");
    drop(stdin);
    assert!(child.wait().expect("it ends").success(), "{name} does not compile");
    path
}
