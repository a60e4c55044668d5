import ArgumentParser
import DeviceModel

extension DeviceProfile {
    /// Finds the built-in profile that `--profile` names. If there is none, and the argument has a dot or a slash, reads the
    /// file at that path.
    package init(option argument: String) throws {
        if let builtIn = DeviceProfile.named(argument) {
            self = builtIn
        } else if argument.contains(".") || argument.contains("/") {
            self = try DeviceProfile(contentsOf: argument)
        } else {
            let names = DeviceProfile.builtIn.map(\.name).joined(separator: ", ")
            throw CommandFailure("no profile '\(argument)': choose \(names), or a file such as ./profile.json5")
        }
    }
}

package enum HandlerChoice: String, ExpressibleByArgument, CaseIterable {
    /// Updates the panel first and does everything else later.
    case shipping
    /// Does everything before it updates the panel.
    case legacy
}

extension CompletionKind {
    package static var profiles: CompletionKind { .list(DeviceProfile.builtIn.map(\.name)) }
}

/// The address at which a raw image begins, in hexadecimal like 0x8020 or in decimal.
package struct ImageAddress: ExpressibleByArgument {
    package let value: UInt32

    package init?(argument: String) {
        let digits = argument.hasPrefix("0x") ? UInt32(argument.dropFirst(2), radix: 16) : UInt32(argument)
        guard let digits else { return nil }
        value = digits
    }
}
