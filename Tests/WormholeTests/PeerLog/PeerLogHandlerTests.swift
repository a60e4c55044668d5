import Logging
import Testing
import WatchLink
import WormholeTesting

@testable import Wormhole

@Suite struct PeerLogHandlerTests {
    private let log = RecordedLog()
    private let clock = ManualClock()
    private let bad = "a\n\u{1B}[31mb\u{202E}"
    private let shown = "a\u{FFFD}\u{FFFD}[31mb\u{FFFD}"

    @Test func `Message, metadata and their nested values are cleaned`() {
        var logger = log.logger().aboutPeers(clock)
        logger[metadataKey: "peer"] = "\(bad)"
        logger.info(
            "\(bad)",
            metadata: [
                "text": "\(bad)", "value": .stringConvertible(bad), "list": ["\(bad)"], bad: ["\(bad)": "\(bad)"],
            ])
        #expect(log.messages == [shown])
        let metadata = log.lines[0].metadata
        #expect(metadata["peer"] == shown && metadata["text"] == shown && metadata["value"] == shown)
        #expect(Set(metadata.keys) == ["peer", "text", "value", "list", shown])
        #expect(!metadata.values.contains { $0.contains("\u{1B}") || $0.contains("\n") || $0.contains("\u{202E}") })
    }

    @Test func `A peer's lines are bounded, and what was left out is told`() {
        let logger = log.logger().aboutPeers(clock)
        let peer = PeerIdentity(rawValue: 7)
        for number in 0..<1_000 { logger.info("line \(number)", metadata: .about(peer)) }
        #expect(log.lines.count == 240)
        #expect(log.lines[0].metadata == [:])
        logger.info("of this program")
        #expect(log.messages.last == "of this program")
        clock.advance(by: .seconds(60))
        logger.info("later", metadata: .about(peer))
        #expect(log.messages.suffix(2) == ["and 760 more lines about 0000000000000007 in a minute", "later"])
    }

    @Test func `What keeps the program itself from working is always written`() {
        let logger = log.logger().aboutPeers(clock)
        for _ in 0..<1_000 { logger.error("the disk is full") }
        #expect(log.lines.count == 1_000)
    }

    @Test func `A logger is wrapped once, and keeps its level`() {
        var logger = log.logger(.warning).aboutPeers(clock).aboutPeers(clock)
        logger.info("not written")
        logger.logLevel = .info
        logger.info("written")
        #expect(log.messages == ["written"])
    }

    @Test func `A message is told by its name and its length, never by its bytes`() {
        let content = InboundMessage.Content.queued("check", payload: [1, 22, 133])
        #expect("\(content)" == "check, 3 bytes")
        #expect("\(InboundMessage.Content.latest("check", payload: [1, 22]))" == "check (latest), 2 bytes")
    }
}
