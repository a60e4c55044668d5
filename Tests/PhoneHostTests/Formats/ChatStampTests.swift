import Testing

@testable import PhoneHost

@Suite struct ChatStampTests {
    private func items(_ text: String) -> [String] {
        ListImport(text.utf8).drafts.map { $0.detail.text(behind: $0.title.text) }
    }

    @Test(arguments: [
        "[12:31, 24.11.2026] Ann: Milk", "[24.11.26, 12:31:05] Ann: Milk", "[12:31] Ann: Milk",
        "\u{200E}[24.11.26, 12:31:05] ~\u{202F}Ann B: Milk", "[24.11.2026 12:31] Ann: Milk",
        "24.11.26, 12:31 - Ann: Milk", "2026-11-24, 12:31 - Ann: Milk", "> [12:31] Ann: Milk",
        "11/24/26, 12:31\u{202F}PM - +49 170 1234567: Milk", "24/11/2026, 12:31 p. m. – Ann: - Milk",
        "11/24/26 12:31PM - Ann: 1. Milk",
    ])
    func `the time and the name of a chat are taken off`(line: String) {
        #expect(items(line) == ["Milk"])
    }

    @Test(arguments: [
        "[12:31, 24.11.2026] Ann:", "[12:31]", "24.11.26, 12:31 - Ann: ", "24.11.2026, 12:31",
        "Ann, [24.11.2026 12:31]", "24.11.26, 12:31 -",
    ])
    func `a line that is nothing but a stamp is left out`(line: String) {
        #expect(items(line + "\nMilk") == ["Milk"])
    }

    @Test(arguments: [
        "Ann: Milk", "[12:31] Milk", "12:31 - Ann: Milk", "24.11.26 - Ann: Milk", "[Ann] Bob: Milk",
        "24.11.26, 12:31 - Dentist", "[1:2] Ann: Milk", "[12:31](x: y) Milk", "Ann [24.11.2026 12:31]", "12:31",
        "[24.11.26] Ann: Milk", "[25.12.26, 12:31", "[12:31] : Milk", "[12:31, 24.11.26, 25.11.26] Ann: Milk",
    ])
    func `what may be an item stays one`(line: String) {
        #expect(items(line).count == 1 && items(line) != ["Milk"])
    }

    @Test func `messages are lines as all others are`() {
        let chat = """
            24.11.26, 12:31 - Ann: MILK, 2 lbs
            24.11.26, 12:32 - Bob: Ingredients: as always
            7 eggs
            24.11.26, 12:33 - Ann: ~~Rye~~
            """
        #expect(items(chat) == ["Milk, 2 lbs", "Ingredients: as always", "eggs, 7", "Rye"])
    }

    @Test func `an item that is called so is exported so that it stays`() throws {
        let titles = ["[12:31] Ann: Milk", "Ann, [24.11.2026 12:31]", "24.11.26, 12:31 -", "2. Wahl", "3. Mai", "NASA"]
        for title in titles {
            let item = StoredItem(
                id: ItemIdentifier(rawValue: 1), rank: 0, title: title, state: .open, addedAt: .distantPast)
            let list = ListContents(name: "List", items: [item, item])
            for format in [ListExport.markdown, .plain] {
                #expect(items(format.text(of: list)) == [title, title])
            }
        }
    }
}
