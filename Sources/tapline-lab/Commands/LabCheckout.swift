import CommandSupport
import DeviceModel
import Emulator
import Foundation

/// The checkout that this command was built in: the sources of the image for the lab, and what builds it.
struct LabCheckout {
    /// The directory that has `Hardware/build`.
    let directory: String

    /// The checkout of an executable, `DIRECTORY/.build/TRIPLE/CONFIGURATION/tapline`; nil for one that is somewhere else.
    init?(executable: String?) {
        guard let executable else { return nil }
        let build = URL(filePath: executable).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        directory = build.deletingLastPathComponent().path
        guard build.lastPathComponent == ".build", FileManager.default.fileExists(atPath: "\(directory)/Hardware/build")
        else { return nil }
    }

    /// That of this process.
    static var ours: LabCheckout? { LabCheckout(executable: FirmwareImage.ownExecutable) }

    /// Where `Hardware/build --lab` puts the image.
    var image: String { "\(directory)/.build/armv7em-none-none-eabi/release/\(FirmwareImage.lab.rawValue)" }

    /// What the image is, by the times of the files.
    enum Image: Equatable {
        case missing
        /// A source has changed since it was built.
        case outdated
        case current
    }

    var state: Image {
        guard let built = LabCheckout.changed(image) else { return .missing }
        let sources = ["Hardware", "Sources/WatchLink", "Package.swift"].map { "\(directory)/\($0)" }
        return sources.contains { LabCheckout.newest(below: $0) > built } ? .outdated : .current
    }

    /// When a file was changed last; nil if there is none.
    private static func changed(_ path: String) -> Date? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.modificationDate] as? Date
    }

    /// When the newest of the sources at a path was changed: below a directory, or a file itself.
    private static func newest(below path: String) -> Date {
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        let sources = names.filter { [".swift", ".h", ".ld", ".json", ".modulemap"].contains(where: $0.hasSuffix) }
        let paths = path.hasSuffix(".swift") ? [path] : sources.map { "\(path)/\($0)" }
        return paths.compactMap(changed).max() ?? .distantPast
    }

    /// What building it takes and this machine lacks; empty where all is there.
    var missingTools: [String] {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let commands = ["swift", "arm-none-eabi-gcc"].filter { command in
            !folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(command)") }
        }
        let library = "/usr/lib/picolibc/arm-none-eabi"
        return commands + (FileManager.default.fileExists(atPath: library) ? [] : ["picolibc-arm-none-eabi"])
    }

    /// Builds the image.
    ///
    /// - Throws: what the build complains of, in one line.
    func buildImage() throws {
        let result = try ProgramOutput(["\(directory)/Hardware/build", "--lab"])
        guard result.status == 0 else {
            throw HandlerFailure(
                "cannot build the image for the lab: \(BuildComplaint(result.errors + result.output)); --counted does without it"
            )
        }
    }
}

extension LabImage {
    /// The image in a file, on the processor of a device.
    ///
    /// - Throws: why it cannot be executed, in one line that names the file.
    init(file path: String, on device: DeviceProfile) throws {
        do {
            try self.init(HostFile.read(path), on: device)
        } catch let error as DeviceModelError {
            throw HandlerFailure("cannot execute \(path): \(error.reason)")
        } catch let error as LabImageError {
            throw HandlerFailure("cannot execute \(path): \(error.description)")
        }
    }
}
