/* TLS settings, one struct for gRPC, the HTTP server and the HTTP client, with the Collector's option names.
 *
 * Files are read and checked with OpenSSL when a component starts, so that a bad one gets an error that names
 * file and fault; with reload_interval they are looked at again and new ones are taken for new connections, a
 * bad new one is logged and the old kept.
 */
#ifndef PROFCOL_NET_TLS_H
#define PROFCOL_NET_TLS_H

#include "base/log.h"
#include "base/option.h"

enum tls_version { TLS_1_0, TLS_1_1, TLS_1_2, TLS_1_3 }; /* 1.0 and 1.1 are refused by check */

struct tls_server_options {
    struct slice cert_file, cert_pem, key_file, key_pem, client_ca_file;
    bool client_ca_file_reload;
    enum tls_version min_version, max_version;
    struct option_strings cipher_suites;
    int64_t reload_interval_ms; /* 0: never */
};

struct tls_client_options {
    bool insecure;             /* plain text */
    bool insecure_skip_verify; /* takes any certificate */
    struct slice server_name_override, ca_file, ca_pem, cert_file, cert_pem, key_file, key_pem;
    bool include_system_ca_certs_pool;
    enum tls_version min_version, max_version;
    struct option_strings cipher_suites;
    int64_t reload_interval_ms;
};

extern const struct option tls_server_rows[];
extern const struct option tls_client_rows[];
extern const struct tls_server_options tls_server_defaults; /* min_version 1.2 */
extern const struct tls_client_options tls_client_defaults;
void tls_server_check(const struct tls_server_options *options, struct complaints *complaints);
void tls_client_check(const struct tls_client_options *options, struct complaints *complaints);

/* The PEM texts that the options name, read and checked (certificate and key belong together, not expired
 * is only warned about). */
struct tls_pem {
    char *certificates, *key, *ca; /* NUL-terminated or NULL; freed by tls_pem_fini */
};
bool tls_server_load(const struct tls_server_options *options, struct tls_pem *pem, struct error *err);
bool tls_client_load(const struct tls_client_options *options, struct tls_pem *pem, struct error *err);
void tls_pem_fini(struct tls_pem *pem);

#endif
