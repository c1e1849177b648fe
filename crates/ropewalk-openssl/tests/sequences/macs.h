/* Sequences of calls with message authentication codes. */

static const char *const MACS[] = {"HMAC", "CMAC", "GMAC", "POLY1305"};

/* Two messages, so that one can be copied. */
struct authenticated {
    EVP_MAC *mac[SIDES];
    EVP_MAC_CTX *of[2][SIDES];
    /* Whether there was a key, and whether the message has ended. */
    int keyed[2], ended[2];
    /* Whether the message was begun again without a nonce. */
    int restarted[2];
    /* Whether a call has failed that leaves undefined what it had done before. */
    int broken[2];
};

static void renew_authenticated(struct authenticated *all, int i) {
    EACH(side) {
        EVP_MAC_CTX_free(all->of[i][side]);
        all->of[i][side] = EVP_MAC_CTX_new(all->mac[side]);
    }
    all->keyed[i] = all->ended[i] = all->restarted[i] = all->broken[i] = 0;
}

static const char *mac_place(const struct authenticated *all, int i) {
    return !all->keyed[i] ? " [no key]" : all->ended[i] ? " [ended]" : all->restarted[i] ? " [restarted]" : "";
}

/* Any parameter of some MAC; the first ones are the digest or the cipher. */
static int any_mac_params(OSSL_PARAM params[4], struct value *value, int keyed) {
    static const char *const digests[] = {"SHA1", "SHA256", "SHA384", "SHA3-256", "MD5", "SHA512-256", "SM3", "SHAKE128", "none"};
    static const char *const ciphers[] = {"AES-128-CBC", "AES-192-CBC", "AES-256-CBC", "AES-128-GCM", "AES-256-GCM", "AES-128-CTR", "none"};
    static const size_t lens[] = {0, 1, 8, 12, 13, 16, 24, 31, 32, 33, 64, 65, 128, 129};
    int count = 0, has_key = 0;
    const char *made_of = strcmp(algorithm, "HMAC") == 0 ? "digest" : "cipher";
    if (RARELY(2)) {
        const char *name = made_of[0] == 'd' ? PICK(digests) : PICK(ciphers);
        with(" %s %s", made_of, name);
        params[count++] = words(made_of, name);
    }
    if (RARELY(3)) {
        size_t len = PICK(lens);
        with(" key of %zu", len);
        params[count++] = octets("key", text + 50, len);
        has_key = 1;
    } else if (RARELY(3)) {
        size_t len = PICK(lens);
        with(" iv of %zu", len);
        params[count++] = octets("iv", text + 90, len);
    }
    if (RARELY(10)) {
        static const char *const names[] = {"size", "nonsense", "block-size"};
        const char *name = PICK(names);
        size_t of = chance(3) * 8;
        enum type type = any_number_type();
        with(" %s %zu of type %d", name, of, type);
        params[count++] = number(name, value, type, of);
    }
    params[count] = OSSL_PARAM_construct_end();
    (void)keyed;
    return has_key;
}

static void init_mac(struct authenticated *all, int i) {
    static const size_t lens[] = {16, 16, 24, 32, 32, 0, 1, 20, 64, 65, 200};
    OSSL_PARAM params[4];
    struct value value;
    size_t len = PICK(lens);
    const uint8_t *key = RARELY(3) ? NULL : any_text();
    begin("init, key of %d", key == NULL ? -1 : (int)len);
    int has_key = any_mac_params(params, &value, 0), was_keyed = all->keyed[i], done = 1;
    with("%s", mac_place(all, i));
    EACH(side) done &= said(side, EVP_MAC_init(all->of[i][side], key, len, params));
    all->keyed[i] |= done && (key != NULL || has_key);
    all->ended[i] &= !done;
    all->restarted[i] = was_keyed && strstr(call, " iv of") == NULL;
    all->broken[i] = !done;
}

static void finish_mac(struct authenticated *all, int i) {
    static const size_t rooms[] = {0, 1, 15, 16, 20, 32, 64, 100, 100, 100};
    size_t size = PICK(rooms);
    int ask = RARELY(8), xof = RARELY(15);
    begin("%s, room %zu%s", xof ? "finalXOF" : ask ? "final without output" : "final", size, mac_place(all, i));
    EACH(side) {
        uint8_t out[200] = {0};
        size_t written = 0;
        if (xof && said(side, EVP_MAC_finalXOF(all->of[i][side], out, size)))
            say_bytes(side, out, size);
        if (!xof && said(side, EVP_MAC_final(all->of[i][side], ask ? NULL : out, &written, size)))
            say_bytes(side, out, written);
    }
    all->ended[i] |= xof || !ask;
}

