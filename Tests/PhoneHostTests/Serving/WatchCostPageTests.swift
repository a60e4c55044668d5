import Foundation
import Testing
import WatchLink

@testable import PhoneHost
@testable import Wormhole

@Suite struct WatchCostPageTests {
    @Test(arguments: [
        ("FeedStore.mostWaiting", FeedStore.mostWaiting), ("LatestStore.mostNames", LatestStore.mostNames),
        ("PassedValueTable.mostNames", PassedValueTable.mostNames),
        ("History.mostWithoutEffect", History.mostWithoutEffect),
        ("ApplyTransaction.mostWaiting", ApplyTransaction.mostWaiting),
        ("TransferLimits.mostWaiting", TransferLimits.mostWaiting),
        ("TransferLimits.mostSending", TransferLimits.mostSending),
        ("OutgoingTransfer.window", OutgoingTransfer.window),
        ("TransferLimits.longestChunk", TransferLimits.longestChunk),
        ("WatchHandshake.mostLocalWatches", WatchHandshake.mostLocalWatches),
        ("ForgottenWatch.most", ForgottenWatch.most),
        ("RunTable.mostFormer", RunTable.mostFormer), ("RunTable.mostPast", RunTable.mostPast),
        ("NewsRateLimit.mostLines", NewsRateLimit.mostLines),
        ("EndpointMachine.mostUnreachablePeers", EndpointMachine.mostUnreachablePeers),
        ("WormholeConfiguration.largestMessage", WormholeConfiguration(role: .phone).largestMessage),
        ("UnixListener.mostWaiting", Int(UnixListener.mostWaiting)), ("LogRateLimit.perPeer", LogRateLimit.perPeer),
        ("LogRateLimit.together", LogRateLimit.together), ("LogRateLimit.warnings", LogRateLimit.warnings),
    ])
    func `each bound on the page is that of the code`(name: String, bound: Int) throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/PhoneHost/README.md")
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter {
            $0.contains("`\(name)`")
        }
        #expect(!rows.isEmpty)
        let number = bound.formatted(.number.grouping(.automatic).locale(Locale(identifier: "en")))
        for row in rows {
            // Compares whole numbers, so that 64 does not count as 4.
            let said = row.split { !$0.isNumber && $0 != "," }.map { $0.trimmingCharacters(in: [","]) }
            #expect(said.contains { $0 == number }, "\(name) is \(number)")
        }
    }
}
