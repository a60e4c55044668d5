import Testing
import WatchLink

@testable import Wormhole

@Suite struct ReasonWordsTests {
    private static let faults: [ProtocolFault] = [
        .malformedFrame, .unexpectedFrame, .unsupported, .sequenceGap, .windowExceeded, .acknowledgedUnsent, .tooLong,
        .unaskedReply, .brokenTransfer, .sameRole,
    ]
    private static let goodbyes: [GoodbyeReason] = [
        .goingAway, .version, .protocolFault, .refused, .replaced, .historyLost, .otherPhone,
    ]

    @Test func `Every fault and every goodbye is said in words of its own, without a number`() {
        let words =
            Self.faults.map { CloseReason.protocolFault($0).words }
            + Self.faults.map { CloseReason.peerLeft(Goodbye(.protocolFault, fault: $0)).words }
            + Self.goodbyes.map { CloseReason.peerLeft(Goodbye($0)).words }
        #expect(Set(words).count == words.count)
        #expect(words.allSatisfy { !$0.contains("rawValue") && !$0.contains(where: \.isNumber) }, "\(words)")
    }

    @Test func `A number without a name is said as such`() {
        #expect(
            CloseReason.protocolFault(ProtocolFault(rawValue: 99)).words
                == "it broke the protocol (the unknown fault 99)")
        #expect(
            CloseReason.peerLeft(Goodbye(GoodbyeReason(rawValue: 99))).words == "it closed the connection (reason 99)")
    }

    @Test func `Every reason is said in words of its own, and a number only where it has no name`() {
        let named: [RejectionReason] = [.malformed, .unknownName, .noRoom, .refused]
        #expect(Set(named.map(\.words)).count == named.count)
        #expect(named.allSatisfy { !$0.words.contains(where: \.isNumber) })
        #expect(RejectionReason(rawValue: 127).words == "the reason 127 is not known")
        #expect(RejectionReason(rawValue: 128).words == "the application gives the reason 128")
    }

    @Test(arguments: [
        (UnreachableReason.connectionLost, "the connection was lost"),
        (.closed(.silent), "it stopped answering"),
        (
            .closed(.otherVersion(peer: 4)),
            "it speaks version 4 of the protocol, this side 2"
        ),
        (.closed(.peerLeft(Goodbye(.goingAway))), "it said goodbye"),
        (.closed(.peerLeft(Goodbye(GoodbyeReason(rawValue: 200)))), "it closed the connection (reason 200)"),
        (
            .noConnection(.noListener(path: "/a")),
            "no connection could be opened (no program serves /a: start it, or check the path)"
        ),
    ])
    func `A reason is one line for a person`(reason: UnreachableReason, line: String) {
        #expect("\(reason)" == line)
    }
}
