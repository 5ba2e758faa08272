#include "../CGLib/flags.h"

/* For searching items by their paths. An object for each item would cost several more calls on the bus. */
#define SECRET_API_SUBJECT_TO_CHANGE
#include <libsecret/secret.h>

/* The back end behind the functions for passwords. This header may only be included by secret.h, which does not include it. */
#define __SECRET_INSIDE_HEADER__
#include <libsecret/secret-backend.h>
#undef __SECRET_INSIDE_HEADER__

/* A schema has a fixed array, which Swift would have to fill element by element. */
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
