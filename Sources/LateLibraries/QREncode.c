#include "late.h"

#include <qrencode.h>

LATE_LIBRARY("libqrencode.so.4", "qr", "a device login's address as a picture")

LATE(QRcode *, QRcode_encodeData, (int size, const unsigned char *data, int version, QRecLevel level),
  (size, data, version, level))
LATE(void, QRcode_free, (QRcode *qrcode), (qrcode))
