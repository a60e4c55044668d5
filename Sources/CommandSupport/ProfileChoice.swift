import ArgumentParser
import DeviceModel

/// The device whose timing a watch has: a built-in profile by its name, or a file.
package struct ProfileChoice: Equatable {
    package let profile: DeviceProfile

    /// Reads the argument of `--profile`. A file has a dot or a slash in its name, which no built-in profile has.
    package init(named argument: String) throws {
        if let builtIn = DeviceProfile.named(argument) {
            profile = builtIn
        } else if argument.contains(".") || argument.contains("/") {
            profile = try DeviceProfile(contentsOf: argument)
        } else {
            let names = DeviceProfile.builtIn.map(\.name).joined(separator: ", ")
            throw CommandFailure("no profile '\(argument)': choose \(names), or a file such as ./profile.json5")
        }
    }
}

/// The handler of a tap on a row.
package enum HandlerChoice: String, ExpressibleByArgument, CaseIterable {
    /// The fast handler: it updates the panel first, and does everything else afterwards.
    case shipping
    /// The slow handler: it does everything before it updates the panel.
    case legacy
}

extension CompletionKind {
    package static var profiles: CompletionKind { .list(DeviceProfile.builtIn.map(\.name)) }
}
