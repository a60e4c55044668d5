import TestSupport
import Testing
import WatchLink

@testable import PhoneHost

@Suite struct PastedItemTests {
    private func item(_ line: String, in place: PastedItem.Place = .list) -> String? {
        ListImport.draft(line[...], in: place).map { draft in
            let parts = [draft.title.text, draft.detail.amount ?? "", draft.detail.note ?? ""]
            return (draft.kind == .checked ? "x " : "") + parts.joined(separator: " | ")
        }
    }

    @Test(arguments: [
        ("MILK, 2 lbs", "MILK | 2 lbs | "), ("Milk, 2 LBS", "Milk | 2 LBS | "),
        ("500 ML UHT MILK", "UHT MILK | 500 ML | "), ("2l milk", "milk | 2l | "), ("Flour 500g", "Flour | 500g | "),
        ("Flour, 1.5 kg", "Flour | 1.5 kg | "), ("1 1/2 cups sugar", "sugar | 1 1/2 cups | "),
        ("½ cup oil", "oil | ½ cup | "), ("1½ tsp. salt", "salt | 1½ tsp | "), ("2-3 carrots", "carrots | 2-3 | "),
        ("5 to 6 bananas", "bananas | 5 to 6 | "), ("6x330ml Coke", "Coke | 6x330ml | "),
        ("1 ½ cups sugar", "sugar | 1 ½ cups | "), ("2\u{A0}l Milch", "Milch | 2 l | "),
        ("2 fl oz rum", "rum | 2 fl oz | "), ("500 g de farine", "farine | 500 g | "),
        ("200 g d'haricots", "haricots | 200 g | "), ("2 EL Olivenöl", "Olivenöl | 2 EL | "),
        ("Milk - 2 l", "Milk | 2 l | "), ("Milk x 2 l", "Milk | 2 l | "), ("**2 l** milk", "milk | 2 l | "),
        ("- **Milk**: 2 l", "Milk | 2 l | "), ("1 (14.5 ounce) can tomatoes", "tomatoes | 1 (14.5 ounce) can | "),
        ("400 g / 14 oz tomatoes", "tomatoes | 400 g / 14 oz | "), ("1 cup/240 ml milk", "milk | 1 cup/240 ml | "),
        ("1 tbsp. + 1 tsp. sugar", "sugar | 1 tbsp. + 1 tsp | "),
        ("1/2 cup plus 2 tbsp sugar", "sugar | 1/2 cup plus 2 tbsp | "), ("1 1⁄2 cups water", "water | 1 1⁄2 cups | "),
        ("1 lb ground beef (80/20)", "ground beef | 1 lb | 80/20"), ("2 l milk, fresh", "milk, fresh | 2 l | "),
        ("Eggs x2", "Eggs | 2 | "), ("Eggs x 2", "Eggs | 2 | "), ("2 x Eggs", "Eggs | 2 | "),
        ("2 x 500 g Flour", "Flour | 2 x 500 g | "), ("3 cans tomatoes", "tomatoes | 3 cans | "),
        ("Milk, 1/2 l + 2 lbs (whole)", "Milk | 1/2 l + 2 lbs | whole"), ("1 kg apples (red)", "apples | 1 kg | red"),
        ("2x 1 l Milk", "Milk | 2x 1 l | "), ("1 fl. oz. rum", "rum | 1 fl. oz | "), ("2 T. sugar", "sugar | 2 T | "),
        ("1⅗ cups rye", "rye | 1⅗ cups | "), ("2 (14.5 ounce) cans corn", "corn | 2 (14.5 ounce) cans | "),
        ("175g/6oz butter", "butter | 175g/6oz | "), ("2 EL, gehäuft Zucker", "Zucker | 2 EL | gehäuft"),
        ("2 Zehe/n Knoblauch", "Knoblauch | 2 Zehe/n | "), ("Chicken breast | 500g", "Chicken breast | 500g | "),
        ("Sugar | 3/4 Cup (brown) |", "Sugar | 3/4 Cup | brown"), ("Tea | Black, 1 Tbsp |", "Tea | 1 Tbsp | Black"),
        ("Milk |", "Milk |  | "), ("Milk\t2 l\t(oat)", "Milk | 2 l | oat"), ("• \t2\teggs", "eggs | 2 | "),
    ])
    func `amounts and notes are taken apart`(line: String, expected: String) {
        #expect(item(line) == expected)
    }

    @Test(arguments: [
        "Milk", "Eggs, a dozen", "Rye bread, sliced", "7 Up", "7 UP", "5G phone", "3 way bulb", "4 seasons pizza",
        "100 plus drink", "1 a day vitamins", "24 hours cream", "5 hour energy", "Book, 1984", "Milk, 3.5",
        "3 Musketeers", "Bread, milk, eggs", "İZMİR", "ΣΟΦΟΣ", "Rope 10 m", "2 red apples", "snake_case_x *",
        "Wood screws 4 x 40", "4 x 40 wood screws", "9 volt battery", "3 in 1 oil", "2 ply paper", "Paper 80 x 24",
        "iPhone cable", "WD-40", "UHT", "TV", "snake_case", "5 * 3", "A (b) c", "ORANGE JUICE", "[12:31] Ann: Milk",
        "(all)", "50 % cream", "Milk (a) (b)", "2", "2 l", "x", "Milk,2 l",
    ])
    func `what may be a name stays one`(line: String) {
        #expect(item(line) == line + " |  | ")
    }

