import ArgumentParser
import DeviceModel

/// The device whose times a watch takes: a built-in profile by its name, or a file.
struct ProfileChoice: Equatable {
    let profile: DeviceProfile

    /// What `--profile` was given. A file has a dot or a slash in its name, which no built-in profile has.
    init(named argument: String) throws {
        if let builtIn = DeviceProfile.named(argument) {
            profile = builtIn
        } else if argument.contains(".") || argument.contains("/") {
            profile = try DeviceProfile(contentsOf: argument)
        } else {
            throw UnknownProfile(name: argument)
        }
    }
}

/// There is no built-in profile of a name.
struct UnknownProfile: Error, Equatable, CustomStringConvertible {
    let name: String

    var description: String {
        let names = DeviceProfile.builtIn.map(\.name).joined(separator: ", ")
        return "no profile '\(name)': choose \(names), or a file such as ./profile.json5"
    }
}

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

/// What a tap on a row does.
enum HandlerChoice: String, ExpressibleByArgument, CaseIterable {
    /// The fast one: the panel first, everything else after it.
    case shipping
    /// Everything before the panel.
    case legacy
}
