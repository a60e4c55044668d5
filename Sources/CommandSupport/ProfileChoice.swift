import ArgumentParser
import DeviceModel

/// The device whose times a watch takes: a built-in profile by its name, or a file.
package struct ProfileChoice: Equatable {
    package let profile: DeviceProfile

    /// What `--profile` was given. A file has a dot or a slash in its name, which no built-in profile has.
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

/// What a tap on a row does.
package enum HandlerChoice: String, ExpressibleByArgument, CaseIterable {
    /// The fast one: the panel first, everything else after it.
    case shipping
    /// Everything before the panel.
    case legacy
}

extension CompletionKind {
    /// The names of the built-in profiles.
    package static var profiles: CompletionKind { .list(DeviceProfile.builtIn.map(\.name)) }
}
