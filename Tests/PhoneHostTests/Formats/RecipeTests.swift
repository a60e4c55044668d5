import Testing

@testable import PhoneHost

@Suite struct RecipeTests {
    private func items(_ text: String) -> [String] {
        ListImport(text.utf8).drafts.map { $0.detail.text(behind: $0.title.text) }
    }

    private static let pancakes = """
        # Pancakes

        Serves four. Takes 20 minutes.

        ## Ingredients

        The usual things:

        - 200 g flour
        - 2 eggs, beaten
        * 1/2 l milk (whole)

        ### For the top

        - maple syrup

        ## Method

        1. Mix everything.
        2. Fry it.

        ## Notes

        - Keeps for a day.
        """

    @Test func `of a recipe the ingredients are items, and nothing else is`() {
        #expect(
            items(RecipeTests.pancakes) == [
                "flour, 200 g", "eggs, 2 (beaten)", "milk, 1/2 l (whole)", "maple syrup",
            ])
        #expect(ListImport(RecipeTests.pancakes.utf8).skippedLines == 20)
    }

    @Test func `of what is left out, lines with words count, and no headings`() {
        #expect(
            ListImport(RecipeTests.pancakes.utf8).leftOut == [
                "Serves four. Takes 20 minutes.", "Mix everything.", "Fry it.", "Keeps for a day.",
            ])
        #expect(
            ListImport("Pancakes\n====\n\nIngredients:\n- Milk\n\n***\n**Method**:\nFry.".utf8).remarks
                == ["It is a recipe: left out 1 line besides its ingredients"])
        #expect(ListImport("# Pancakes\n\n## Ingredients\n\n- Milk\n\n## Method\n".utf8).remarks.isEmpty)
        #expect(ListImport("# Groceries\n\nMilk\n".utf8).remarks.isEmpty)
    }

    @Test func `a heading of nothing but marks ends the ingredients, and a quoted one begins them`() {
        #expect(items("# Soup\n## Ingredients\n- Leek\n##\n- Stir.") == ["Leek"])
        #expect(items("> ## Ingredients\n> - Leek\n> ## Method\n> - Stir.") == ["Leek"])
    }

    @Test(arguments: [
        "Ingredients:\n2 eggs\n1 l milk\n\nMethod:\nFry.", "**Ingredients**\n\n2 eggs\n1 l milk\n\n**Method**\n\nFry.",
        "### Zutaten ###\n- 2 eggs\n- 1 l milk\n### Zubereitung\n- Fry.",
        "## INGREDIENTS:\n\n- 2 eggs\n- 1 l milk\n\n# Next\n- Fry",
        "Ingredients\n\n2 eggs\n1 l milk\n\nInstructions\n\n1. Mix.",
        "INGREDIENTS\r\n2 eggs\r\n1 l milk\r\nDIRECTIONS\r\nMix.",
        "**Ingredients**:\n- 2 eggs\n- 1 l milk\n\n**Method**:\nFry.",
        "__Ingredients__\n\n- 2 eggs\n- 1 l milk\n\n## Method\nFry.",
        "Ingredients\n-----\n- 2 eggs\n- 1 l milk\n\nMethod\n-----\nFry.",
        "## Zutaten für 4 Personen\n- 2 eggs\n- 1 l milk",
        "## Ingredients (serves 4)\n- 2 eggs\n- 1 l milk", "## 🛒 Ingredients\n- 2 eggs\n- 1 l milk",
        "# Ingredients\n- 2 eggs\n- 1 l milk\n# Directions\n1. Boil.",
        "## Ingredients\n\n| Amount | What |\n|---|:-:|\n| 2 | eggs |\n| 1 l | milk |\n",
        "Zutaten für 4 Personen\n2 eggs\n1 l milk\nZubereitung\nBraten.",
        "Pancakes\nIngredients (serves 4):\n2 eggs\n1 l milk",
        "Ingredients\n====\n2 eggs\n1 l milk\nDirections\n====\nFry.",
        "## Dry Ingredients\n- 2 eggs\n## Mix\nStir.\n## Wet Ingredients\n- 1 l milk",
        "Ingredients\n2 eggs\n**And**\n1 l milk\nMix and fry.\n1. Mix.\n2. Fry.",
        "## Ingredients\n- 2 eggs\n- 1 l milk\n1. Mix.\n2. Fry.",
        "1. Mix:\n   - 2 eggs\n2. Add\n   * 1 l milk\n3. Fry.", "- 2 eggs\n- 1 l milk\n\n1. Mix.\n2. Fry.",
        "A\nB\nC\nZutaten für 4 Pers.\n2 eggs\n1 l milk", "A\nB\nC\nIngredients - serves 4\n- 2 eggs\n- 1 l milk",
        "Soup\nFor today.\nBy Ann.\nIngredients for 4:\n2 eggs\n1 l milk",
        "# A\n> Note.\n## B\n- eggs | 2 |\nMix.\n## C\n- milk | 1 l |\nFry.",
    ])
    func `headings have several forms and languages`(text: String) {
        #expect(items(text) == ["eggs, 2", "milk, 1 l"])
    }

    @Test(arguments: [
        "# Pancakes\n\n## Ingredients\n\n## Method\n\nFry.", "# Pancakes\n\n## Method\n\n1. Fry.\n", "## Ingredients",
        "## Ingredients\n\n",
    ])
    func `a recipe without ingredients is refused`(text: String) {
        let list = ListImport(text.utf8)
        #expect(list.drafts.isEmpty)
        #expect(throws: PhoneError.noIngredients) { try list.requireItems() }
    }

    @Test func `a list with a line of ingredients loses nothing`() {
        #expect(
            items("Milk\nEggs\n\nIngredients:\n1 kg flour\n\nBatteries") == [
                "Milk", "Eggs", "flour, 1 kg", "Batteries",
            ])
        #expect(
            items("Milk\nEggs\nIngredients\nMethod of payment") == ["Milk", "Eggs", "Ingredients", "Method of payment"])
        #expect(items("1. Milk\n2. Eggs\n- Rye") == ["Milk", "Eggs", "Rye"])
        #expect(items("- Dairy\n  1. Milk\n  2. Eggs\n- Rye") == ["Dairy", "Milk", "Eggs", "Rye"])
        #expect(items("# Ingredients\n\n- [ ] 2 red apples\n") == ["2 red apples"])
        let remarks = ListImport("## Ingredients\n- Milk\n\nNice.".utf8).remarks
        #expect(remarks == ["It is a recipe: left out 1 line besides its ingredients"])
    }

    @Test(arguments: ["# Method\n- soap", "- Method\n- Steps", "Method\nMilk", "# Ingredients\n- Milk", ""])
    func `a list that is called so is none`(text: String) throws {
        try ListImport(text.utf8).requireItems()
    }
}
