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
        let method = headings.lastIndex { $0?.names(RecipeSections.method) == true }
        // Only what a heading of Markdown says, or what the preparation follows, is a recipe: a list may have a line "Ingredients:".
        let start = headings.indices.first { index in
            guard let heading = headings[index], heading.names(RecipeSections.ingredients) else { return false }
            return heading.kind == .marked && heading.level > 1 || method.map { $0 > index } ?? false
        }
        guard let start else {
            let isRecipe = headings.contains { heading in
                heading.map { $0.kind == .marked && $0.level > 1 && $0.names(RecipeSections.method) } ?? false
            }
            (kind, lines) = isRecipe ? (.withoutIngredients, []) : (.list, all)
            return
        }
        let level = headings[start]?.level ?? 0
        let end =
            headings[(start + 1)...].firstIndex { heading in
                heading.map { $0.kind == .marked && $0.level <= level || $0.names(RecipeSections.method) } ?? false
            } ?? all.endIndex
        let section = all[(start + 1)..<end]
        // Where there are bullets, what has none is prose.
        let bulleted = section.filter { ListImport.hasBullet($0) }
        let lines = bulleted.isEmpty ? section.filter { Heading($0).map { $0.kind == .bare } ?? true } : bulleted
        let isEmpty = lines.allSatisfy { $0.allSatisfy { $0.isWhitespace || "-=".contains($0) } }
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

    /// A heading of Markdown, or a line that may be one by its words.
    private struct Heading: Equatable {
        enum Kind: Equatable {
            /// By the marks of Markdown.
            case marked
            /// By a colon, or by bold letters.
            case label
            /// By nothing: a word of recipes alone on its line.
            case bare
        }

        let kind: Kind
        /// The number of its marks; 7 for one without.
        let level: Int
        /// Its words, in small letters, without the marks and signs around them.
        let name: String

        init?(_ line: Substring) {
            guard !ListImport.hasBullet(line) else { return nil }
            let content = line.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
            let marks = content.prefix { $0 == "#" }
            var text = content.dropFirst(marks.count)
            // A heading may end with marks, too.
            while let last = text.last, last.isWhitespace || last == "#" && !marks.isEmpty { text.removeLast() }
            let words = text.drop { !$0.isLetter && $0 != "*" && $0 != "_" }
            let plain = MarkdownText.plain(String(words))
            name = plain.lowercased()
            if (1...6).contains(marks.count), text.first?.isWhitespace ?? false {
                (kind, level) = (.marked, marks.count)
            } else if marks.isEmpty, plain.hasSuffix(":") || plain != words {
                (kind, level) = (.label, 7)
            } else if marks.isEmpty, !plain.contains(where: \.isWhitespace) {
                (kind, level) = (.bare, 7)
            } else {
                return nil
            }
        }

        /// Whether its first word is one of these: `Zutaten für 4 Personen`. A word alone has to be the whole line.
        func names(_ words: Set<String>) -> Bool {
            let first = name.prefix { $0.isLetter }
            guard words.contains(String(first)) else { return false }
            switch kind {
            case .marked, .label: return name.dropFirst(first.count).first.map { " :(".contains($0) } ?? true
            case .bare: return first.count == name.count
            }
        }
    }
}
