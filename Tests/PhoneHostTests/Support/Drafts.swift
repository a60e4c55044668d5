@testable import PhoneHost

func drafts(_ titles: String...) throws -> [ItemDraft] {
    try titles.map { ItemDraft(title: try CleanTitle($0)) }
}

/// Drafts with the titles "item 1" to "item `count`".
func drafts(count: Int) throws -> [ItemDraft] {
    try (0..<count).map { ItemDraft(title: try CleanTitle("item \($0 + 1)")) }
}
