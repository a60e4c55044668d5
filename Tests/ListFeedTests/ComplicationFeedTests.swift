import Testing
import WatchLink

@testable import ListFeed

@Suite struct ComplicationFeedTests {
    @Test func `while there is a list it shows how many items and the next of them`() {
        let feed = ComplicationFeed(
            LatestFeed(listName: "Shopping", remaining: 3, next: "Milk", changed: 1_000, lastTrip: 900))
        #expect(
            feed.entries == [
                ComplicationEntry(date: 1_000, content: .items(remaining: 3), text: ItemTitle(cutting: "Milk"))
            ])
    }

    @Test func `when the list is empty it shows how long ago the trip was`() {
        let feed = ComplicationFeed(
            LatestFeed(listName: "Shopping", remaining: 0, next: nil, changed: 1_000, lastTrip: 900))
        #expect(feed.entries.first?.date == 900)
        #expect(feed.entries.first?.text.text == "Trip just now")
        #expect(feed.entries.first { $0.date == 900 + 3_600 }?.text.text == "Trip 1 h ago")
        #expect(feed.entries.allSatisfy { $0.content == .text })
    }

    @Test func `where there was no trip either there is nothing to say`() {
        #expect(
            ComplicationFeed(LatestFeed(listName: "Shopping", remaining: 0, next: nil, changed: 1_000, lastTrip: nil))
                .entries.isEmpty)
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
