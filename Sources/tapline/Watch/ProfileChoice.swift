import ArgumentParser
import DeviceModel

/// The device whose times a watch takes: a built-in profile by its name, or a file.
struct ProfileChoice: Equatable, CustomStringConvertible {
    /// The profile.
    let profile: DeviceProfile

    /// No time at all: the watch is as fast as this machine.
    static let instant = ProfileChoice(profile: .instant)

    init(profile: DeviceProfile) {
        self.profile = profile
    }

    /// What `--profile` was given. A file has a dot or a slash in its name, which no built-in profile has.
    init(named argument: String) throws {
        if let builtIn = DeviceProfile.named(argument) {
            profile = builtIn
        } else if argument.contains(".") || argument.contains("/") {
            do throws(ProfileError) {
                profile = try DeviceProfile(tomlFile: argument)
            } catch {
                throw ValidationError("\(error)")
            }
        } else {
            let names = DeviceProfile.builtIn.map(\.name).joined(separator: ", ")
            throw ValidationError("no profile is called '\(argument)': \(names), or a file such as ./profile.toml")
        }
    }

    /// The profile's name.
    var description: String { profile.name }
}
