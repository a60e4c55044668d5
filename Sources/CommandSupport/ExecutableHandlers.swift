import Foundation

/// The handlers of a package that a lab or a watch executes.
package struct ExecutableHandlers {
    private let package: TapImagePackage
    private let wanted: String?

    /// All handlers of a package, or only the one of the type `wanted`.
    package init(of package: HandlerPackage, only wanted: String?, on board: TapImagePackage.Board = .lab) {
        self.package = TapImagePackage(for: package, on: board)
        self.wanted = wanted
    }

    /// Builds an image of the handlers.
    ///
    /// - Parameters:
    ///   - show: shows the progress.
    ///   - say: gets each handler that is left out, with the reason.
    /// - Returns: the path of the image.
    package func image(
        show: (_ done: Int, _ all: Int, _ what: String) -> Void, say: (String) -> Void
    ) throws -> String {
        show(0, 2, "building \(package.handlers.name) for the watch's processor")
        return try package.image { found in
            let chosen = try choose(among: found, say)
            show(1, 2, "building the image")
            return chosen
        }
    }

    /// Builds an image of the one wanted handler, for a watch in QEMU, and returns its path.
    ///
    /// - Throws: if there is no such handler, or several, or if the build fails.
    package func firmware() throws -> String {
        try package.image { found in
            let chosen = try choose(among: found) { _ in }
            guard chosen.count == 1 else {
                throw CommandFailure(
                    "\(package.handlers.name) has \(chosen.map(\.name).joined(separator: ", ")): choose one with --handler"
                )
            }
            return chosen
        }
    }

    /// Returns the wanted handlers.
    ///
    /// - Throws: if there are none, or none with a usable `init()`.
    private func choose(among found: [FoundHandler], _ say: (String) -> Void) throws -> [FoundHandler] {
        let possible = found.filter(\.isPossible)
        guard let wanted else {
            guard !possible.isEmpty else {
                let others = found.map { "; \($0.remark)" }.joined()
                throw CommandFailure(
                    "\(package.handlers.name) has no handler: a public type that conforms to TapHandler, with init()"
                        + others)
            }
            for handler in found where !handler.isPossible { say("not counted: \(handler.remark)") }
            return possible
        }
        let chosen = found.filter { $0.type == wanted || $0.name == wanted }
        guard let first = chosen.first else {
            let known = possible.map(\.name).joined(separator: ", ")
            throw CommandFailure(
                "no handler '\(wanted)' in \(package.handlers.name): \(known.isEmpty ? "it has none" : "it has \(known)")"
            )
        }
        guard chosen.count == 1 else {
            throw CommandFailure(
                "two handlers are called '\(first.type)': \(chosen.map(\.name).joined(separator: ", "))")
        }
        guard first.isPossible else { throw CommandFailure(first.remark) }
        return chosen
    }
}

extension FoundHandler {
    /// The handler's name, with the reason if no program can create it.
    fileprivate var remark: String {
        switch making {
        case .possible: name
        case .impossible(let why): "\(name): \(why)"
        }
    }
}

/// An image for the watch's processor, with its usual path.
package enum FirmwareImage: String {
    /// The watch's image, for QEMU.
    case watch = "Firmware"
    /// The image that the lab executes.
    case lab = "LabFirmware"

    /// The image that was built beside this executable, `.build/TRIPLE/CONFIGURATION/tapline`, or else the image that was
    /// installed with it, `PREFIX/bin/tapline`. If there is neither, the path below the current directory.
    package func usualPath(executable: String?, isFile: (String) -> Bool) -> String {
        let name = "armv7em-none-none-eabi/release/\(rawValue)"
        let here = ".build/\(name)"
        guard let executable else { return here }
        let prefix = URL(fileURLWithPath: executable).deletingLastPathComponent().deletingLastPathComponent()
        let beside = prefix.deletingLastPathComponent().appendingPathComponent(name).path
        let installed = prefix.appendingPathComponent("lib/tapline/\(rawValue)").path
        return [beside, installed].first(where: isFile) ?? here
    }

    package var usualPath: String {
        usualPath(executable: FirmwareImage.ownExecutable) { FileManager.default.fileExists(atPath: $0) }
    }

    /// The path of this process's file, nil if the system does not say.
    package static var ownExecutable: String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }
}
