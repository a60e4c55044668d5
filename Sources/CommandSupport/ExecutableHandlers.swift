import Foundation

/// A user's tap handlers, compiled to machine code for a watch or for `tapline-lab`, the program that measures taps.
package struct ExecutableHandlers {
    private let package: TapImagePackage
    private let wanted: String?

    /// - Parameter wanted: the name of the only handler to use; nil for all.
    package init(of package: HandlerPackage, only wanted: String?, on board: TapImagePackage.Board = .lab) {
        self.package = TapImagePackage(for: package, on: board)
        self.wanted = wanted
    }

    /// Builds an image with the handlers for the lab.
    ///
    /// - Parameters:
    ///   - show: called with the progress.
    ///   - say: called with the name of each handler that is left out, and the reason.
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

    /// Builds an image with the wanted handler for a watch, and returns its path.
    ///
    /// - Throws: an error if there is no handler with that name, or several, or if the build fails.
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

    /// The handlers that are wanted.
    ///
    /// - Throws: an error if there are none, or if none has a usable `init()`.
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
    /// The handler's name, with the reason if a program cannot create it.
    fileprivate var remark: String {
        switch making {
        case .possible: name
        case .impossible(let why): "\(name): \(why)"
        }
    }
}

/// An image of machine code for the watch's processor.
package enum FirmwareImage: String {
    /// The watch's images.
    case reference = "ReferenceFirmware"
    case pineTime = "PineTimeFirmware"
    /// The image that the lab executes.
    case lab = "LabFirmware"

    /// The path at which the image usually is: beside this executable in `.build/TRIPLE/CONFIGURATION`, or installed with it in
    /// `PREFIX`. If the image is in neither place, returns the path below the current directory.
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

    /// The path of this process's executable; nil if the system does not tell.
    package static var ownExecutable: String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }
}
