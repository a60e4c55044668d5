import Testing
import WatchLink

@testable import Wormhole

@Suite struct RejectionReasonTests {
    @Test func `Every reason is said in words of its own, and a number only where it has no name`() {
        let named: [RejectionReason] = [.malformed, .unknownName, .noRoom, .refused]
        #expect(Set(named.map(\.words)).count == named.count)
        #expect(named.allSatisfy { !$0.words.contains(where: \.isNumber) })
        #expect(RejectionReason(rawValue: 127).words == "the reason 127 is not known")
        #expect(RejectionReason(rawValue: 128).words == "the application has its reason 128")
    }
}
