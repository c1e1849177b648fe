/* Where the module differs from OpenSSL's default provider on purpose. */

#define ANY NULL
#define V(major, minor) ((unsigned long)(major) << 28 | (unsigned long)(minor) << 20)
#define ALL 0, ULONG_MAX

static const struct known KNOWN[] = {
    {"none", ANY, ANY, ANY, ALL, "none yet"},
};
static unsigned long met[COUNT(KNOWN)];

static int holds(const char *words, const char *wanted) { return wanted == ANY || strstr(words, wanted) != NULL; }

static const struct known *known_difference(void) {
    for (size_t i = 0; i < COUNT(KNOWN); i++) {
        const struct known *known = &KNOWN[i];
        if (version >= known->from && version < known->before && holds(algorithm, known->algorithm) && holds(call, known->call)
            && holds(answers[OURS], known->ours) && holds(answers[THEIRS], known->theirs)) {
            met[i]++;
            return known;
        }
    }
    return NULL;
}
