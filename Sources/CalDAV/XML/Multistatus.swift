/// An answer with a status for each of several resources (RFC 4918 section 13).
struct Multistatus: Equatable {
    /// One resource.
    struct Response: Equatable {
        var href = ""
        /// Of the resource as a whole, nil where each property has its own.
        var status: Int?
        /// The properties that the server gave.
        var properties = Properties()
        /// Whether an error element says that a UID is used twice.
        var conflict = Conflict.none
    }

    enum Conflict: Equatable {
        case none
        case sameUID
    }

    /// The properties that are asked for; nil and empty for those that were not given.
    struct Properties: Equatable {
        var etag: String?
        var calendarData: String?
        var displayName: String?
        var syncToken: String?
        var principal: String?
        var calendarHomes: [String] = []
        /// Local names of the types, such as `calendar`.
        var types: Set<String> = []
        /// The components that a collection takes, such as `VTODO`; nil where the server does not say, which is all.
        var components: Set<String>?
    }

    var responses: [Response] = []
    /// That of a report of RFC 6578.
    var syncToken: String?
}
