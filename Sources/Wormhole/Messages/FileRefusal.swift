import WatchLink

/// Why the other side has ended the transfer of a file. One that is busy has not: the file is offered to it again.
public enum FileRefusal: Hashable, Sendable {
    /// Somebody there has cancelled it.
    case cancelled
    /// Its disk is full.
    case noRoom
    /// The content that has arrived has another hash: the file was changed after it was sent.
    case wrongHash
    /// Nobody receives files there.
    case nobody
    /// It takes shorter files only.
    case tooLarge
    /// It cannot read or store the file.
    case failed
    /// The label is no file name there.
    case badLabel
    /// It has said goodbye because of the transfer, or has broken the protocol in it.
    case brokenProtocol
    /// A reason of another version.
    case unknown(UInt8)

    init(_ reason: FileReason) {
        switch reason {
        case .cancelled: self = .cancelled
        case .noRoom: self = .noRoom
        case .wrongHash: self = .wrongHash
        case .nobody: self = .nobody
        case .tooLarge: self = .tooLarge
        case .failed: self = .failed
        case .badLabel: self = .badLabel
        case _: self = .unknown(reason.rawValue)  // FileReason is a struct.
        }
    }
}

extension FileRefusal: CustomStringConvertible {
    /// One line for a person to read.
    public var description: String {
        switch self {
        case .cancelled: "somebody on the other side has cancelled it"
        case .noRoom: "the disk of the other side is full: make room there, and send it again"
        case .wrongHash:
            "what arrived is not what was offered: leave the file as it is until it has arrived, and send it again"
        case .nobody: "nobody receives files on the other side: have its program do so, and send it again"
        case .tooLarge: "the other side takes only shorter files"
        case .failed: "the other side cannot store the file: its log says why"
        case .badLabel: "the label is no file name on the other side: give it another one"
        case .brokenProtocol: "the two sides do not understand one another about it: update both"
        case .unknown(let reason): "the other side gives the reason \(reason), which this version does not know"
        }
    }
}
