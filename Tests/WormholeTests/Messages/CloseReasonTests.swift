import Testing
import WatchLink

@testable import Wormhole

@Suite struct CloseReasonTests {
    private static let faults: [ProtocolFault] = [
        .malformedFrame, .unexpectedFrame, .unsupported, .sequenceGap, .windowExceeded, .acknowledgedUnsent, .tooLong,
        .sameRole,
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
}
