import Watch

/// What is done to a running watch between two steps of its program, beyond what the wearer does.
public enum RestartRequest: Sendable, Equatable {
    /// Nothing: only the contents of its flash are wanted.
    case read
    /// The power goes and comes back: what is in RAM is gone, the flash is kept, and the link is dropped.
    case restart
    /// Back to the factory: the flash is erased before that.
    case reset
    /// Other contents come into the flash before that.
    case load(FlashImage)
}

/// Whether a watch can be restarted in place.
public enum RestartSupport: Sendable, Equatable {
    case possible
    /// Its program and its flash are beyond reach, as the firmware's are.
    case impossible
}

/// Why a watch was not restarted, or its flash not read. It goes on as it was, except after `.flashFailed`.
public enum RestartError: Error, Sendable, Equatable {
    /// It is a watch that cannot be.
    case impossible
    /// It has ended.
    case ended
    /// It did not come to rest in time.
    case neverAtRest
    /// The contents are of a chip with another layout.
    case otherChip(expected: FlashGeometry, found: FlashGeometry)
    /// Its flash chip failed meanwhile. Where its contents were to be replaced, they are undefined.
    case flashFailed(FlashError)
}

extension RestartError: CustomStringConvertible {
    /// One line for a person.
    public var description: String {
        switch self {
        case .impossible: "only the simulated watch can be restarted in place"
        case .ended: "the watch has ended"
        case .neverAtRest: "the watch did not come to rest within 30 s: try it again when it has less to do"
        case .otherChip(let expected, let found):
            "it is of a watch whose flash has \(found.words), and this watch's has \(expected.words): load it into one of its kind"
        case .flashFailed(.outOfRange), .flashFailed(.verifyFailed):
            "the watch's flash chip does not keep what is written: end the watch and start it with another --flash"
        case .flashFailed(.notResponding):
            "the file of the watch's flash cannot be used any more: end the watch and start it with another --flash"
        }
    }
}

extension FlashGeometry {
    /// The layout in words.
    fileprivate var words: String {
        "\(sectorCount) sectors of \(sectorSize) bytes, \(fileSectorCount) of them for files"
    }
}
