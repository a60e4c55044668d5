import Foundation
import GRDB
import TestSupport
import Testing

@testable import PhoneHost

@Suite struct NotesTests {
    let directory: TemporaryDirectory
    /// Starts at 2025-10-09 08:53:20 GMT, which is 10:53:20 local time.
    let world = SteppedDependencies(zone: TimeZone(secondsFromGMT: 7_200) ?? .gmt)
    let store: PhoneStore

    init() throws {
        directory = TemporaryDirectory()
        store = try PhoneStore(path: directory.file("phone.sqlite"), dependencies: world.dependencies)
    }

    private func add(
        _ text: String, from start: TimeInterval? = nil, to end: TimeInterval? = nil, relevance: UInt8 = 150
    ) async throws -> FaceNote {
        let (start, end) = (start.map(world.now.addingTimeInterval), end.map(world.now.addingTimeInterval))
        return try await store.add(try NoteDraft(text, start: start, end: end, relevance: relevance))
    }

    @Test func `a note is on the time line from its minute on, and the list after it`() async throws {
        try await store.add(try drafts("Milk"))
        let note = try await add("Shop  closes\tat 20:00", to: 7_200)
        #expect(note.number == 1 && note.text == "Shop closes at 20:00" && note.push == .wanted)
        let face = try await store.face()
        #expect(face.notes == [note])
        #expect(face.timeLine.map(\.text) == ["Shop closes at 20:00", "Milk"])
        #expect(face.timeLine.map(\.note) == [1, nil])
        #expect(face.timeLine.map(\.remaining) == [nil, 1])
        #expect(face.timeLine.map(\.relevance) == [150, 100])
        let minute = world.now.addingTimeInterval(-20)
        #expect(face.timeLine[0].from == minute && face.timeLine[0].until == minute.addingTimeInterval(7_200))
        #expect(face.timeLine[1].from == face.timeLine[0].until && face.timeLine[1].until == nil)
    }

    @Test func `notes without an end stay until they are removed, by number or all`() async throws {
        for number in 1...3 { #expect(try await add("Note \(number)").number == number) }
        world.advance(seconds: 1_000_000)
        #expect(try await store.face().notes.count == 3)
        #expect(try await store.removeNotes([2]).map(\.text) == ["Note 2"])
        await #expect(throws: PhoneError.note(.unknown(number: 2))) {
            try await store.removeNotes([1, 2])
        }
        #expect(try await store.face().notes.map(\.number) == [1, 3], "all or none")
        #expect(try await store.removeNotes(nil).count == 2)
        #expect(try await store.removeNotes(nil).isEmpty)
        #expect(try await add("Note").number == 4)
    }

    @Test func `a note that is over is gone`() async throws {
        _ = try await add("Soon over", to: 60)
        world.advance(seconds: 60)
        #expect(try await store.face() == FaceReport(timeLine: [], notes: []))
        await #expect(throws: PhoneError.note(.unknown(number: 1))) { try await store.removeNotes([1]) }
    }

    @Test func `a note that ends within its first minute is there for all of that minute`() async throws {
        // The note lasts from 10:53:20 to 10:53:35.
        let note = try await add("Look", to: 15)
        let face = try await store.face()
        #expect(face.timeLine.map(\.until) == [world.now.addingTimeInterval(40)])
        world.advance(seconds: 39)
        #expect(try await store.face() == face && face.notes == [note])
        world.advance(seconds: 1)
        #expect(try await store.face() == FaceReport(timeLine: [], notes: []))
    }

    @Test func `no more notes are kept than there is room for, and those that are over make room`() async throws {
        for _ in 0..<63 { _ = try await add("Note") }
        _ = try await add("Soon over", to: 60)
        await #expect(throws: PhoneError.note(.tooMany(most: 64))) { try await add("One more") }
        world.advance(seconds: 61)
        _ = try await add("One more")
        #expect(try await store.face().notes.count == 64)
    }

    @Test func `what cannot be shown is refused`() async throws {
        #expect(throws: PhoneError.note(.empty)) { try NoteDraft(" \u{1B}\u{7} ", relevance: 1) }
        #expect(throws: PhoneError.note(.tooLong(bytes: 49))) {
            try NoteDraft(String(repeating: "ü", count: 24) + "x", relevance: 1)
        }
        #expect(try NoteDraft(String(repeating: "ü", count: 24), relevance: 1).text.utf8.count == 48)
        await #expect(throws: PhoneError.note(.endsBeforeStart)) { try await add("A", from: 600, to: 600) }
        await #expect(throws: PhoneError.note(.endsBeforeStart)) { try await add("A", from: 600, to: 60) }
        await #expect(throws: PhoneError.note(.over)) { try await add("A", to: 0) }
        await #expect(throws: PhoneError.note(.over)) { try await add("A", from: -600, to: -60) }
        await #expect(throws: PhoneError.note(.beyondCalendar)) { try await add("A", from: 5_000_000_000) }
        await #expect(throws: PhoneError.note(.beyondCalendar)) { try await add("A", to: 5_000_000_000) }
        #expect(try await store.face().notes.isEmpty)
        for fault: NoteFault in [
            .empty, .tooLong(bytes: 49), .endsBeforeStart, .over, .beyondCalendar, .tooMany(most: 64),
            .unknown(number: 2),
        ] {
            #expect(!fault.description.isEmpty && !fault.description.contains(where: \.isNewline))
        }
    }
}
