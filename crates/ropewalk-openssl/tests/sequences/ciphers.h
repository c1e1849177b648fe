/* Sequences of calls with ciphers. */

enum kind { STREAM, BLOCKS, GCM, CHACHA_POLY, CCM, XTS, WRAP, RECORDS };
static const struct {
    const char *name;
    enum kind kind;
} CIPHERS[] = {
    {"AES-128-ECB", BLOCKS},
    {"AES-192-ECB", BLOCKS},
    {"AES-256-ECB", BLOCKS},
    {"AES-128-CBC", BLOCKS},
    {"AES-192-CBC", BLOCKS},
    {"AES-256-CBC", BLOCKS},
    {"AES-128-CTR", STREAM},
    {"AES-192-CTR", STREAM},
    {"AES-256-CTR", STREAM},
    {"ChaCha20", STREAM},
    {"AES-128-GCM", GCM},
    {"AES-192-GCM", GCM},
    {"AES-256-GCM", GCM},
    {"ChaCha20-Poly1305", CHACHA_POLY},
    {"AES-128-CCM", CCM},
    {"AES-192-CCM", CCM},
    {"AES-256-CCM", CCM},
    {"AES-128-XTS", XTS},
    {"AES-256-XTS", XTS},
    {"AES-128-WRAP", WRAP},
    {"AES-192-WRAP", WRAP},
    {"AES-256-WRAP", WRAP},
    {"AES-128-WRAP-PAD", WRAP},
    {"AES-192-WRAP-PAD", WRAP},
    {"AES-256-WRAP-PAD", WRAP},
    {"AES-128-CBC-HMAC-SHA1", RECORDS},
    {"AES-256-CBC-HMAC-SHA1", RECORDS},
    {"AES-128-CBC-HMAC-SHA256", RECORDS},
    {"AES-256-CBC-HMAC-SHA256", RECORDS},
};
static enum kind kind;

/* Two texts, so that one can be copied to the other. */
struct texts {
    EVP_CIPHER *cipher[SIDES];
    EVP_CIPHER_CTX *of[2][SIDES];
    struct text {
        /* Whether there was a successful init, and one with a key and with a nonce. */
        int begun, keyed, with_iv;
        /* 1 to encrypt, 0 to decrypt. */
        int way;
        /* Of the last text: its end, and the last tag that was got. */
        int ended;
        /* 1 if a TLS record was announced, 2 if that was before its MAC had a key; and whether the MAC has a key. */
        int record, mac_key;
        /* Whether the direction differs from that of the key, and whether a partial block may be buffered. */
        int turned, part;
        /* Whether a tag or an end was refused, and whether the key was changed in the middle of the text. */
        int refused, rekeyed;
        /* Whether additional data ends within a block, and whether EVP_Cipher was called with no bytes there. */
        int aad, cut;
        /* Whether the default provider may have another nonce from here on: the fixed part of those of records was set or, once
         * there was a key, their length; or a message failed. */
        int nonces;
        /* Whether there is a tag that a text to decrypt is to have. */
        int tagged;
        /* Whether TLS padding was requested, of which the default provider frees a copy twice. */
        int tls;
        /* Whether a call has failed that leaves undefined what it had done before. */
        int broken;
    } at[2];
};

