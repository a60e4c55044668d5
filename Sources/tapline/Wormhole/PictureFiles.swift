import Foundation
import Wormhole

/// The files of pictures that are on their way. The endpoint reads a file until it has arrived, maybe in a later run, so a picture
/// waits beside the messages of its side.
struct PictureFiles {
    private let directory: URL

    init(_ options: SideOptions) {
        directory = URL(fileURLWithPath: options.databasePath + "-pictures", isDirectory: true)
    }

    /// Writes a picture to a file of its own.
    ///
    /// - Returns: its path.
    func add(_ bytes: [UInt8]) throws -> String {
        do {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            let file = directory.appendingPathComponent("\(UUID().uuidString).pbm")
            try Data(bytes).write(to: file)
            return file.path
        } catch {
            throw WormholeFailure.text(
                "cannot write the picture to \(directory.path): make room, or name another --database")
        }
    }

    /// Removes the file of a picture that has arrived, or never will. A file of the user's stays.
    func remove(_ path: String) {
        let file = URL(fileURLWithPath: path)
        guard file.deletingLastPathComponent().path == directory.path else { return }
        try? FileManager.default.removeItem(at: file)
        // The last one takes the directory with it.
        rmdir(directory.path)
    }
}
