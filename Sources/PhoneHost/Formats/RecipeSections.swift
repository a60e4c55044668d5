/// The lines of a text that are items: those of its ingredients where it is a recipe, all of them where it is not.
struct RecipeSections: Equatable {
    /// What a text is.
    enum Kind: Equatable {
        /// A list of items.
        case list
        /// A recipe, with the lines below its heading of ingredients.
        case recipe
        /// A recipe without a heading of ingredients, or with nothing below it.
        case withoutIngredients
    }

    let kind: Kind
    let lines: [Substring]

    init(_ all: [Substring]) {
        let headings = all.map(Heading.init)
        guard let start = headings.firstIndex(where: { $0?.names(RecipeSections.ingredients) == true }) else {
            let isRecipe = headings.contains { $0?.names(RecipeSections.method) == true }
            (kind, lines) = isRecipe ? (.withoutIngredients, []) : (.list, all)
            return
        }
        let level = headings[start]?.level ?? 0
        let end =
            headings[(start + 1)...].firstIndex { heading in
                heading.map { $0.level <= level || $0.names(RecipeSections.method) } ?? false
            } ?? all.endIndex
        let section = all[(start + 1)..<end]
        // Where there are bullets, what has none is prose.
        let bulleted = section.filter { ListImport.hasBullet($0) }
        let lines = bulleted.isEmpty ? section.filter { Heading($0) == nil } : bulleted
        let isEmpty = lines.allSatisfy { $0.allSatisfy(\.isWhitespace) }
        (kind, self.lines) = isEmpty ? (.withoutIngredients, []) : (.recipe, Array(lines))
    }

    /// Whether a line is the heading of a part of a recipe.
    static func begins(at line: String) -> Bool {
        Heading(line[...]).map { $0.names(ingredients) || $0.names(method) } ?? false
    }

    /// What the ingredients are called, in English, German, French, Spanish, Italian, Dutch, Portuguese.
    static let ingredients: Set<String> = [
        "ingredients", "zutaten", "ingrédients", "ingredientes", "ingredienti", "ingrediënten",
    ]
    /// What their preparation is called.
    static let method: Set<String> = [
        "method", "directions", "instructions", "preparation", "steps", "zubereitung", "préparation", "preparación",
        "preparazione", "bereiding", "preparo",
    ]

    /// A heading of Markdown below the first level, or a line that is one by a colon or by bold letters.
    private struct Heading: Equatable {
        /// The number of its marks; 7 for one without.
        let level: Int
        let name: String

        init?(_ line: Substring) {
            let content = line.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
            let marks = content.prefix { $0 == "#" }
            var text = content.dropFirst(marks.count)
            // A heading may end with marks, too.
            if !marks.isEmpty { while let last = text.last, last == "#" || last.isWhitespace { text.removeLast() } }
            let name = MarkdownText.plain(Heading.trimmed(text))
            if (1...6).contains(marks.count), content.dropFirst(marks.count).first?.isWhitespace == true {
                level = marks.count
            } else if marks.isEmpty, name.hasSuffix(":") || name != Heading.trimmed(text) && text.first == "*" {
                level = 7
            } else {
                return nil
            }
            self.name = (name.hasSuffix(":") ? String(name.dropLast()) : name).lowercased()
        }

        /// Whether it is one of these. The first level is the name of the whole text.
        func names(_ words: Set<String>) -> Bool { level > 1 && words.contains(name) }

        private static func trimmed(_ text: Substring) -> String {
            var text = text.drop(while: \.isWhitespace)
            while text.last?.isWhitespace == true { text.removeLast() }
            return String(text)
        }
    }
}
