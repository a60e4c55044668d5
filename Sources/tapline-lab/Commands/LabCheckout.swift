import CommandSupport
import DeviceModel
import Emulator
import Foundation

/// The git checkout of Tapline in which this command was built. It has the sources of the firmware image that the lab executes.
struct LabCheckout {
    /// The checkout's directory, which contains `Hardware/build`.
    let directory: String

    /// Finds the checkout in which an executable was built. Nil unless the executable's path is
    /// `DIRECTORY/.build/TRIPLE/CONFIGURATION/NAME`, and `DIRECTORY/Hardware/build` exists.
    init?(executable: String?) {
        guard let executable else { return nil }
        let build = URL(filePath: executable).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        directory = build.deletingLastPathComponent().path
        guard build.lastPathComponent == ".build", FileManager.default.fileExists(atPath: "\(directory)/Hardware/build")
        else { return nil }
    }

    static var ours: LabCheckout? { LabCheckout(executable: FirmwareImage.ownExecutable) }

    var image: String { "\(directory)/.build/armv7em-none-none-eabi/release/\(FirmwareImage.lab.rawValue)" }

    enum Image: Equatable {
        case missing
        case outdated
        case current
    }

    var state: Image {
        guard let built = LabCheckout.changed(image) else { return .missing }
        let sources = ["Hardware", "Sources/WatchLink", "Package.swift"].map { "\(directory)/\($0)" }
        return sources.contains { LabCheckout.newest(below: $0) > built } ? .outdated : .current
    }

    private static func changed(_ path: String) -> Date? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.modificationDate] as? Date
    }

    private static func newest(below path: String) -> Date {
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        let sources = names.filter { [".swift", ".h", ".ld", ".json", ".modulemap"].contains(where: $0.hasSuffix) }
        let paths = path.hasSuffix(".swift") ? [path] : sources.map { "\(path)/\($0)" }
        return paths.compactMap(changed).max() ?? .distantPast
    }

    var missingTools: [String] {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let commands = ["swift", "arm-none-eabi-gcc"].filter { command in
            !folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(command)") }
        }
        let library = "/usr/lib/picolibc/arm-none-eabi"
        return commands + (FileManager.default.fileExists(atPath: library) ? [] : ["picolibc-arm-none-eabi"])
    }

    func buildImage() throws {
        let result = try ProgramOutput(["\(directory)/Hardware/build", "--lab"])
        guard result.status == 0 else {
            throw CommandFailure(
                "cannot build the image for the lab: \(result.buildComplaint); --counted does without it"
            )
        }
    }
}

extension LabImage {
    init(file path: String) throws {
        do {
            try self.init(HostFile.read(path))
        } catch let error as DeviceModelError {
            throw CommandFailure("cannot execute \(path): \(error.reason)")
        } catch let error as EmulatorError {
            throw CommandFailure("cannot execute \(path): \(error.description)")
        }
    }
}
