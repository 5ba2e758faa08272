#include "../CGLib/flags.h"

#include <libsoup/soup.h>
