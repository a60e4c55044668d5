import HostSystem

/// Why a picture could not be read or written.
package enum PictureError: Error, Equatable, CustomStringConvertible {
    /// The first bytes are not those of a PNG file.
    case notPNG
    /// It begins as a PNG file, and libpng cannot read it, for this reason.
    case damaged(String)
    /// The file has more than this number of bytes.
    case tooLong(limit: Int)
    /// It has this size, of more pixels than `most`.
    case tooLarge(PictureSize, most: Int)
    /// libpng could not write it, for this reason.
    case notWritten(String)

    /// What is wrong, and what to do about it, as the end of a line.
    package var description: String {
        switch self {
        case .notPNG: "not a PNG picture: convert it to PNG first"
        case .damaged(let reason): "damaged, or not all of it is there (\(PlainLine(reason))): save it again"
        case .tooLong(let limit): "longer than \(limit >> 20) MiB: save a smaller picture"
        case .tooLarge(let size, let most):
            "\(size.width) x \(size.height) pixels, and at most \(most) can be read: make it smaller first"
        case .notWritten(let reason): "the picture could not be written: \(reason)"
        }
    }
}
