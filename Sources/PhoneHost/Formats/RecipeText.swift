/// Decides which lines of a text are items: the ingredients of a recipe, or all lines of a list. LINES.md has the rules.
enum RecipeText {
    case list([PastedLine])
    /// The ingredients, and the other lines that have words and are no headings.
    case recipe(ingredients: [PastedLine], leftOut: [PastedLine])
    case withoutIngredients

    init(_ lines: [PastedLine]) {
        let words = lines.indices.filter { lines[$0].kind == .words && lines[$0].part == nil }
        let bullets = words.filter { lines[$0].mark == .bullet }
        let steps = words.filter { lines[$0].mark == .number && !lines[$0].isIndented && lines[$0].box == nil }
        let chosen: [Int]
        // A bulleted line with cells is an ingredient: `- Butter | 2 sticks | softened`.
        if bullets.contains(where: { !lines[$0].text.contains("`") && lines[$0].text.ranges(of: " |").count > 1 }) {
            chosen = bullets
        } else if RecipeText.hasHeading(lines) {
            chosen = RecipeText.ingredients(
                RecipeText.sections(lines).filter { lines[$0].kind == .words && lines[$0].part == nil }, lines)
        } else if steps.count > 1, let first = bullets.first, first < steps[steps.count - 1] {
            chosen = bullets
        } else if let method = lines.firstIndex(where: { $0.part == .method && 2...6 ~= $0.level }) {
            chosen = bullets.filter { $0 < method }
        } else {
            self = .list(lines.filter { $0.kind == .words })
            return
        }
        let leftOut = Set(words).subtracting(chosen).sorted().map { lines[$0] }
        self = chosen.isEmpty ? .withoutIngredients : .recipe(ingredients: chosen.map { lines[$0] }, leftOut: leftOut)
    }

    /// Whether the first heading of ingredients makes the text a recipe. One of these is enough:
    /// - A heading of the preparation follows.
    /// - It is a Markdown heading of level 2 to 6.
    /// - It is no Markdown heading, and at most one line with words is before it.
    /// - It is no Markdown heading, and has several words: `Zutaten für 4 Personen:`.
    private static func hasHeading(_ lines: [PastedLine]) -> Bool {
        guard let start = lines.firstIndex(where: { $0.part == .ingredients }) else { return false }
        let before = lines[..<start].count { $0.kind != .nothing && $0.kind != .underline }
        let isClear = before < 2 || lines[start].text.contains(" ")
        return 2...6 ~= lines[start].level || lines[start].level == 7 && isClear
            || lines[start...].contains { $0.part == .method }
    }

    /// The lines under a heading of ingredients, up to the preparation or the next heading of the same level.
    private static func sections(_ lines: [PastedLine]) -> [Int] {
        var level = 0
        return lines.indices.filter { index in
            switch lines[index].part {
            case .ingredients: level = lines[index].level
            case .method: level = 0
            case nil: if lines[index].level < 7, lines[index].level <= level { level = 0 }
            }
            return level > 0
        }
    }

    /// The ingredients among the lines of the sections. If any lines have bullets, those are the ingredients. Otherwise the
    /// first line decides whether all ingredients have list numbers or none has. An ingredient is neither a sentence nor bold.
    private static func ingredients(_ places: [Int], _ lines: [PastedLine]) -> [Int] {
        let bulleted = places.filter { lines[$0].mark == .bullet }
        guard bulleted.isEmpty, let first = places.first else { return bulleted }
        return places.filter { place in
            let line = lines[place]
            let isSentence =
                line.mark == .none && ".!".contains(line.text.last ?? " ") && line.text.first?.isNumber == false
            return line.mark == lines[first].mark && !line.isBold && !isSentence
        }
    }
}
