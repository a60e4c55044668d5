/// What the endpoint replies. The last one is `done` or `failed`.
package enum SharedReply: Codable, Hashable, Sendable {
    /// The program at the other end is there: the first reply of each connection, before any request.
    case serving
    /// A message was passed: its copies, none for a value that waits for its first peer, and for a notification.
    case passed([Copy])
    case fate(Copy, FateReport)
    /// One CBOR data item; nil for none.
    case value([UInt8]?)
    case named(MessageName)
    case heard(Heard)
    /// A name was cleared, by the peer with this identity, as text, or by this side.
    case cleared(MessageName, peer: String?)
    /// A message of the inbox with its number, until it is taken.
    case kept(UInt64, Heard)
    /// The message of the inbox with this number is out of it: a program that leaves now is not given it again.
    case taken(UInt64)
    case asked(UInt64, Heard)
    /// From now on the program is given the files that it receives, or the questions that it answers.
    case ready
    case outstanding(Outstanding)
    case file(File)
    case progress(FileProgress)
    case received(Received)
    case budget(peer: String, left: Int)
    case peer(Peer)
    case done
    case failed(Failure)

    package struct Copy: Codable, Hashable, Sendable {
        /// The identity of the recipient, as text.
        package let peer: String
        /// The number of a queued message.
        package let number: UInt64?
    }

    package struct Heard: Codable, Hashable, Sendable {
        package let name: MessageName
        /// The identity of the peer, as text; nil for a message of this side.
        package let peer: String?
        package let delivery: Delivery
        package let payload: [UInt8]
    }

    package struct Outstanding: Codable, Hashable, Sendable {
        package let number: UInt64
        package let name: MessageName
        package let peer: String
        package let delivery: Delivery
        package let bytes: Int
    }

    /// A file that is on its way.
    package struct File: Codable, Hashable, Sendable {
        /// Nil for one that arrives.
        package let number: UInt64?
        package let label: String
        package let peer: String
        package let length: UInt64
        /// Where one that is sent is read; nil for one that arrives.
        package let path: String?
    }

    package struct Received: Codable, Hashable, Sendable {
        package let label: String
        package let path: String
        package let peer: String
        package let length: UInt64
        package let metadata: [UInt8]?
    }

    package struct Peer: Codable, Hashable, Sendable {
        package let identity: String
        /// The name in its hello; empty for one that is away.
        package let name: String
        package let state: State
        /// How that is known, as the end of a line.
        package let evidence: String

        package enum State: String, Codable, Sendable {
            case reachable
            case unreachable
        }
    }

    package struct Failure: Codable, Hashable, Sendable, Error {
        package let kind: Kind
        /// One line for a person.
        package let text: String

        package enum Kind: String, Codable, Sendable {
            case unreachable
            case noAnswer
            case closed
            case other
        }
    }
}

/// A fate as the control socket tells it.
package struct FateReport: Codable, Hashable, Sendable {
    package enum Stage: String, Codable, Sendable {
        case queued
        case sent
        case delivered
        case applied
        case expired
        case failed
    }

    package let stage: Stage
    /// Why it has failed.
    package let reason: String?

    package var isFinal: Bool {
        switch stage {
        case .queued, .sent, .delivered: false
        case .applied, .expired, .failed: true
        }
    }

    init(_ fate: MessageFate) {
        switch fate {
        case .queued: (stage, reason) = (.queued, nil)
        case .sent: (stage, reason) = (.sent, nil)
        case .delivered: (stage, reason) = (.delivered, nil)
        case .applied: (stage, reason) = (.applied, nil)
        case .expired: (stage, reason) = (.expired, nil)
        case .failed(let failure): (stage, reason) = (.failed, failure.description)
        }
    }
}

extension SharedReply.Failure {
    init(_ error: WormholeError) {
        text = error.description
        switch error {
        case .unreachable, .unknownPeer: kind = .unreachable
        case .noAnswer: kind = .noAnswer
        // A command is cancelled where its program has left, or where the endpoint ends.
        case .closed, .cancelled: kind = .closed
        case .system, .pathTooLong, .unsafeDirectory, .alreadyServed, .nobodyListening, .notAnswering, .foreignPeer,
            .datagramTooLong,
            .transport, .invalidName, .messageTooLarge, .notSupportedYet, .notTaken, .answered, .tooManyOpen,
            .noSuchPeer, .reservedName, .severalPeers, .queueFull, .noSuchMessage, .noSuchFile, .notCancelled,
            .invalidLabel,
            .notAFile, .fileTooLarge,
            .receivesAlready, .coding, .storage:
            kind = .other
        }
    }
}
