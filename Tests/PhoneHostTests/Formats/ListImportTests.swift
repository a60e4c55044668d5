import TestSupport
import Testing
import WatchLink

@testable import PhoneHost

@Suite struct ListImportTests {
    private func titles(_ text: String) -> [String] {
        ListImport(Array(text.utf8)).drafts.map { ($0.kind == .checked ? "x " : "") + $0.title.text }
    }

    @Test(arguments: [
        ("", []), ("\n\n", []), ("Milk", ["Milk"]), ("Milk\nEggs\n", ["Milk", "Eggs"]),
        ("Milk\r\nEggs\r\n", ["Milk", "Eggs"]), ("Milk\rEggs", ["Milk", "Eggs"]),
        ("\u{FEFF}Milk", ["Milk"]), ("\u{FEFF}# Head\nMilk", ["Milk"]),
        ("# Groceries\n\n- [ ] milk\n- [x] bread\n- [X] soap", ["milk", "x bread", "x soap"]),
        ("* a\n+ b\n- c", ["a", "b", "c"]), ("1. one\n2) two\n10. ten", ["one", "two", "ten"]),
        ("  - [ ] indented\n\t* deeper", ["indented", "deeper"]),
        ("Head\n====\nMilk", ["Milk"]), ("Rye\n---\nMilk", ["Rye", "Milk"]), ("====\nMilk", ["Milk"]),
        ("== Dairy ==\nMilk\n--- Veg ---\nKale", ["Milk", "Kale"]),
        ("**Dairy:**\n- Milk\n- Veg:\n- Kale", ["Milk", "Kale"]),
        ("- [ ] Buy:\nMilk :smile:\n12:30:", ["Buy:", "Milk :smile:", "12:30:"]), ("Method", ["Method"]),
        ("a | b\n--- | ---\nMilk | oat\n|---|---|\n|Rye|2|", ["Milk", "Rye"]),
        ("###### six\n####### seven\n#hashtag", ["####### seven", "#hashtag"]),
        ("- [ ]\n-\n- [x] \n#", []), ("-5 degrees\n3.5 l oil\n*bold*", ["-5 degrees", "oil", "bold"]),
        ("[ ] no bullet", ["no bullet"]), ("- [link](x)", ["link"]), ("- [ ]nospace", ["[ ]nospace"]),
        ("- [ ] - [ ] twice", ["- [ ] twice"]), ("***\n* * *\n___\n```\n```text\n> Milk\n> > Eggs", ["Milk", "Eggs"]),
        ("\u{1}\nMilk", ["Milk"]), ("12345678901. long", ["12345678901. long"]),
    ])
    func `lines are items`(text: String, expected: [String]) {
        #expect(titles(text) == expected)
    }

    @Test(arguments: [
        ("3. Mai", ["3. Mai"]), ("1. Mai", ["1. Mai"]),
        ("3. Mai: Grillen\n24. Dezember", ["3. Mai: Grillen", "24. Dezember"]),
        ("1. Milk\n2. Eggs\n4. Rye", ["Milk", "Eggs", "Rye"]), ("3. Milk\n4. Eggs", ["3. Milk", "4. Eggs"]),
        ("1. a\n1. b", ["a", "b"]), ("1. Milk", ["1. Milk"]), ("2) Milk", ["2) Milk"]),
        ("1) Milk\n2) [x] Eggs", ["Milk", "x Eggs"]),
        ("2. Wahl\nEggs", ["2. Wahl", "Eggs"]),
        ("2. Wahl\n5. May", ["2. Wahl", "5. May"]), ("1. Mai-Tai\n2. Maiskolben", ["Mai-Tai", "Maiskolben"]),
        ("24.12. Goose\n3.", ["24.12. Goose", "3."]),
    ])
    func `numbers are marks if they count from 1, and the day of a date is none`(text: String, expected: [String]) {
        #expect(titles(text) == expected)
    }

    @Test func `lines without an item are counted`() {
        #expect(ListImport(Array("# Head\n\nMilk\n- [ ]\n".utf8)).skippedLines == 3)
        #expect(ListImport([]).skippedLines == 0)
    }

    @Test func `invalid UTF-8 is replaced and harms no other line`() {
        let parsed = ListImport([0x61, 0xFF, 0x0A, 0x62, 0x0A, 0xC3])
        #expect(parsed.drafts.map(\.title.text) == ["a\u{FFFD}", "b", "\u{FFFD}"])
    }

    @Test func `a file that is not there is an error`() throws {
        let directory = TemporaryDirectory()
        let path = directory.file("none")
        #expect(throws: PhoneError.file(path: path, reason: "cannot be read (No such file or directory)")) {
            try ListImport.bytes(of: path)
        }
        #expect(throws: PhoneError.file(path: directory.path, reason: "cannot be read (Is a directory)")) {
            try ListImport.bytes(of: directory.path)
        }
    }
}
