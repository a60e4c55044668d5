import Testing
import WatchLink

@testable import PhoneHost

@Suite struct ComplicationFeedTests {
    @Test func `while there is a list it shows how many items and the next of them, from that minute on`() {
        let feed = ComplicationFeed(
            LatestFeed(listName: "Shopping", remaining: 3, next: "Milk", changed: 1_000, lastTrip: 900))
        #expect(
            feed.entries == [
                ComplicationEntry(date: 960, content: .items(remaining: 3), text: ItemTitle(cutting: "Milk"))
            ])
    }

    @Test func `when the list is empty it shows how long ago the trip was`() {
        let feed = ComplicationFeed(
            LatestFeed(listName: "Shopping", remaining: 0, next: nil, changed: 1_000, lastTrip: 900))
        #expect(feed.entries.first?.date == 900)
        #expect(feed.entries.first?.text.text == "Trip just now")
        #expect(feed.entries.first { $0.date == 900 + 3_600 }?.text.text == "Trip 1 h ago")
        #expect(feed.entries.allSatisfy { $0.content == .text && $0.relevance == 10 })
    }

    @Test func `where there was no trip either there is nothing to say`() {
        #expect(
            ComplicationFeed(LatestFeed(listName: "Shopping", remaining: 0, next: nil, changed: 1_000, lastTrip: nil))
                .entries.isEmpty)
    }

    @Test func `a usual trip is shown above the last one, and a note above both`() {
        let week: UInt32 = 604_800
        let now = 100 * week
        let trips = UsualTrips(checkOffs: [1, 2, 3].map { now - $0 * week }, now: now - 6 * 3_600)
        let latest = LatestFeed(
            listName: "Shopping", remaining: 0, next: nil, changed: now - 6 * 3_600, lastTrip: now - week,
            usualTrips: trips,
            notes: [
                ComplicationNote(number: 1, text: "Market day", start: now - 3_600, end: now, relevance: 150)
            ])
        let texts = ComplicationFeed(latest).entries.prefix(4).map(\.text.text)
        #expect(texts == ["Usual trip Thu 00:00", "Market day", "Usual trip Thu 00:00", "Trip 1 week ago"])
    }

    @Test func `a push is a message without entries`() throws {
        #expect(try ComplicationFeed.push().payload == [0xA1, 0x00, 0x80])
    }

    @Test(arguments: [1, 900, 1_700_000_000, UInt32.max - 5] as [UInt32])
    func `the time line is one that a watch takes`(lastTrip: UInt32) throws {
        let feed = ComplicationFeed(
            LatestFeed(listName: "Shopping", remaining: 0, next: nil, changed: 0, lastTrip: lastTrip))
        let payload = try feed.message().payload
        #expect(payload.count + 13 <= 500, "it fits the frame of a watch, name included")
        var reader = try ComplicationMessageReader(CBORReader(payload.span))
        var entries: [ComplicationEntry] = []
        while let entry = reader.next() { entries.append(entry) }
        #expect(entries == feed.entries)
    }
}
