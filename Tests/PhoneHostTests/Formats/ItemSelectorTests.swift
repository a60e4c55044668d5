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

    @Test func `a number counts the open items first, then the checked ones`() throws {
        #expect(try id("1", .any) == 2)
        #expect(try id("7", .any) == 9, "7 is a number before it is a title")
        #expect(try id("8", .any) == 1)
        #expect(try id("9", .any) == 7)
    }

    @Test func `an id is an id`() throws {
        #expect(try id("2000004", .open) == 4)
    }

    @Test func `an exact title is preferred to a longer one`() throws {
        #expect(try id("Milk", .open) == 2)
        #expect(try id("Eggs", .open) == 4)
        #expect(try id("eggs", .open) == 4, "case is only looked at where it matters")
    }

    @Test func `the beginning of one title is enough`() throws {
        #expect(try id("mille", .open) == 3)
        #expect(try id("EGGS,", .open) == 5)
        #expect(try id("sal", .open) == 7, "where no open item fits, a checked one does")
    }

    @Test func `the command decides between a checked and an open one`() throws {
        #expect(try id("milk", .open) == 2)
        #expect(try id("milk", .checked) == 1)
        #expect(throws: PhoneError.self) { try id("milk", .any) }
    }

    @Test func `what could be several names them`() {
        let error = #expect(throws: PhoneError.self) { try id("rice", .open) }
        #expect(
            error?.description
                == "\"rice\" could be 6 \"Rice\" (id 2000008) or 7 \"Rice\" (id 2000009): give the number or the id")
        #expect(throws: PhoneError.self) { try id("mil", .open) }
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