    @Test(arguments: [
        ("• Milk", "Milk |  | "), ("– Milk", "Milk |  | "), ("◦ 2 l milk", "milk | 2 l | "), ("☑ Milk", "x Milk |  | "),
        ("✓ Milk", "x Milk |  | "), ("- ☑ Milk", "x Milk |  | "), ("**Milk**", "Milk |  | "), ("*Milk*", "Milk |  | "),
        ("_Milk_", "Milk |  | "), ("**[Milk](https://example.org)**", "Milk |  | "),
        ("- [Rye bread](x), 2", "Rye bread | 2 | "), ("Milk,", "Milk |  | "), ("Milk;", "Milk |  | "),
        ("☑️ Milk", "x Milk |  | "), ("⬜ Milk", "Milk |  | "), ("[x] Milk", "x Milk |  | "),
        ("▢ 2 cups flour", "flour | 2 cups | "), ("![img](x.png) Milk", "img Milk |  | "),
        ("[a](b) [Rye](c_(d)), 2", "a Rye | 2 | "), ("large *ripe* tomatoes", "large ripe tomatoes |  | "),
        ("- `7 eggs`, `2 (l)` (`a ) b`)", "7 eggs | 2 (l) | a ) b"), ("`a\\`b\\\\`", "a`b\\ |  | "),
        ("`` a`b ``", "`` a`b `` |  | "), ("`open", "`open |  | "), ("` `", "` ` |  | "), ("`a` b", "`a` b |  | "),
    ])
    func `marks of lists and of Markdown are taken off`(line: String, expected: String) {
        #expect(item(line) == expected)
    }

    @Test func `behind the comma of an ingredient is how it is prepared`() {
        #expect(item("2 cloves garlic, minced", in: .ingredients) == "garlic | 2 cloves | minced")
        #expect(item("Butter, soft, 100 g (cold)", in: .ingredients) == "Butter | 100 g | soft; cold")
        #expect(item("2 cloves garlic, minced") == "garlic, minced | 2 cloves | ")
        #expect(item("Bread, milk, eggs", in: .ingredients) == "Bread, milk, eggs |  | ")
        #expect(item("2 red apples", in: .ingredients) == "red apples | 2 | ")
    }

    @Test func `parentheses that do not end are a name, however many there are`() {
        let deep = String(repeating: "1 l (", count: 20_000)
        #expect(item("Milk " + deep) == "Milk " + deep + " |  | ")
    }

    @Test func `a title of ten kilobytes is one title`() {
        let long = String(repeating: "ab ", count: 3_500) + "c"
        #expect(item(long) == long + " |  | ")
    }

    @Test func `every item is exported so that it is read as the same`() {
        let seed = Seed.printed(for: "exports")
        var generator = SplitMix64(seed: seed)
        let words = [
            "2", "x", "l", "|", "|---|", "> ", "***", "```", "to", "+", "/", "Ingredients", "Method", "*a*", "G",
            "fl oz", "(2 l)", "500g", "½", "Milk", "MILK", "`", "``", "(", ")", "a)", ",", ";", "~~", "**", "_", "#",
            "##", "-", "[x]", "1.", "3.", "Mai",
            "[", "](", ":", "Ingredients", "**Method**", "of", "4", "\\", "==", " | ", "for 4", "gestr.", "Dose/n",
            "2.", "\u{301}", "e\u{301}", "1/2", "•", "☑", "🥛", "חלב",
        ]
        for _ in 0..<TestLevel.rounds(500, nightly: 5_000) {
            func text() -> String {
                (0...Int.random(in: 0...5, using: &generator)).map { _ in words.randomElement(using: &generator) ?? "" }
                    .joined(separator: Bool.random(using: &generator) ? " " : "")
            }
            // The list has three items, because the meaning of a line depends on the other lines.
            let expected = (0..<3).compactMap { _ -> ItemDraft? in
                let detail = ItemDetail(
                    amount: Bool.random(using: &generator) ? text() : nil,
                    note: Bool.random(using: &generator) ? text() : nil)
                return (try? CleanTitle(text())).map { ItemDraft(title: $0, detail: detail) }
            }
            let items = expected.enumerated().map { place, draft in
                StoredItem(
                    id: ItemIdentifier(rawValue: UInt32(place) + 1), rank: 0, title: draft.title.text, state: .open,
                    addedAt: .distantPast, detail: draft.detail)
            }
            let list = ListContents(name: "List", items: items)
            for format in [ListExport.markdown, .plain] {
                let exported = format.text(of: list)
                #expect(ListImport(exported.utf8).drafts == expected, "seed \(seed): \(exported)")
            }
        }
    }
}
