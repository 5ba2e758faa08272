#include "../CGLib/flags.h"

#if !__has_include(<../libsecret-1/libsecret/secret-service.h>)
#error "libsecret's headers are missing: on Debian, install libsecret-1-dev"
#endif

#define SECRET_API_SUBJECT_TO_CHANGE
/* secret.h itself only works with the flags of its pkg-config file (see CGLib), and lacks the back end behind the functions for
   passwords. */
#include <gio/gio.h>
#define __SECRET_INSIDE_HEADER__
#include <../libsecret-1/libsecret/secret-backend.h>
#include <../libsecret-1/libsecret/secret-collection.h>
#include <../libsecret-1/libsecret/secret-item.h>
#include <../libsecret-1/libsecret/secret-password.h>
#include <../libsecret-1/libsecret/secret-paths.h>
#include <../libsecret-1/libsecret/secret-retrievable.h>
#include <../libsecret-1/libsecret/secret-service.h>
#include <../libsecret-1/libsecret/secret-value.h>
#include <../libsecret-1/libsecret/secret-version.h>
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