static void renew_text(struct texts *all, int i) {
    EACH(side) {
        EVP_CIPHER_CTX_free(all->of[i][side]);
        all->of[i][side] = EVP_CIPHER_CTX_new();
        EVP_CIPHER_CTX_set_flags(all->of[i][side], EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
    }
    all->at[i] = (struct text){.way = 1};
}

/* The state of the text, for the list of known differences. */
static const char *text_place(const struct text *at) {
    static char words[140];
    snprintf(words, sizeof words, " [%s%s%s%s%s%s%s%s%s%s%s%s%s%s]", at->way ? "encrypts" : "decrypts", at->keyed ? "" : ", no key",
             at->with_iv ? "" : ", no iv", at->ended ? ", ended" : "", at->turned ? ", turned" : "", at->part ? ", part" : "",
             at->way && !at->ended ? ", open" : "", at->way || at->tagged ? "" : ", no tag", at->refused ? ", refused" : "", at->rekeyed ? ", rekeyed" : "", at->cut ? ", cut" : "", at->nonces ? ", other nonces" : "", at->record ? ", record" : "", at->record == 2 ? ", no mac key" : "");
    return words;
}

static void parameter_was_set(struct text *at, int done) {
    at->tls |= strstr(call, " tls-version") != NULL;
    at->nonces |= done && (strstr(call, " tlsivfixed") != NULL || (at->keyed && (strstr(call, " ivlen") != NULL || strstr(call, "ctrl 0") == call)));
}

/* A nonce that was not set is random, and then nothing can be compared. */
static int makes_a_nonce(const struct texts *all, int i) {
    const struct text *at = &all->at[i];
    return kind == GCM && at->way && !at->with_iv;
}

/* ---- Parameters. */

/* A fixed part longer than the nonce is omitted, since it crashes the default provider. */
static OSSL_PARAM any_cipher_param(struct text *at, struct value *value) {
    static const char *const numbers[] = {"ivlen", "ivlen", "keylen", "padding", "padding", "num", "tls-version", "tls-mac-size", "nonsense"};
    static const size_t sizes[] = {0, 1, 4, 7, 8, 12, 13, 15, 16, 17, 24, 32, 64, 128, 129};
    static const size_t tags[] = {0, 1, 3, 4, 6, 8, 12, 14, 15, 16, 17};
    const char *name = PICK(numbers);
    size_t of = PICK(sizes), len;
    enum type type = any_number_type();
    uint8_t *bytes = value->bytes;
    switch (kind == RECORDS || kind == GCM || kind == CCM || kind == CHACHA_POLY ? chance(8) : 7) {
    case 0: case 1:
        len = PICK(tags);
        with(" tag of %zu", len);
        at->refused |= at->way;
        memcpy(bytes, text, sizeof value->bytes);
        return octets("tag", bytes, len);
    case 2: {
        static const unsigned versions[] = {0x0301, 0x0302, 0x0303, 0xfefd, 0};
        unsigned v = PICK(versions);
        memcpy(bytes, "\1\2\3\4\5\6\7\10\27", 9);
        bytes[9] = v >> 8, bytes[10] = v, len = any_length(), bytes[11] = len >> 8, bytes[12] = len;
        at->record = at->mac_key ? 1 : 2;
        at->refused |= at->way;
        if (RARELY(10)) {
            len = chance(20);
            with(" tlsaad of %zu", len);
            return octets("tlsaad", bytes, len);
        }
        with(" tlsaad of version %x for %zu", v, len);
        return octets("tlsaad", bytes, 13);
    }
    case 3:
        len = RARELY(3) ? chance(13) : kind == GCM || kind == CCM ? 4 : 12;
        /* The rest of it is random. */
        if (kind == GCM && at->way)
            break;
        with(" tlsivfixed of %zu", len);
        return octets("tlsivfixed", text, len);
    case 4:
        len = RARELY(3) ? chance(13) : 8;
        with(" tlsivinv of %zu", len);
        return octets("tlsivinv", text, len);
    case 5:
        len = any_length();
        at->mac_key = 1;
        with(" mackey of %zu", len);
        return octets("mackey", text, len);
    }
    /* They are only for texts in blocks, and for records of libssl. */
    if (strncmp(name, "tls", 3) == 0 && kind != BLOCKS)
        name = "nonsense";
    if (RARELY(20)) {
        with(" %s of %zu octets", name, of);
        return octets(name, text, of);
    }
    if (strcmp(name, "tls-version") == 0)
        of = RARELY(2) ? 0x0303 : RARELY(2) ? 0x0301 : 0;
    with(" %s %zu of type %d", name, of, type);
    return number(name, value, type, of);
}

static void set_cipher_param(struct texts *all, int i) {
    struct value value;
    OSSL_PARAM params[2] = {OSSL_PARAM_END, OSSL_PARAM_END};
    begin("set");
    params[0] = any_cipher_param(&all->at[i], &value);
    with("%s", text_place(&all->at[i]));
    int done = 1, is_tag = strstr(call, " tag of") != NULL;
    EACH(side) done &= said(side, EVP_CIPHER_CTX_set_params(all->of[i][side], params));
    all->at[i].broken = !done && strstr(call, "tlsaad") != NULL;
    all->at[i].tagged |= done && is_tag;
    parameter_was_set(&all->at[i], done);
}

static void ask_text(struct texts *all, int i) {
    static const char *const names[] = {"keylen", "ivlen",     "padding", "num",  "iv",        "updated-iv",
                                        "tag",    "taglen",    "tlsaadpad", "iv-generated", "nonsense"};
    static const size_t sizes[] = {0, 1, 4, 8, 11, 12, 13, 16, 17, 64};
    const char *name = PICK(names);
    int is_octets = strstr(name, "iv") == name && name[2] != 'l' && name[2] != '-';
    is_octets |= strcmp(name, "updated-iv") == 0 || strcmp(name, "tag") == 0;
    enum type type = is_octets != RARELY(20) ? OCTETS : any_number_type();
    size_t size = PICK(sizes);
    if (makes_a_nonce(all, i) && strstr(name, "iv") != NULL)
        name = "keylen", type = SIZE;
    begin("get %s of type %d, room %zu%s", name, type, size, text_place(&all->at[i]));
    EACH(side) {
        struct value value;
        OSSL_PARAM params[2] = {room(name, &value, type, size), OSSL_PARAM_END};
        if (said(side, EVP_CIPHER_CTX_get_params(all->of[i][side], params)))
            say_answer(side, params);
        params[0] = room(name, &value, type, size);
        if (said(side, EVP_CIPHER_get_params(all->cipher[side], params)))
            say_answer(side, params);
    }
}

static void ask_text_by_functions(struct texts *all, int i) {
    int numbers = RARELY(2);
    begin("%s%s", numbers ? "numbers" : "ivs", text_place(&all->at[i]));
    EACH(side) {
        EVP_CIPHER_CTX *of = all->of[i][side];
        uint8_t iv[64] = {0};
        if (!all->at[i].begun)
            continue;
        if (numbers)
            say(side, "key %d iv %d tag %d num %d way %d ", EVP_CIPHER_CTX_get_key_length(of), EVP_CIPHER_CTX_get_iv_length(of),
            EVP_CIPHER_CTX_get_tag_length(of), EVP_CIPHER_CTX_get_num(of), EVP_CIPHER_CTX_is_encrypting(of));
        int len = EVP_CIPHER_CTX_get_iv_length(of);
        if (numbers || makes_a_nonce(all, i) || len < 0 || len > (int)sizeof iv)
            continue;
        if (said(side, EVP_CIPHER_CTX_get_original_iv(of, iv, sizeof iv)))
            say_bytes(side, iv, len);
        if (said(side, EVP_CIPHER_CTX_get_updated_iv(of, iv, sizeof iv)))
            say_bytes(side, iv, len);
    }
}

/* The interface of programs from before OpenSSL 3.0, instead of parameters. */
static void control(struct texts *all, int i) {
    static const int sizes[] = {-1, 0, 1, 2, 4, 7, 8, 11, 12, 13, 15, 16, 17, 32, 64, 129};
    int size = PICK(sizes), what = chance(7);
    uint8_t bytes[200];
    struct text *at = &all->at[i];
    /* A tag whose length is negative or exceeds the buffer, and random parts of a nonce. */
    begin("ctrl %d, %d%s", what, size, text_place(at));
    at->refused |= at->way && (what == 1 || what == 2);
    parameter_was_set(at, what == 0);
    EACH(side) {
        EVP_CIPHER_CTX *of = all->of[i][side];
        memcpy(bytes, text, sizeof bytes);
        switch (what) {
        case 0:
            said(side, EVP_CIPHER_CTX_ctrl(of, EVP_CTRL_AEAD_SET_IVLEN, size, NULL));
            break;
        case 1:
            at->tagged |= said(side, EVP_CIPHER_CTX_ctrl(of, EVP_CTRL_AEAD_SET_TAG, size < 0 ? 16 : size, bytes));
            break;
        case 2:
            said(side, EVP_CIPHER_CTX_ctrl(of, EVP_CTRL_AEAD_SET_TAG, size < 0 ? 16 : size, NULL));
            break;
        case 3:
            if (said(side, EVP_CIPHER_CTX_ctrl(of, EVP_CTRL_AEAD_GET_TAG, size < 0 ? 16 : size, bytes)))
                say_bytes(side, bytes, size < 0 ? 16 : size);
            break;
        case 4:
            said(side, EVP_CIPHER_CTX_set_key_length(of, size));
            break;
        case 5:
            said(side, EVP_CIPHER_CTX_set_padding(of, size > 4));
            break;
        case 6:
            said(side, EVP_CIPHER_CTX_set_num(of, size));
            break;
        }
    }
}

/* ---- Texts. */

/* Half of a key of AES-XTS must not be like the other, which a sequence tries rarely. */
static void init_text(struct texts *all, int i) {
    struct text *at = &all->at[i];
    struct value value;
    OSSL_PARAM params[2] = {OSSL_PARAM_END, OSSL_PARAM_END};
    const uint8_t *keys[] = {text, text + 100, text + MOST}, *ivs[] = {text + 300, text + 400};
    static const uint8_t standard[16] = {0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6};
    int anew = !at->begun || RARELY(3), way = RARELY(4) ? -1 : RARELY(3) ? !at->way : at->way;
    const uint8_t *key = RARELY(3) ? NULL : PICK(keys), *iv = RARELY(3) ? NULL : RARELY(8) ? standard : PICK(ivs);
    static uint8_t equal[64];
    if (kind == XTS && RARELY(20))
        key = equal;
    /* The default provider calls a null pointer if there is no key. */
    if (kind == WRAP && !at->keyed && key == NULL)
        key = keys[0];
    if (anew)
        at->record = 0;
    begin("init%s, key %td, iv %td, way %d", anew ? "" : " again", key == NULL ? -1 : key == equal ? -2 : key - text,
          iv == NULL ? -1 : iv == standard ? -2 : iv - text, way);
    if (RARELY(5))
        params[0] = any_cipher_param(at, &value);
    /* The rest of the nonce is random. */
    if (kind == GCM && way != 0 && strstr(call, "tlsivfixed") != NULL)
        params[0] = OSSL_PARAM_construct_end();
    with("%s", text_place(at));
    int done = 1;
    EACH(side) {
        EVP_CIPHER_CTX *of = all->of[i][side];
        if (way == -1 && !at->begun)
            way = 1;
        done &= said(side, EVP_CipherInit_ex2(of, anew ? all->cipher[side] : NULL, key, iv, way, params[0].key == NULL ? NULL : params));
    }
    at->begun |= done;
    if (anew)
        at->keyed = at->with_iv = at->refused = at->rekeyed = at->tagged = 0;
    parameter_was_set(at, done);
    /* With another key, the default provider drops that of the MAC. */
    if ((anew || key != NULL) && strstr(call, " mackey of") == NULL)
        at->mac_key = 0;
    if (at->record && !at->mac_key)
        at->record = 2;
    at->keyed |= key != NULL && done;
    at->with_iv |= iv != NULL && done;
    at->rekeyed |= key != NULL && iv == NULL && !anew;
    if (iv != NULL)
        at->rekeyed = 0;
    if (anew || iv != NULL)
        at->aad = at->cut = 0;
    if (way != -1 && way != at->way)
        at->turned = !at->turned;
    if (key != NULL || !at->keyed)
        at->turned = 0;
    if (way != -1 && way != at->way)
        at->tagged = 0;
    at->way = way == -1 ? at->way : way;
    at->part = 0;
    /* A nonce is for one message, which has ended until another nonce is set. Others restart with the previous IV. */
    if (anew || iv != NULL || (at->with_iv && kind != GCM && kind != CCM && kind != CHACHA_POLY))
        at->ended = 0;
    at->broken = !done;
    at->tagged |= done && strstr(call, " tag of") != NULL;
}

/* In place, in separate buffers, or without output. */
static void update_text(struct texts *all, int i) {
    struct text *at = &all->at[i];
    static uint8_t buffers[SIDES][2 * MOST];
    static const size_t for_wrap[] = {0, 1, 7, 8, 9, 15, 16, 17, 24, 31, 32, 40, 64, 256};
    size_t len = kind == WRAP ? PICK(for_wrap) : any_length();
    const uint8_t *from = any_text();
    int how = RARELY(4) ? 2 : chance(2), cipher = RARELY(6) && at->begun;
    static const char *const words[] = {"apart", "in place", "without output", "without input"};
    /* Records are in place, and the default provider reads past the end of short ones. */
    if (at->record)
        how = 1, cipher = at->begun;
    /* An end for some. Others read from a null pointer. */
    if (RARELY(30) && !at->record && (kind == GCM || kind == CHACHA_POLY || kind == CCM || kind == WRAP))
        how = 3, len = 0;
    /* Additional data for some, a query or no effect for others. The rest would write to a null pointer. */
    if (how == 2 && (kind == STREAM || kind == BLOCKS || kind == XTS || kind == RECORDS))
        how = 0;
    begin("%s %zu %s%s", cipher ? "cipher" : "update", len, words[how], text_place(at));
    int failed = 0;
    EACH(side) {
        EVP_CIPHER_CTX *of = all->of[i][side];
        uint8_t *out = how == 2 ? NULL : buffers[side];
        const uint8_t *in = how == 3 ? NULL : how == 1 ? out : from;
        int written = 0, result;
        memset(buffers[side], 0xaa, sizeof buffers[side]);
        if (how == 1)
            memcpy(out, from, len);
        if (cipher) {
            result = EVP_Cipher(of, out, in, len);
            say(side, "%d ", result < 0 ? -1 : result);
            written = result < 0 ? 0 : result;
            if (at->record && result > 0)
                written = len;
        } else {
            result = said(side, EVP_CipherUpdate(of, out, &written, in, len));
            written = result ? written : 0;
            if (result)
                say(side, " wrote %d", written);
        }
        failed |= result <= 0;
        if (out != NULL && in != NULL)
            say_bytes(side, out, written);
    }
    /* The buffer after a failed record, and after any with the default AES-CCM, is undefined. */
    at->broken = at->record && (failed || kind == CCM);
    at->nonces |= (at->record && kind == CHACHA_POLY) || (failed && kind == CCM);
    at->record = 0;
    at->part |= !cipher && (len % 16 != 0 || !at->way);
    at->ended |= how == 3 && cipher;
    at->cut |= kind == GCM && at->aad && cipher && len == 0 && how < 2;
    if (len > 0)
        at->aad = how == 2 && (len % 16 != 0 || at->aad);
    at->refused |= failed && how == 3;
}

static void finish_text(struct texts *all, int i) {
    struct text *at = &all->at[i];
    int reset = RARELY(8);
    begin("%s%s", reset ? "final" : "final_ex", text_place(at));
    EACH(side) {
        uint8_t out[64] = {0};
        int written = 0;
        if (said(side, (reset ? EVP_CipherFinal : EVP_CipherFinal_ex)(all->of[i][side], out, &written)))
            say_bytes(side, out, written);
        else
            at->refused = 1;
    }
    at->ended = 1;
    at->tagged |= at->way;
}

/* A message sealed by one side is opened by either, with its tag. */
static void get_tag(struct texts *all, int i) {
    begin("tag%s", text_place(&all->at[i]));
    EACH(side) {
        uint8_t tag[16] = {0};
        if (said(side, EVP_CIPHER_CTX_ctrl(all->of[i][side], EVP_CTRL_AEAD_GET_TAG, 16, tag)))
            say_bytes(side, tag, 16);
    }
}

static void copy_text(struct texts *all, int i) {
    int to = 1 - i, dup = cipher_dup != NULL && RARELY(2);
    if (all->at[i].tls) {
        ask_text_by_functions(all, i);
        return;
    }
    begin("%s to the other%s", dup ? "dup" : "copy", text_place(&all->at[i]));
    EACH(side) {
        EVP_CIPHER_CTX **other = &all->of[to][side];
        if (dup) {
            EVP_CIPHER_CTX_free(*other);
            *other = cipher_dup(all->of[i][side]);
            said(side, *other != NULL);
            if (*other == NULL)
                *other = EVP_CIPHER_CTX_new();
        } else {
            said(side, EVP_CIPHER_CTX_copy(*other, all->of[i][side]));
        }
    }
    all->at[to] = all->at[i];
}

static void cipher_call(struct texts *all, int i) {
    /* The default provider calls a null pointer if there is no key, or a context without one was copied. */
    int lives = (kind != WRAP && kind != XTS) || all->at[i].keyed;
    switch (chance(18)) {
    case 0: case 1: case 2: case 3:
        init_text(all, i);
        return;
    case 4: case 5: case 6:
        if (lives && !makes_a_nonce(all, i)) {
            finish_text(all, i);
            return;
        }
        /* fall through */
    case 7:
        set_cipher_param(all, i);
        return;
    case 8:
        ask_text(all, i);
        return;
    case 9:
        ask_text_by_functions(all, i);
        return;
    case 10:
        control(all, i);
        return;
    case 11:
        copy_text(all, i);
        return;
    case 12:
        get_tag(all, i);
        return;
    default:
        if (!lives || makes_a_nonce(all, i))
            init_text(all, i);
        else
            update_text(all, i);
        return;
    }
}

static void cipher_facts(struct texts *all) {
    begin("facts");
    EACH(side) {
        EVP_CIPHER *cipher = all->cipher[side];
        say(side, "key %d iv %d block %d mode %d flags %lx type %d", EVP_CIPHER_get_key_length(cipher),
            EVP_CIPHER_get_iv_length(cipher), EVP_CIPHER_get_block_size(cipher), EVP_CIPHER_get_mode(cipher),
            EVP_CIPHER_get_flags(cipher), EVP_CIPHER_get_type(cipher));
    }
    EVP_CIPHER *ours = all->cipher[OURS], *theirs = all->cipher[THEIRS];
    const char *meaningless = kind == BLOCKS ? "use-bits" : "use-bits tls-mac tls-mac-size tls-version num padding updated-iv tlsivgen tlsivinv iv-generated";
    say_missing("gettable", EVP_CIPHER_gettable_params(ours), EVP_CIPHER_gettable_params(theirs), "");
    say_missing("gettable", EVP_CIPHER_gettable_ctx_params(ours), EVP_CIPHER_gettable_ctx_params(theirs), meaningless);
    say_missing("settable", EVP_CIPHER_settable_ctx_params(ours), EVP_CIPHER_settable_ctx_params(theirs), meaningless);
}

static void cipher_sequence(void) {
    struct texts all = {0};
    enum agreement agreement = AGREED;
    EACH(side) all.cipher[side] = EVP_CIPHER_fetch(NULL, algorithm, PROPERTIES[side]);
    for (int i = 0; i < 2; i++)
        renew_text(&all, i);
    /* OpenSSL has those of records for some processors only. */
    for (int made = 0; all.cipher[THEIRS] != NULL && made < 25 && agreement != DIFFERENT; made++) {
        int i = RARELY(4);
        if (made == 0 && RARELY(20))
            cipher_facts(&all);
        else if (!all.at[i].begun && !RARELY(10))
            init_text(&all, i);
        else if (!all.at[i].begun)
            /* Most calls with a context without a cipher crash libcrypto. */
            (RARELY(2) ? finish_text : update_text)(&all, i);
        else
            cipher_call(&all, i);
        agreement = compare();
        for (int j = 0; j < 2; j++)
            if (agreement == ON_PURPOSE || all.at[j].broken)
                renew_text(&all, j);
    }
    for (int i = 0; i < 2; i++)
        EACH(side) EVP_CIPHER_CTX_free(all.of[i][side]);
    EACH(side) EVP_CIPHER_free(all.cipher[side]);
}
