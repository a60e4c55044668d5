import DeviceModel

/// The device whose times a watch takes: a built-in profile by its name, or a file.
struct ProfileChoice: Equatable {
    /// The profile.
    let profile: DeviceProfile

    /// What `--profile` was given. A file has a dot or a slash in its name, which no built-in profile has.
    init(named argument: String) throws {
        if let builtIn = DeviceProfile.named(argument) {
            profile = builtIn
        } else if argument.contains(".") || argument.contains("/") {
            profile = try DeviceProfile(tomlFile: argument)
        } else {
            throw UnknownProfile(name: argument)
        }
    }
}

/// There is no built-in profile of a name.
struct UnknownProfile: Error, Equatable, CustomStringConvertible {
    /// The name.
    let name: String

    /// One line for a person.
    var description: String {
        let names = DeviceProfile.builtIn.map(\.name).joined(separator: ", ")
        return "no profile '\(name)': choose \(names), or a file such as ./profile.toml"
    }
}
