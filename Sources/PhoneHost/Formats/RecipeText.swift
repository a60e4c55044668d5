/// A pasted text, read as a list or as a recipe, with the lines that are items. LINES.md has the rules.
enum RecipeText {
    case list([PastedLine])
    /// `leftOut` has the lines that are neither ingredients nor headings, and that have words.
    case recipe(ingredients: [PastedLine], leftOut: [PastedLine])
    case withoutIngredients

    init(_ lines: [PastedLine]) {
        let words = lines.indices.filter { lines[$0].kind == .words && lines[$0].part == nil }
        let bullets = words.filter { lines[$0].mark == .bullet }
        let steps = words.filter { lines[$0].mark == .number && !lines[$0].isIndented && lines[$0].box == nil }
        let chosen: [Int]
        // If one bulleted line has two bars, as in `- Butter | 2 sticks | softened`, all bulleted lines are ingredients.
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

    /// Whether the first heading of ingredients makes the text a recipe. One of these conditions is enough:
    /// - A heading of the preparation follows this heading.
    /// - This heading is a Markdown heading of level 2 to 6.
    /// - This heading is not in Markdown, and at most one line with words is before it.
    /// - This heading is not in Markdown, and has several words: `Zutaten für 4 Personen:`.
    private static func hasHeading(_ lines: [PastedLine]) -> Bool {
        guard let start = lines.firstIndex(where: { $0.part == .ingredients }) else { return false }
        let before = lines[..<start].count { $0.kind != .nothing && $0.kind != .underline }
        let isClear = before < 2 || lines[start].text.contains(" ")
        return 2...6 ~= lines[start].level || lines[start].level == 7 && isClear
            || lines[start...].contains { $0.part == .method }
    }

    /// Finds the lines from each heading of ingredients to the preparation, or to the next Markdown heading of the same or a
    /// higher level. Returns the indices of these lines. They include the headings of ingredients.
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

    /// Finds the ingredients among the lines at `places`. If any of these lines have bullets, the bulleted lines are the
    /// ingredients. Otherwise, if the first line has a list number, the ingredients are the lines with list numbers. If the first
    /// line has no list number, the ingredients are the lines without list numbers. A line without a bullet is left out if it is
    /// bold, or if it is a sentence and has no list number.
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
