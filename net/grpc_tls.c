#include <pthread.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "net/grpc_common.h"

/* How often a CA is looked at that may change while the rest may not. */
enum { CA_RELOAD_INTERVAL_MS = 10000 };

struct rpc_tls_server {
    const struct tls_server_options *options;
    struct log *log;
    pthread_mutex_t mutex;
    struct tls_pem pem;     /* guarded by mutex, as all below */
    bool handed_over;       /* core has `pem` */
    int64_t next_reload_ms; /* of the monotonic clock */
};

void rpc_tls_server_check(const struct tls_server_options *options, struct complaints *complaints)
{
    if (options->min_version != TLS_1_2)
        complain(complaints, &options->min_version, "gRPC always takes TLS 1.2 and 1.3; leave it at 1.2");
    if (options->cipher_suites.count > 0)
        complain(complaints, &options->cipher_suites, "can not be set for gRPC");
}

void rpc_tls_client_check(const struct tls_client_options *options, struct complaints *complaints)
{
    if (options->insecure)
        return;
    if (options->min_version != TLS_1_2)
        complain(complaints, &options->min_version, "gRPC always takes TLS 1.2 and 1.3; leave it at 1.2");
    if (options->cipher_suites.count > 0)
        complain(complaints, &options->cipher_suites, "can not be set for gRPC");
}

static int64_t reload_interval_ms(const struct tls_server_options *options)
{
    if (options->reload_interval_ms > 0)
        return options->reload_interval_ms;
    return options->client_ca_file_reload ? CA_RELOAD_INTERVAL_MS : 0;
}

struct rpc_tls_server *rpc_tls_server_new(const struct tls_server_options *options, struct log *log,
                                          struct error *err)
{
    struct rpc_tls_server *tls = mem_calloc(1, sizeof(*tls));
    if (!tls) {
        error_memory(err, "TLS");
        return NULL;
    }
    tls->options = options;
    tls->log = log;
    pthread_mutex_init(&tls->mutex, NULL);
    tls->next_reload_ms = clock_ms(&clock_system) + reload_interval_ms(options);
    if (tls_server_load(options, &tls->pem, err))
        return tls;
    rpc_tls_server_free(tls);
    return NULL;
}

void rpc_tls_server_free(struct rpc_tls_server *tls)
{
    if (!tls)
        return;
    tls_pem_fini(&tls->pem);
    pthread_mutex_destroy(&tls->mutex);
    mem_free(tls);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

bool rpc_tls_pem_equal(const struct tls_pem *a, const struct tls_pem *b)
{
    return same_text(a->certificates, b->certificates) && same_text(a->key, b->key) &&
           same_text(a->ca, b->ca);
}

/* Looks at the files again when it is time, and keeps the old ones where the new ones are bad. */
static void reload(struct rpc_tls_server *tls)
{
    int64_t interval_ms = reload_interval_ms(tls->options);
    int64_t now_ms = clock_ms(&clock_system);
    if (interval_ms == 0 || now_ms < tls->next_reload_ms)
        return;
    tls->next_reload_ms = now_ms + interval_ms;
    struct tls_pem pem = {0};
    struct error err = {0};
    if (!tls_server_load(tls->options, &pem, &err)) {
        log_warn(tls->log, "keeping the old certificate: %s", err.message);
        return;
    }
    if (rpc_tls_pem_equal(&pem, &tls->pem)) {
        tls_pem_fini(&pem);
        return;
    }
    tls_pem_fini(&tls->pem);
    tls->pem = pem;
    tls->handed_over = false;
    log_info(tls->log, "took a new certificate");
}

/* Core calls it at each handshake. Core aborts without roots, also where it asks no client for a certificate:
 * the server's own certificate stands in for them, unused. */
static grpc_ssl_certificate_config_reload_status fetch(void *user,
                                                       grpc_ssl_server_certificate_config **config)
{
    struct rpc_tls_server *tls = user;
    grpc_ssl_certificate_config_reload_status status = GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_UNCHANGED;
    pthread_mutex_lock(&tls->mutex);
    reload(tls);
    if (!tls->handed_over) {
        grpc_ssl_pem_key_cert_pair pair = {.private_key = tls->pem.key, .cert_chain = tls->pem.certificates};
        *config = grpc_ssl_server_certificate_config_create(tls->pem.ca ? tls->pem.ca : tls->pem.certificates,
                                                            &pair, 1);
        tls->handed_over = true;
        status = GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_NEW;
    }
    pthread_mutex_unlock(&tls->mutex);
    return status;
}

grpc_server_credentials *rpc_tls_server_credentials(struct rpc_tls_server *tls)
{
    return grpc_ssl_server_credentials_create_with_options(
        grpc_ssl_server_credentials_create_options_using_config_fetcher(
            tls->pem.ca ? GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY
                        : GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE,
            fetch, tls));
}

/* Takes any certificate; only core's newer kind of credentials can. */
static grpc_channel_credentials *unverified(const struct tls_pem *pem)
{
    grpc_tls_credentials_options *options = grpc_tls_credentials_options_create();
    grpc_tls_credentials_options_set_verify_server_cert(options, 0);
    grpc_tls_credentials_options_set_check_call_host(options, 0);
    grpc_tls_certificate_verifier *verifier = grpc_tls_certificate_verifier_no_op_create();
    grpc_tls_credentials_options_set_certificate_verifier(options, verifier);
    grpc_tls_certificate_verifier_release(verifier);
    if (pem->certificates) {
        grpc_tls_identity_pairs *pairs = grpc_tls_identity_pairs_create();
        grpc_tls_identity_pairs_add_pair(pairs, pem->key, pem->certificates);
        grpc_tls_certificate_provider *provider =
            grpc_tls_certificate_provider_static_data_create(NULL, pairs);
        grpc_tls_credentials_options_set_certificate_provider(options, provider);
        grpc_tls_credentials_options_watch_identity_key_cert_pairs(options);
        grpc_tls_certificate_provider_release(provider);
    }
    return grpc_tls_credentials_create(options);
}

grpc_channel_credentials *rpc_client_credentials(const struct tls_client_options *options,
                                                 const struct tls_pem *pem)
{
    if (options->insecure)
        return grpc_insecure_credentials_create();
    if (options->insecure_skip_verify)
        return unverified(pem);
    grpc_ssl_pem_key_cert_pair pair = {.private_key = pem->key, .cert_chain = pem->certificates};
    return grpc_ssl_credentials_create_ex(pem->ca, pem->certificates ? &pair : NULL, NULL, NULL);
}
