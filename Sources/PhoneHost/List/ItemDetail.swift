/// What an owner says of an item beside its title.
public struct ItemDetail: Equatable, Sendable {
    /// How much of it: "2 l"; nil where nothing is said. One line, as a `CleanTitle`.
    public let amount: String?
    /// What else matters: "the green ones"; nil where nothing is said. One line, as a `CleanTitle`.
    public let note: String?

    /// Nothing is said.
    public static let none = ItemDetail()

    /// - Parameters:
    ///   - amount: cleaned as a title is; one of which nothing is left is none.
    ///   - note: the same.
    public init(amount: String? = nil, note: String? = nil) {
        self.amount = amount.flatMap { try? CleanTitle($0).text }
        self.note = note.flatMap { try? CleanTitle($0).text }
    }

    /// The item on one line: `Milk, 2 l (the green ones)`. Watches show it, and an export has it.
    public func text(behind title: String) -> String {
        title + (amount.map { ", \($0)" } ?? "") + (note.map { " (\($0))" } ?? "")
    }

    /// This with what `other` says too. Nothing of either is lost: amounts are joined by a plus, notes by a semicolon.
    package func adding(_ other: ItemDetail) -> ItemDetail {
        ItemDetail(
            amount: ItemDetail.joined(amount, other.amount, by: " + "),
            note: note == other.note ? note : ItemDetail.joined(note, other.note, by: "; "))
    }

    private static func joined(_ first: String?, _ second: String?, by separator: String) -> String? {
        let parts = [first, second].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: separator)
    }
}
