import WatchLink

// The protocol's reasons as text for the user. Another version may send numbers that this one does not know.

extension CloseReason {
    package var words: String {
        switch self {
        case .goingAway: "this side is shutting down"
        case .refused: "this side refused it"
        case .replaced: "it has opened a newer connection"
        case .otherPhone: "the watch belongs to another phone, for which messages wait"
        case .historyLost: "this side has lost part of the message history"
        case .otherVersion(let peer): "it speaks version \(peer) of the protocol, this side \(Hello.version)"
        case .protocolFault(let fault): "it broke the protocol (\(fault.words))"
        case .silent: "it stopped answering"
        case .noHello: "it did not introduce itself in time"
        case .transportTooSmall: "its datagrams are too short"
        case .peerLeft(let goodbye): CloseReason.words(goodbye)
        }
    }

    private static func words(_ goodbye: Goodbye) -> String {
        switch goodbye.reason {
        case .goingAway: "it said goodbye"
        case .version: "it speaks another version of the protocol"
        case .protocolFault:
            "it says that this side broke the protocol" + (goodbye.fault.map { " (\($0.words))" } ?? "")
        case .refused: "it refused this side"
        case .replaced: "it has a newer connection"
        case .historyLost: "it has lost part of the message history"
        case .otherPhone: "it belongs to another phone, for which messages wait"
        case _: "it closed the connection (reason \(goodbye.reason.rawValue))"
        }
    }
}

extension ProtocolFault {
    package var words: String {
        switch self {
        case .malformedFrame: "a frame that cannot be read"
        case .unexpectedFrame: "a frame at the wrong time"
        case .unsupported: "a frame that the agreed version does not have"
        case .sequenceGap: "a message is missing before another"
        case .windowExceeded: "more replies or file chunks than the other side lets wait"
        case .acknowledgedUnsent: "an acknowledgement of a message that was never sent"
        case .tooLong: "a frame that is too long"
        case .unaskedReply: "a reply to no open question"
        case .brokenTransfer: "a file frame that does not fit its transfer"
        case .sameRole: "it has the same role as this side"
        case _: "the unknown fault \(rawValue)"
        }
    }
}

extension RejectionReason {
    package var words: String {
        switch self {
        case .malformed: "its content does not fit its name"
        case .unknownName: "its name is not known"
        case .noRoom: "there is no room for it"
        case .refused: "its receiver refused it"
        case _ where rawValue >= 128: "the application gives the reason \(rawValue)"
        case _: "the reason \(rawValue) is not known"
        }
    }
}

extension ReplyStatus: Hashable, Codable {
    package var words: String {
        switch self {
        case .answered: "it was answered"
        case .noListener: "no program on the other side answers this name"
        case .failed: "the program that answers this name has failed"
        case .late: "the other side had no answer in time"
        case .busy: "the other side is busy with other questions"
        case .malformed: "the other side cannot read the message"
        case .tooLong: "the answer is longer than this side takes"
        case _: "the other side gives the reason \(rawValue), which this version does not know"
        }
    }
}

extension FileReason: Hashable, Codable {
    /// The reason as text for the user. `.busy` needs no text, because the sender then offers the file again.
    package var words: String {
        switch self {
        case .cancelled: "the other side cancelled it"
        case .noRoom: "the disk of the other side is full: make room there, and send it again"
        case .wrongHash:
            "what arrived is not what was offered: leave the file as it is until it has arrived, and send it again"
        case .noReceiver: "no program receives files on the other side: start one there, and send it again"
        case .tooLarge: "the other side takes only shorter files"
        case .failed: "the other side cannot store the file: its log says why"
        case .badLabel: "the label is no file name on the other side: give it another one"
        case _: "the other side gives the reason \(rawValue), which this version does not know"
        }
    }
}

extension RejectionReason: Codable {}
