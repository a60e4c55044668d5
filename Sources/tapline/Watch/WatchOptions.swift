import ArgumentParser

/// What a tap on a row does.
enum HandlerChoice: String, ExpressibleByArgument, CaseIterable {
    /// The fast one: the panel first, everything else after it.
    case shipping
    /// Everything before the panel.
    case legacy
}

/// How the watch reaches its phone.
struct LinkChoice: ExpressibleByArgument, Equatable {
    /// Where the sockets are that a phone's host serves.
    enum Place: Equatable {
        /// At the usual place.
        case usual
        /// In this directory.
        case directory(String)
    }

    /// Where the sockets are.
    var place: Place

    /// A link from `unix` or `unix:DIRECTORY`; nil for anything else.
    init?(argument: String) {
        if argument == "unix" {
            place = .usual
        } else if argument.hasPrefix("unix:"), argument.count > 5 {
            place = .directory(String(argument.dropFirst(5)))
        } else {
            return nil
        }
    }
}
