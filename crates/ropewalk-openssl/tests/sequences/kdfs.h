/* Sequences of calls with key derivations. */

static const char *const KDFS[] = {"HKDF", "TLS13-KDF", "TLS1-PRF", "PBKDF2"};

struct derivations {
    EVP_KDF *kdf[SIDES];
    EVP_KDF_CTX *of[2][SIDES];
    /* Whether a call has failed that leaves undefined what it had done before. */
    int broken[2];
};

static void renew_derivation(struct derivations *all, int i) {
    EACH(side) {
        EVP_KDF_CTX_free(all->of[i][side]);
        all->of[i][side] = EVP_KDF_CTX_new(all->kdf[side]);
    }
    all->broken[i] = 0;
}

/* Any parameter of some derivation. */
static void any_kdf_params(OSSL_PARAM params[8], struct value values[2]) {
    static const char *const digests[] = {"SHA1", "SHA256", "SHA256", "SHA384", "SHA3-256", "MD5", "MD5-SHA1", "SM3", "SHAKE128", "none"};
    static const char *const modes[] = {"EXTRACT_AND_EXPAND", "EXTRACT_ONLY", "EXPAND_ONLY", "nonsense"};
    static const char *const secrets[] = {"key", "salt", "info", "secret", "seed", "pass", "prefix", "label", "data", "info", "seed"};
    static const size_t lens[] = {0, 1, 8, 12, 13, 14, 15, 16, 20, 32, 48, 64, 65, 128, 200, 255, 256};
    int count = 0;
    if (RARELY(2)) {
        const char *name = PICK(digests);
        with(" digest %s", name);
        params[count++] = words("digest", name);
    }
    if (RARELY(3)) {
        int mode = chance(4);
        if (RARELY(2)) {
            with(" mode %s", modes[mode]);
            params[count++] = words("mode", modes[mode]);
        } else {
            with(" mode %d", mode);
            params[count++] = number("mode", &values[0], I32, mode);
        }
    }
    for (int more = chance(4); more > 0; more--) {
        const char *name = PICK(secrets);
        size_t len = PICK(lens);
        with(" %s of %zu", name, len);
        params[count++] = octets(name, text + chance(100), len);
    }
    if (strcmp(algorithm, "PBKDF2") == 0 && RARELY(2)) {
        static const int counts[] = {0, 1, 2, 3, 999, 1000};
        if (RARELY(4)) {
            int pkcs5 = chance(3);
            with(" pkcs5 %d", pkcs5);
            params[count++] = number("pkcs5", &values[1], I32, pkcs5);
        } else {
            int of = PICK(counts);
            enum type type = any_number_type();
            with(" iter %d of type %d", of, type);
            params[count++] = number("iter", &values[1], type, of);
        }
    }
    params[count] = OSSL_PARAM_construct_end();
}

static void kdf_call(struct derivations *all, int i) {
    OSSL_PARAM params[8];
    struct value values[2];
    switch (chance(10)) {
    default:
        begin("set");
        any_kdf_params(params, values);
        EACH(side) all->broken[i] |= !said(side, EVP_KDF_CTX_set_params(all->of[i][side], params));
        return;
    case 4: case 5: case 6: {
        static const size_t lens[] = {0, 1, 16, 20, 32, 32, 48, 64, 100, 1000, 255 * 20, 255 * 20 + 1};
        size_t len = PICK(lens);
        /* Iterations are slow. */
        if (strcmp(algorithm, "PBKDF2") == 0 && len > 100)
            len = 33;
        int with_params = RARELY(2);
        begin("derive %zu", len);
        any_kdf_params(params, values);
        EACH(side) {
            uint8_t out[MOST] = {0};
            if (said(side, EVP_KDF_derive(all->of[i][side], out, len, with_params ? params : NULL)))
                say_bytes(side, out, len);
            else if (with_params)
                all->broken[i] = 1;
        }
        return;
    }
    case 7: {
        static const char *const names[] = {"size", "mode", "digest", "salt", "info", "nonsense"};
        const char *name = PICK(names);
        enum type type = name[0] == 'd' || (name[0] == 'm' && RARELY(2)) ? WORDS : name[1] == 'a' || name[1] == 'n' ? OCTETS : any_number_type();
        begin("get %s of type %d", name, type);
        EACH(side) {
            params[0] = room(name, &values[0], type, 256);
            params[1] = OSSL_PARAM_construct_end();
            if (said(side, EVP_KDF_CTX_get_params(all->of[i][side], params)))
                say_answer(side, params);
            params[0] = room(name, &values[0], type, 256);
            if (said(side, EVP_KDF_get_params(all->kdf[side], params)))
                say_answer(side, params);
            say(side, " size %zu", EVP_KDF_CTX_get_kdf_size(all->of[i][side]));
        }
        return;
    }
    case 8:
        begin("reset");
        EACH(side) EVP_KDF_CTX_reset(all->of[i][side]);
        return;
    case 9:
        begin("dup to the other");
        EACH(side) {
            EVP_KDF_CTX *copy = EVP_KDF_CTX_dup(all->of[i][side]);
            said(side, copy != NULL);
            if (copy == NULL)
                continue;
            EVP_KDF_CTX_free(all->of[1 - i][side]);
            all->of[1 - i][side] = copy;
        }
        return;
    }
}

static void kdf_facts(struct derivations *all) {
    begin("facts");
    EVP_KDF *ours = all->kdf[OURS], *theirs = all->kdf[THEIRS];
    say_missing("gettable", EVP_KDF_gettable_ctx_params(ours), EVP_KDF_gettable_ctx_params(theirs), "");
    say_missing("settable", EVP_KDF_settable_ctx_params(ours), EVP_KDF_settable_ctx_params(theirs), "");
}

static void kdf_sequence(void) {
    struct derivations all = {0};
    enum agreement agreement = AGREED;
    EACH(side) all.kdf[side] = EVP_KDF_fetch(NULL, algorithm, PROPERTIES[side]);
    for (int i = 0; i < 2; i++)
        renew_derivation(&all, i);
    for (int made = 0; made < 20 && agreement != DIFFERENT; made++) {
        if (made == 0 && RARELY(20))
            kdf_facts(&all);
        else
            kdf_call(&all, RARELY(4));
        agreement = compare();
        for (int j = 0; j < 2; j++)
            if (agreement == ON_PURPOSE || all.broken[j])
                renew_derivation(&all, j);
    }
    for (int i = 0; i < 2; i++)
        EACH(side) EVP_KDF_CTX_free(all.of[i][side]);
    EACH(side) EVP_KDF_free(all.kdf[side]);
}
