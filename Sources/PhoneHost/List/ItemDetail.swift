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

    /// The item on one line of this many bytes of UTF-8, where that is enough for its amount: a title that is too long beside that ends
    /// with an ellipsis, and then the note is left out. Where it is not enough, the whole line.
    public func text(behind title: String, fitting most: Int) -> String {
        let whole = text(behind: title)
        guard whole.utf8.count > most, let amount else { return whole }
        let end = "…, \(amount)"
        guard "\(title), \(amount)".utf8.count > most, end.utf8.count <= most / 2 else { return whole }
        var short = title
        while short.utf8.count + end.utf8.count > most { short.removeLast() }
        return short + end
    }

    /// This with what `other` says too: amounts are added as in `AmountSum`, and notes joined by a semicolon, each once.
    package func adding(_ other: ItemDetail) -> ItemDetail {
        let notes = [self, other].flatMap { $0.note?.split(separator: "; ") ?? [] }
        let said = notes.enumerated().filter { !notes[..<$0.offset].contains($0.element) }.map(\.element)
        let sum = amount.flatMap { amount in other.amount.map { AmountSum.of(amount, $0) } }
        return ItemDetail(amount: sum ?? amount ?? other.amount, note: said.joined(separator: "; "))
    }
}
