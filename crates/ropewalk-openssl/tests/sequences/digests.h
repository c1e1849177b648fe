/* Sequences of calls with message digests. */

static const char *const DIGESTS[] = {"SHA1",     "SHA224",   "SHA256",   "SHA384",   "SHA512",   "SHA512-256", "SHA3-224",
                                      "SHA3-256", "SHA3-384", "SHA3-512", "SHAKE128", "SHAKE256", "SM3",
                                      "MD5"};

/* Two messages, so that one can be copied to the other. */
struct messages {
    EVP_MD *md[SIDES];
    EVP_MD_CTX *of[2][SIDES];
    /* Whether there was an init since the context is new, and whether the message has ended since. */
    int begun[2], ended[2];
};

static void renew_message(struct messages *all, int i) {
    EACH(side) {
        EVP_MD_CTX_free(all->of[i][side]);
        all->of[i][side] = EVP_MD_CTX_new();
    }
    all->begun[i] = all->ended[i] = 0;
}

static const char *digest_place(const struct messages *all, int i) {
    return all->ended[i] ? " after the end" : "";
}

/* A length of the output, by one of its names. */
static OSSL_PARAM any_digest_param(struct value *value) {
    static const char *const names[] = {"xoflen", "xoflen", "size", "nonsense"};
    static const size_t lengths[] = {0, 1, 16, 20, 32, 40, 64, 100, 168, 300};
    const char *name = PICK(names);
    size_t len = PICK(lengths);
    enum type type = any_number_type();
    if (RARELY(15)) {
        with(" %s of %zu octets", name, len);
        return octets(name, text, len);
    }
    with(" %s %zu of type %d", name, len, type);
    return number(name, value, type, len);
}

static void init_message(struct messages *all, int i) {
    struct value value;
    OSSL_PARAM params[2] = {OSSL_PARAM_END, OSSL_PARAM_END};
    int anew = !all->begun[i] || RARELY(2);
    begin("init%s", anew ? "" : " again");
    if (RARELY(3))
        params[0] = any_digest_param(&value);
    EACH(side) said(side, EVP_DigestInit_ex2(all->of[i][side], anew ? all->md[side] : NULL, params[0].key == NULL ? NULL : params));
    all->begun[i] = 1;
    all->ended[i] = 0;
}

static void finish_message(struct messages *all, int i) {
    uint8_t out[SIDES][MOST] = {{0}};
    size_t len = any_length();
    int how = chance(4);
    begin("%s%s", how == 0 ? "finalXOF" : how == 1 ? "squeeze" : how == 2 ? "final" : "final_ex", digest_place(all, i));
    if (how < 2)
        with(" of %zu", len);
    EACH(side) {
        EVP_MD_CTX *of = all->of[i][side];
        unsigned written = 0;
        if (how == 0 && said(side, EVP_DigestFinalXOF(of, out[side], len)))
            say_bytes(side, out[side], len);
        if (how == 1 && digest_squeeze != NULL && said(side, digest_squeeze(of, out[side], len)))
            say_bytes(side, out[side], len);
        if (how >= 2 && said(side, (how == 2 ? EVP_DigestFinal : EVP_DigestFinal_ex)(of, out[side], &written)))
            say_bytes(side, out[side], written);
    }
    all->ended[i] |= how != 1;
    if (how == 2)
        all->begun[i] = all->ended[i] = 0;
}

static void ask_message(struct messages *all, int i) {
    static const char *const names[] = {"xoflen", "size", "blocksize", "nonsense"};
    const char *name = PICK(names);
    enum type type = any_number_type();
    begin("get %s of type %d", name, type);
    EACH(side) {
        struct value value;
        OSSL_PARAM params[2] = {room(name, &value, type, 0), OSSL_PARAM_END};
        if (said(side, EVP_MD_CTX_get_params(all->of[i][side], params)))
            say_answer(side, params);
        params[0] = room(name, &value, type, 0);
        if (said(side, EVP_MD_get_params(all->md[side], params)))
            say_answer(side, params);
        say(side, " size %d", EVP_MD_CTX_get_size(all->of[i][side]));
        if (digest_size_ex != NULL)
            say(side, " %d", digest_size_ex(all->of[i][side]));
    }
}

