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
    /// The number of the other lines of a recipe that have words and are no headings; 0 for a list.
    let leftOut: Int

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
            leftOut = 0
            return
        }
        let level = headings[start]?.level ?? 0
        let end =
            headings[(start + 1)...].firstIndex { heading in
                heading.map { $0.kind == .marked && $0.level <= level || $0.names(RecipeSections.method) } ?? false
            } ?? all.endIndex
        let section = (start + 1)..<end
        // Where there are bullets, what has none is prose.
        let bulleted = section.filter { LineMarks.hasMark(all[$0]) }
        let places =
            bulleted.isEmpty ? section.filter { headings[$0].map { $0.kind == .bare } ?? true } : bulleted
        let isEmpty = places.allSatisfy { all[$0].allSatisfy { $0.isWhitespace || "-=".contains($0) } }
        guard !isEmpty else {
            (kind, lines, leftOut) = (.withoutIngredients, [], 0)
            return
        }
        (kind, lines) = (.recipe, places.map { all[$0] })
        let taken = Set(places)
        leftOut = all.indices.count { index in
            !taken.contains(index) && RecipeSections.hasWords(all, at: index) && !(headings[index]?.isOfPart ?? false)
        }
    }

    /// Whether a line has words, and is no heading of Markdown.
    private static func hasWords(_ all: [Substring], at index: Int) -> Bool {
        let next = all.indices.contains(index + 1) ? MarkdownLine(LineMarks.content(of: all[index + 1])) : .blank
        return MarkdownLine(LineMarks.content(of: all[index])) == .text && next != .underline
    }

    /// Whether a line is the heading of a part of a recipe.
    static func begins(at line: String) -> Bool {
        Heading(line[...])?.isOfPart ?? false
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
            guard !LineMarks.hasMark(line) else { return nil }
            let content = LineMarks.content(of: line)
            let words: Substring
            let marks: Int
            switch MarkdownLine(content) {
            case .heading(let level, let text): (words, marks) = (text, level)
            case .text where content.first != "#": (words, marks) = (content, 0)
            case .blank, .underline, .rule, .text: return nil
            }
            let bare = String(LineMarks.withoutEnd(words.drop { !$0.isLetter && $0 != "*" && $0 != "_" }))
            let plain = MarkdownText.plain(bare)
            name = plain.lowercased()
            if marks > 0 {
                (kind, level) = (.marked, marks)
            } else if plain.hasSuffix(":") || plain != bare {
                (kind, level) = (.label, 7)
            } else if !plain.contains(where: \.isWhitespace) {
                (kind, level) = (.bare, 7)
            } else {
                return nil
            }
        }

        /// Whether a part of a recipe begins below it.
        var isOfPart: Bool { names(RecipeSections.ingredients) || names(RecipeSections.method) }

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
