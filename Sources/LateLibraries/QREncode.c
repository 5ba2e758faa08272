#include "late.h"

#include <qrencode.h>

/* The header has no version, but up to version 3 its include guard has another name (__QRENCODE_H__). */
#ifdef QRENCODE_H
#define FILE_NAME "libqrencode.so.4"
#else
#error "The file name of this version of libqrencode is not known here: add it."
#endif

LATE_LIBRARY(FILE_NAME, "qr", "a device login's address as a picture")

LATE(QRcode *, QRcode_encodeData, int, const unsigned char *, int, QRecLevel)
LATE(void, QRcode_free, QRcode *)
