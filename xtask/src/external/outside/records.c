// Records of TLS through libssl and nothing else: what one costs to write and to read, and how many go through by as many
// threads as are asked for, each with a connection of its own that shares nothing but the program.
//
// usage: records CERTIFICATE KEY VERSION CIPHER BYTES THREADS SECONDS
// It prints nanoseconds to write and to read a record, and records a second of all threads together.

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 16384, ONCE = 64 };

static SSL_CTX *server_context, *client_context;
static size_t bytes;
static double seconds;

struct done {
    double written, read; // seconds
    unsigned long records;
    int failed;
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// Each hands what the other is to read to it, in memory.
static int shake_hands(SSL *server, SSL *client) {
    for (int i = 0; i < 100; i++) {
        int client_is = SSL_do_handshake(client), server_is = SSL_do_handshake(server);
        if (client_is == 1 && server_is == 1) {
            // Tickets of TLS 1.3 come after it.
            char none;
            SSL_read(client, &none, 0);
            return 1;
        }
    }
    return 0;
}

static void *work(void *at) {
    struct done *done = at;
    static const unsigned char text[MOST] = "text";
    unsigned char *room = malloc(MOST);
    SSL *server = SSL_new(server_context), *client = SSL_new(client_context);
    BIO *to_client = BIO_new(BIO_s_mem()), *to_server = BIO_new(BIO_s_mem());
    BIO_up_ref(to_client);
    BIO_up_ref(to_server);
    SSL_set_bio(server, to_server, to_client);
    SSL_set_bio(client, to_client, to_server);
    SSL_set_accept_state(server);
    SSL_set_connect_state(client);
    done->failed = 1;
    if (shake_hands(server, client)) {
        double begin = now(), end = begin + seconds;
        done->failed = 0;
        for (double a = begin; a < end && !done->failed;) {
            for (int i = 0; i < ONCE; i++)
                done->failed |= SSL_write(server, text, (int)bytes) != (int)bytes;
            double b = now();
            for (int i = 0; i < ONCE; i++)
                done->failed |= SSL_read(client, room, MOST) != (int)bytes;
            double c = now();
            done->written += b - a;
            done->read += c - b;
            done->records += ONCE;
            a = c;
        }
        done->failed |= memcmp(room, text, bytes) != 0;
    }
    SSL_free(server);
    SSL_free(client);
    free(room);
    return NULL;
}

static int is_set_up(char **arguments) {
    const char *cipher = arguments[4];
    int version = strcmp(arguments[3], "1.3") == 0 ? TLS1_3_VERSION : TLS1_2_VERSION;
    server_context = SSL_CTX_new(TLS_server_method());
    client_context = SSL_CTX_new(TLS_client_method());
    SSL_CTX *both[] = {server_context, client_context};
    for (int i = 0; i < 2; i++) {
        SSL_CTX_set_min_proto_version(both[i], version);
        SSL_CTX_set_max_proto_version(both[i], version);
        int set = version == TLS1_3_VERSION ? SSL_CTX_set_ciphersuites(both[i], cipher)
                                            : SSL_CTX_set_cipher_list(both[i], cipher);
        if (set != 1)
            return 0;
    }
    return SSL_CTX_use_certificate_file(server_context, arguments[1], SSL_FILETYPE_PEM) == 1 &&
           SSL_CTX_use_PrivateKey_file(server_context, arguments[2], SSL_FILETYPE_PEM) == 1;
}

int main(int count, char **arguments) {
    if (count != 8 || !is_set_up(arguments)) {
        ERR_print_errors_fp(stderr);
        return 2;
    }
    bytes = strtoul(arguments[5], NULL, 10);
    seconds = strtod(arguments[7], NULL);
    enum { THREADS = 64 };
    int threads = atoi(arguments[6]);
    if (bytes == 0 || bytes > MOST || threads < 1 || threads > THREADS)
        return 2;
    static struct done done[THREADS];
    static pthread_t started[THREADS];
    double begin = now();
    for (int i = 0; i < threads; i++)
        if (pthread_create(&started[i], NULL, work, &done[i]) != 0)
            return 2;
    struct done all = {0};
    for (int i = 0; i < threads; i++) {
        pthread_join(started[i], NULL);
        all.written += done[i].written;
        all.read += done[i].read;
        all.records += done[i].records;
        all.failed |= done[i].failed;
    }
    double took = now() - begin;
    if (all.failed) {
        ERR_print_errors_fp(stderr);
        return 1;
    }
    double records = (double)all.records;
    printf("%.2f %.2f %.0f\n", all.written / records * 1e9, all.read / records * 1e9, records / took);
    SSL_CTX_free(server_context);
    SSL_CTX_free(client_context);
    return 0;
}