static void copy_message(struct messages *all, int i) {
    int to = 1 - i, how = chance(3);
    begin("%s to the other%s", how == 0 ? "copy" : how == 1 ? "copy_ex" : "dup", digest_place(all, i));
    EACH(side) {
        EVP_MD_CTX **other = &all->of[to][side];
        if (how == 2 && digest_dup != NULL) {
            EVP_MD_CTX_free(*other);
            *other = digest_dup(all->of[i][side]);
            said(side, *other != NULL);
        } else {
            said(side, (how == 0 ? EVP_MD_CTX_copy : EVP_MD_CTX_copy_ex)(*other, all->of[i][side]));
        }
    }
    all->begun[to] = all->begun[i];
    all->ended[to] = all->ended[i];
}

static void digest_call(struct messages *all, int i) {
    size_t len = any_length();
    const uint8_t *from = any_text();
    struct value value;
    switch (chance(16)) {
    case 0: case 1:
        init_message(all, i);
        return;
    default:
        begin("update %zu%s", len, digest_place(all, i));
        EACH(side) said(side, EVP_DigestUpdate(all->of[i][side], from, len));
        return;
    case 7: case 8: case 9: case 10:
        finish_message(all, i);
        return;
    case 11:
        copy_message(all, i);
        return;
    case 12: {
        OSSL_PARAM params[2] = {OSSL_PARAM_END, OSSL_PARAM_END};
        begin("set");
        params[0] = any_digest_param(&value);
        EACH(side) said(side, EVP_MD_CTX_set_params(all->of[i][side], params));
        return;
    }
    case 13:
        ask_message(all, i);
        return;
    case 14:
        begin("reset");
        EACH(side) said(side, EVP_MD_CTX_reset(all->of[i][side]));
        all->begun[i] = all->ended[i] = 0;
        return;
    case 15: {
        uint8_t out[EVP_MAX_MD_SIZE];
        begin("digest of %zu", len);
        EACH(side) {
            unsigned written = 0;
            if (said(side, EVP_Digest(from, len, out, &written, all->md[side], NULL)))
                say_bytes(side, out, written);
        }
        return;
    }
    }
}

/* Properties that are constant between calls. */
static void digest_facts(struct messages *all) {
    begin("facts");
    EACH(side) {
        EVP_MD *md = all->md[side];
        say(side, "size %d block %d flags %lx", EVP_MD_get_size(md), EVP_MD_get_block_size(md), EVP_MD_get_flags(md));
    }
    say_missing("gettable", EVP_MD_gettable_ctx_params(all->md[OURS]), EVP_MD_gettable_ctx_params(all->md[THEIRS]), "");
    say_missing("settable", EVP_MD_settable_ctx_params(all->md[OURS]), EVP_MD_settable_ctx_params(all->md[THEIRS]), "ssl3-ms");
}

static void digest_sequence(void) {
    struct messages all = {0};
    enum agreement agreement = AGREED;
    EACH(side) all.md[side] = EVP_MD_fetch(NULL, algorithm, PROPERTIES[side]);
    for (int i = 0; i < 2; i++)
        renew_message(&all, i);
    for (int made = 0; made < 25 && agreement != DIFFERENT; made++) {
        int i = RARELY(3);
        if (made == 0 && RARELY(20))
            digest_facts(&all);
        else if (!all.begun[i] && !RARELY(10))
            init_message(&all, i);
        else
            digest_call(&all, i);
        agreement = compare();
        if (agreement == ON_PURPOSE)
            for (int j = 0; j < 2; j++)
                renew_message(&all, j);
    }
    for (int i = 0; i < 2; i++)
        EACH(side) EVP_MD_CTX_free(all.of[i][side]);
    EACH(side) EVP_MD_free(all.md[side]);
}
