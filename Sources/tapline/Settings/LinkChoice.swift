import ArgumentParser

/// How watch and phone reach each other.
enum LinkChoice: ExpressibleByArgument, Equatable {
    /// Over Unix sockets, in the directory of the phone's host: the usual one, or this one.
    case unix(directory: String?)
    /// Over Bluetooth, with the adapter of this name, or the first that is on.
    case bluetooth(adapter: String?)

    /// A link from `unix`, `unix:DIRECTORY`, `bluetooth` or `bluetooth:ADAPTER`; nil for anything else.
    init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let detail = parts.count == 2 ? String(parts[1]) : nil
        guard detail != "" else { return nil }
        switch parts[0] {
        case "unix": self = .unix(directory: detail)
        case "bluetooth": self = .bluetooth(adapter: detail)
        case _: return nil
        }
    }
}
