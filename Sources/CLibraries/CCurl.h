#pragma once
#include <curl/curl.h>
#include <stdbool.h>

// curl_easy_setopt and curl_easy_getinfo take a variable number of arguments, which Swift does not call.

static inline CURLcode tapline_curl_set_long(CURL *curl, CURLoption option, long value) {
    return curl_easy_setopt(curl, option, value);
}

static inline CURLcode tapline_curl_set_size(CURL *curl, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(curl, option, value);
}

static inline CURLcode tapline_curl_set_text(CURL *curl, CURLoption option, const char *value) {
    return curl_easy_setopt(curl, option, value);
}

static inline CURLcode tapline_curl_set_data(CURL *curl, CURLoption option, const void *value) {
    return curl_easy_setopt(curl, option, value);
}

static inline CURLcode tapline_curl_set_list(CURL *curl, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(curl, option, value);
}

typedef size_t (*tapline_curl_taker)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode tapline_curl_set_taker(CURL *curl, CURLoption option, tapline_curl_taker value) {
    return curl_easy_setopt(curl, option, value);
}

typedef int (*tapline_curl_watcher)(
    void *context, curl_off_t toCome, curl_off_t come, curl_off_t toGo, curl_off_t gone);

static inline CURLcode tapline_curl_set_watcher(CURL *curl, tapline_curl_watcher value) {
    return curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, value);
}

static inline long tapline_curl_status(CURL *curl) {
    long status = 0;
    return curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}

static inline CURLcode tapline_curl_set_schemes(CURL *curl, bool basic, bool digest) {
    return curl_easy_setopt(curl, CURLOPT_HTTPAUTH, (basic ? CURLAUTH_BASIC : 0) | (digest ? CURLAUTH_DIGEST : 0));
}

static inline bool tapline_curl_asked(CURL *curl, unsigned long scheme) {
    long schemes = 0;
    return curl_easy_getinfo(curl, CURLINFO_HTTPAUTH_AVAIL, &schemes) == CURLE_OK && ((unsigned long)schemes & scheme) != 0;
}

static inline bool tapline_curl_asked_basic(CURL *curl) { return tapline_curl_asked(curl, CURLAUTH_BASIC); }

static inline bool tapline_curl_asked_digest(CURL *curl) { return tapline_curl_asked(curl, CURLAUTH_DIGEST); }
