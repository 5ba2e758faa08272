#include <libsecret/secret.h>

/* A schema is a structure with a fixed array, which Swift would have to fill element by element. */
static inline const SecretSchema *secret_account_schema(void)
{
    static const SecretSchema schema = {
        "org.tokentry.Account", SECRET_SCHEMA_NONE, {{"account", SECRET_SCHEMA_ATTRIBUTE_STRING}, {NULL, 0}}};
    return &schema;
}
