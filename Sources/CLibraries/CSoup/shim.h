#include "../CGLib/flags.h"

#if !__has_include(<../libsoup-3.0/libsoup/soup-session.h>)
#error "libsoup's headers are missing: on Debian, install libsoup-3.0-dev"
#endif

/* soup.h itself only works with the flags of its pkg-config file (see CGLib). */
#include <../libsoup-3.0/libsoup/soup-auth-manager.h>
#include <../libsoup-3.0/libsoup/soup-auth.h>
#include <../libsoup-3.0/libsoup/soup-content-decoder.h>
#include <../libsoup-3.0/libsoup/soup-cookie-jar.h>
#include <../libsoup-3.0/libsoup/soup-cookie.h>
#include <../libsoup-3.0/libsoup/soup-headers.h>
#include <../libsoup-3.0/libsoup/soup-message.h>
#include <../libsoup-3.0/libsoup/soup-server-message.h>
#include <../libsoup-3.0/libsoup/soup-server.h>
#include <../libsoup-3.0/libsoup/soup-session-feature.h>
#include <../libsoup-3.0/libsoup/soup-session.h>
#include <../libsoup-3.0/libsoup/soup-status.h>