static void mac_call(struct authenticated *all, int i) {
    size_t len = any_length();
    const uint8_t *from = any_text();
    struct value value;
    OSSL_PARAM params[4];
    switch (chance(14)) {
    case 0: case 1: case 2:
        init_mac(all, i);
        return;
    case 3: case 4: case 5:
        finish_mac(all, i);
        return;
    case 6: {
        begin("set");
        int has_key = any_mac_params(params, &value, 1), done = 1;
        with("%s", mac_place(all, i));
        EACH(side) done &= said(side, EVP_MAC_CTX_set_params(all->of[i][side], params));
        all->keyed[i] |= has_key && done;
        all->restarted[i] &= strstr(call, " iv of") == NULL;
        all->broken[i] = !done && (has_key || strstr(call, "cipher") != NULL || strstr(call, "digest") != NULL);
        return;
    }
    case 7: {
        static const char *const names[] = {"size", "block-size", "nonsense"};
        const char *name = PICK(names);
        enum type type = any_number_type();
        begin("get %s of type %d%s", name, type, mac_place(all, i));
        EACH(side) {
            params[0] = room(name, &value, type, 0);
            params[1] = OSSL_PARAM_construct_end();
            if (said(side, EVP_MAC_CTX_get_params(all->of[i][side], params)))
                say_answer(side, params);
            params[0] = room(name, &value, type, 0);
            if (said(side, EVP_MAC_get_params(all->mac[side], params)))
                say_answer(side, params);
        }
        return;
    }
    case 8:
        begin("sizes%s", mac_place(all, i));
        EACH(side) say(side, "%zu %zu", EVP_MAC_CTX_get_mac_size(all->of[i][side]), EVP_MAC_CTX_get_block_size(all->of[i][side]));
        return;
    case 9:
        begin("dup to the other%s", mac_place(all, i));
        EACH(side) {
            EVP_MAC_CTX *copy = EVP_MAC_CTX_dup(all->of[i][side]);
            said(side, copy != NULL);
            EVP_MAC_CTX_free(all->of[1 - i][side]);
            all->of[1 - i][side] = copy != NULL ? copy : EVP_MAC_CTX_new(all->mac[side]);
        }
        all->keyed[1 - i] = all->keyed[i];
        all->ended[1 - i] = all->ended[i];
        all->restarted[1 - i] = all->restarted[i];
        return;
    default:
        begin("update %zu%s", len, mac_place(all, i));
        EACH(side) said(side, EVP_MAC_update(all->of[i][side], from, len));
        return;
    }
}

static void mac_facts(struct authenticated *all) {
    begin("facts");
    EVP_MAC *ours = all->mac[OURS], *theirs = all->mac[THEIRS];
    say_missing("gettable", EVP_MAC_gettable_params(ours), EVP_MAC_gettable_params(theirs), "");
    say_missing("gettable", EVP_MAC_gettable_ctx_params(ours), EVP_MAC_gettable_ctx_params(theirs), "");
    say_missing("settable", EVP_MAC_settable_ctx_params(ours), EVP_MAC_settable_ctx_params(theirs), "");
}

static void mac_sequence(void) {
    struct authenticated all = {0};
    enum agreement agreement = AGREED;
    EACH(side) all.mac[side] = EVP_MAC_fetch(NULL, algorithm, PROPERTIES[side]);
    for (int i = 0; i < 2; i++)
        renew_authenticated(&all, i);
    /* The default Poly1305 calls a null pointer if it has no key, or no longer has one. */
    int needs_key = strcmp(algorithm, "POLY1305") == 0;
    for (int made = 0; made < 25 && agreement != DIFFERENT; made++) {
        int i = RARELY(4);
        if (made == 0 && RARELY(20))
            mac_facts(&all);
        else if ((needs_key && all.ended[i]) || (!all.keyed[i] && (needs_key || !RARELY(4))))
            init_mac(&all, i);
        else
            mac_call(&all, i);
        agreement = compare();
        for (int j = 0; j < 2; j++)
            if (agreement == ON_PURPOSE || all.broken[j])
                renew_authenticated(&all, j);
    }
    for (int i = 0; i < 2; i++)
        EACH(side) EVP_MAC_CTX_free(all.of[i][side]);
    EACH(side) EVP_MAC_free(all.mac[side]);
}
