import Foundation

/// Compiles a user's tap handlers into an image for a watch, or for `tapline-lab`, the program that measures taps.
package struct ExecutableHandlers {
    private let package: TapImagePackage
    private let wanted: String?

    /// - Parameter wanted: the name of the only handler to use, as `Type` or `Module.Type`; nil for all handlers.
    package init(of package: HandlerPackage, only wanted: String?, on board: TapImagePackage.Board = .lab) {
        self.package = TapImagePackage(for: package, on: board)
        self.wanted = wanted
    }

    /// Builds an image for the lab, and returns its path. Calls `show` with the progress. If `wanted` is nil, calls `say` with
    /// the name and the obstacle of each handler that the image leaves out.
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

    /// Builds an image for a watch, which runs one handler, and returns the image's path. Throws if no usable handler has the
    /// wanted name, or if several handlers have it. If `wanted` is nil, throws unless exactly one handler is usable.
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

    private func choose(among found: [FoundHandler], _ say: (String) -> Void) throws -> [FoundHandler] {
        let possible = found.filter { $0.obstacle == nil }
        guard let wanted else {
            guard !possible.isEmpty else {
                let others = found.map { "; \($0.remark)" }.joined()
                throw CommandFailure(
                    "\(package.handlers.name) has no handler: a public type that conforms to TapHandler, with init()"
                        + others)
            }
            for handler in found where handler.obstacle != nil { say("not counted: \(handler.remark)") }
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
        guard first.obstacle == nil else { throw CommandFailure(first.remark) }
        return chosen
    }
}

extension FoundHandler {
    fileprivate var remark: String { obstacle.map { "\(name): \($0)" } ?? name }
}

package enum FirmwareImage: String {
    case reference = "ReferenceFirmware"
    case pineTime = "PineTimeFirmware"
    case lab = "LabFirmware"

    /// Returns the image's path: in the `.build` directory that contains the executable, or in `PREFIX/lib/tapline` if the
    /// executable is in `PREFIX/bin`. If neither file exists, returns the path in the current directory's `.build`.
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

    /// The path of this executable; nil if /proc/self/exe cannot be read.
    package static var ownExecutable: String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }
}
