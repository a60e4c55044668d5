import WatchLink

// The reasons of the protocol for a person to read. Those on the wire may have numbers of another version.

extension CloseReason {
    /// Why a link was closed, as a line or the end of one.
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
    /// What a side did against the protocol, as the end of a line.
    package var words: String {
        switch self {
        case .malformedFrame: "a frame that cannot be read"
        case .unexpectedFrame: "a frame at the wrong time"
        case .unsupported: "a frame that the agreed version does not have"
        case .sequenceGap: "a message is missing before another"
        case .windowExceeded: "more messages than it may send without an acknowledgement"
        case .acknowledgedUnsent: "an acknowledgement of what was never sent"
        case .tooLong: "a frame that is too long"
        case .unaskedReply: "a reply to nothing that was asked, or a second one"
        case .sameRole: "it has the same role as this side"
        case _: "the unknown fault \(rawValue)"
        }
    }
}

extension RejectionReason {
    /// Why a message was rejected, as the end of a line.
    package var words: String {
        switch self {
        case .malformed: "its contents are not what its name says"
        case .unknownName: "its name is not known"
        case .noRoom: "there is no room for it"
        case .refused: "its receiver refused it"
        case _ where rawValue >= 128: "the application has its reason \(rawValue)"
        case _: "the reason \(rawValue) is not known"
        }
    }
}

extension ReplyStatus: Hashable, Codable {
    /// Why a question has no answer though its peer was reachable.
    package var words: String {
        switch self {
        case .answered: "it was answered"
        case .nobody: "nobody answers this name on the other side"
        case .failed: "whoever answers this name has failed"
        case .late: "the other side had no answer in time"
        case .busy: "the other side has more to answer than it takes at once"
        case .malformed: "the other side cannot read the message"
        case .tooLong: "the answer is longer than this side takes"
        case _: "the other side gives the reason \(rawValue), which this version does not know"
        }
    }
}

extension FileReason: Hashable, Codable {
    /// Why the other side has ended the transfer of a file. One that is busy has not: the file is offered to it again.
    package var words: String {
        switch self {
        case .cancelled: "somebody on the other side has cancelled it"
        case .noRoom: "the disk of the other side is full: make room there, and send it again"
        case .wrongHash:
            "what arrived is not what was offered: leave the file as it is until it has arrived, and send it again"
        case .nobody: "nobody receives files on the other side: have its program do so, and send it again"
        case .tooLarge: "the other side takes only shorter files"
        case .failed: "the other side cannot store the file: its log says why"
        case .badLabel: "the label is no file name on the other side: give it another one"
        case _: "the other side gives the reason \(rawValue), which this version does not know"
        }
    }
}

extension RejectionReason: Codable {}
