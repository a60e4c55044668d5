#pragma once

// The package's own pkg-config file has -pthread, which the Swift package manager warns of; the one of GLib has all that
// these headers include. <libsecret/secret.h> asks for a path that GLib's file does not have.
#define __SECRET_INSIDE_HEADER__
#include <libsecret-1/libsecret/secret-item.h>
#include <libsecret-1/libsecret/secret-password.h>
#include <libsecret-1/libsecret/secret-schema.h>
#include <libsecret-1/libsecret/secret-service.h>
#undef __SECRET_INSIDE_HEADER__

// The macros of GLib, a structure with an array of 32 members, and what takes a function by its address.

/// What a password of Tapline is called in the keyring.
static inline const SecretSchema *tapline_secret_schema(void) {
    static const SecretSchema schema = {
        "org.tapline.CalendarAccount", SECRET_SCHEMA_NONE,
        {{"database", SECRET_SCHEMA_ATTRIBUTE_STRING}, {"account", SECRET_SCHEMA_ATTRIBUTE_STRING}}};
    return &schema;
}

/// The attributes of one password: to be released with g_hash_table_unref.
static inline GHashTable *tapline_secret_attributes(const char *database, const char *account) {
    GHashTable *table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_hash_table_insert(table, g_strdup("database"), g_strdup(database));
    g_hash_table_insert(table, g_strdup("account"), g_strdup(account));
    return table;
}

/// The session bus, which libsecret shares, until tapline_secret_leave. Where it goes, GLib would end the program.
static inline GDBusConnection *tapline_secret_bus(GCancellable *cancellable, GError **error) {
    GDBusConnection *bus = g_bus_get_sync(G_BUS_TYPE_SESSION, cancellable, error);
    if (bus != NULL) g_dbus_connection_set_exit_on_close(bus, FALSE);
    return bus;
}

/// Closes the connection.
static inline void tapline_secret_leave(GDBusConnection *bus) {
    secret_service_disconnect();
    g_object_unref(bus);
}

/// Whether what a search has found is locked.
static inline int tapline_secret_is_locked(void *found) {
    return SECRET_IS_ITEM(found) && secret_item_get_locked(SECRET_ITEM(found));
}

/// Releases what a search has found.
static inline void tapline_secret_release(GList *found) {
    g_list_free_full(found, g_object_unref);
}
