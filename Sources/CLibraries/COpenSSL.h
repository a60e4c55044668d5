#pragma once
// One digest and one block cipher, which OpenSSL 3 would rather have called through its table of algorithms, and its curves.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/aes.h>
#include <openssl/ec.h>
#include <openssl/obj_mac.h>
#include <openssl/sha.h>
