import Foundation
import Testing

@testable import PhoneHost

@Suite struct ItemSelectorTests {
    private let list: ListContents = {
        func item(_ id: UInt32, _ title: String, _ state: ItemState = .open) -> StoredItem {
            StoredItem(id: ItemIdentifier(rawValue: id), rank: id, title: title, state: state, addedAt: .distantPast)
        }
        return ListContents(
            name: "Shopping",
            items: [
                item(2_000_001, "Milk", .checked(at: .distantPast)), item(2_000_002, "Milk"), item(2_000_003, "Millet"),
                item(2_000_004, "Eggs"), item(2_000_005, "eggs, brown"), item(2_000_006, "7"),
                item(2_000_007, "Salt", .checked(at: .distantPast)), item(2_000_008, "Rice"), item(2_000_009, "Rice"),
            ])
    }()

    private func id(_ query: String, _ preference: ItemSelector.Preference) throws -> UInt32 {
        try ItemSelector(list, preferring: preference).item(query).id.rawValue % 1_000_000
    }

    @Test(
        arguments: [
            // A number counts the open items first, then the checked ones. It is a number before it is a title.
            ("1", .any, 2), ("7", .any, 9), ("8", .any, 1), ("9", .any, 7), ("2000004", .open, 4),
            // An exact title is preferred to a longer one, and to one in another case.
            ("Milk", .open, 2), ("Eggs", .open, 4), ("eggs", .open, 4),
            // The beginning of one title is enough. If no open item fits, a checked one does.
            ("mille", .open, 3), ("EGGS,", .open, 5), ("sal", .open, 7), ("milk", .open, 2), ("milk", .checked, 1),
        ] as [(String, ItemSelector.Preference, UInt32)])
    func `a query is a number, an ID, a title or its beginning`(
        query: String, preference: ItemSelector.Preference, item: UInt32
    ) throws {
        #expect(try id(query, preference) == item)
    }

    @Test func `what could be several names them`() {
        let error = #expect(throws: PhoneError.self) { try id("rice", .open) }
        #expect(
            error?.description
                == "\"rice\" could be 6 \"Rice\" (id 2000008) or 7 \"Rice\" (id 2000009): give the number or the id")
        #expect(throws: PhoneError.self) { try id("mil", .open) }
        #expect(throws: PhoneError.self) { try id("milk", .any) }
    }

    @Test(arguments: ["", "0", "10", "-1", "99999999999", "zzz", "ilk"])
    func `what fits nothing is an error`(query: String) {
        #expect(throws: PhoneError.noSuchItem(query: query, list: "Shopping")) { try id(query, .any) }
    }

    @Test func `an error shows what was asked for on one line, whatever it is`() {
        let error = #expect(throws: PhoneError.self) { try id("\u{1B}[2J\nMilk", .any) }
        #expect(error?.description.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F } == true)
    }
}
