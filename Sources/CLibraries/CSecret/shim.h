/* Items by their paths, without an object for each, which costs several more questions on the bus. */
#define SECRET_API_SUBJECT_TO_CHANGE
#include <libsecret/secret.h>

/* The keyring behind the functions for passwords. This header counts as a part of secret.h, which leaves it out. */
#define __SECRET_INSIDE_HEADER__
#include <libsecret/secret-backend.h>
#undef __SECRET_INSIDE_HEADER__

/* A schema is a structure with a fixed array, which Swift would have to fill element by element. */
static inline const SecretSchema *secret_account_schema(void)
{
    static const SecretSchema schema = {
        "org.tokentry.Account", SECRET_SCHEMA_NONE, {{"account", SECRET_SCHEMA_ATTRIBUTE_STRING}, {NULL, 0}}};
    return &schema;
}

static inline const SecretSchema *secret_client_schema(void)
{
    static const SecretSchema schema = {
        "org.tokentry.Client", SECRET_SCHEMA_NONE, {{"client", SECRET_SCHEMA_ATTRIBUTE_STRING}, {NULL, 0}}};
    return &schema;
}
