import Testing
import WatchLink

@testable import PhoneHost

@Suite struct LatestFeedTests {
    @Test func `The feed sends every message of the phone, and no other`() throws {
        let latest = LatestFeed(listName: "Shopping", remaining: 0, next: nil, changed: 1_000, lastTrip: 900)
        let sent = try latest.messages() + [FeedBatch(changes: [.clear], more: 0).message(), PastFeed([]).message()]
        let all = (UInt8.min...UInt8.max).compactMap(ApplicationMessage.init(rawValue:))
        #expect(Set(sent.map(\.name)) == Set(all.filter { $0.sender == .phone }))
    }

    @Test(arguments: [
        ("🛒🛒🛒🛒🛒🛒🛒🛒🛒🛒🛒🛒", "🛒🛒🛒🛒🛒🛒🛒🛒🛒🛒🛒🛒"), ("🛒🛒🛒🛒🛒🛒🛒🛒🛒🛒🛒🛒🛒", "🛒🛒🛒🛒🛒🛒🛒🛒🛒🛒🛒…"),
        ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦 Groceries", "👨‍👩‍👧‍👦…"),
    ])
    func `A list's name that is cut for the watch ends with an ellipsis`(name: String, sent: String) throws {
        let latest = LatestFeed(listName: name, remaining: 0, next: nil, changed: 1_000, lastTrip: nil)
        let payload = try latest.title().payload
        var reader = CBORReader(payload.span)
        #expect(try TitleMessage(from: &reader).listName.text == sent)
    }
}
