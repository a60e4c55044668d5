import ArgumentParser
import CommandSupport
import DeviceModel
import Foundation

/// A size from the command line: `144x168`.
extension PictureSize: ExpressibleByArgument {
    /// The longest side of a picture that is sent.
    private static let longest = 4_096

    /// Two whole numbers from 1 to 4,096 with an x between them; nil for anything else.
    package init?(argument: String) {
        let sides = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1],
            (1...PictureSize.longest).contains(width), (1...PictureSize.longest).contains(height)
        else { return nil }
        self.init(width: width, height: height)
    }
}

/// How a picture becomes a file of one bit a pixel.
struct PictureChoice: ParsableArguments {
    /// The square that fits on the panel of the watch, 144 x 168 pixels.
    private static let usualSize = PictureSize(width: 144, height: 144)
    /// The most bytes of a PNG file that is read: 64 MiB.
    private static let longestFile = 64 << 20

    @Option(
        help: ArgumentHelp(
            "Send this PNG file as a picture of one bit a pixel, in the format PBM: its label ends in .pbm.",
            valueName: "file.png"),
        completion: .file(extensions: ["png"]))
    var picture: String?

    @Option(
        help: ArgumentHelp(
            """
            The size that the picture has to fit into: a larger one is scaled down with its shape kept, a smaller one stays as it \
            is. The sheet of a watch has room for 144x104 between its title and its buttons. [default: 144x144]
            """,
            valueName: "WxH"))
    var size: PictureSize?

    @Option(
        help: ArgumentHelp(
            "Make what is at least this bright white and the rest black, 1 to 255, instead of mixing greys from dots.",
            valueName: "level"))
    var threshold: Int?

    func validate() throws {
        if picture == nil, size != nil { throw ValidationError("--size is for a --picture.") }
        if picture == nil, threshold != nil { throw ValidationError("--threshold is for a --picture.") }
        if let threshold, !(1...255).contains(threshold) { throw ValidationError("--threshold is 1 to 255.") }
    }

    /// What a picture is called whose file has this name: `photo.pbm` for `photo.png`.
    static func label(_ name: String) -> String {
        let stem =
            name.lowercased().hasSuffix(".png") || name.lowercased().hasSuffix(".pbm") ? name.dropLast(4) : name[...]
        return stem + ".pbm"
    }

    /// - Throws: what is wrong with the PNG file, in one line.
    func portableBitmap(of path: String) throws -> [UInt8] {
        do {
            let file = try PortableNetworkGraphics.picture(in: try PictureChoice.read(path))
            let tones = threshold.map { OneBitPicture.Tones.threshold(UInt8($0)) } ?? .dithered
            return OneBitPicture(file.fitted(within: size ?? PictureChoice.usualSize), tones: tones).portableBitmap
        } catch let error as PictureError {
            throw CommandFailure("\(path): \(error)")
        }
    }

    private static func read(_ path: String) throws -> [UInt8] {
        let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        do {
            let values = try url.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey])
            // Reading a pipe would wait for its writer.
            guard values.isRegularFile == true else {
                throw CommandFailure("\(path): not a file: name a PNG file")
            }
            guard let size = values.fileSize, size <= longestFile else {
                throw PictureError.tooLong(limit: longestFile)
            }
            return Array(try Data(contentsOf: url))
        } catch let error as CocoaError {
            let reason = error.code == .fileReadNoPermission ? "it may not be read" : "there is no such file"
            throw CommandFailure("\(path): \(reason)")
        }
    }
}
