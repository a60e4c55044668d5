#pragma once
// The functions of one digest, which OpenSSL 3 would rather have called through its table of algorithms.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
