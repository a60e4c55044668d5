import HostSystem

/// Finds the item that a query means: by its number in the list, its ID, its title or the beginning of its title.
///
/// Numbers count from 1 in the order of `ListContents.numbered`. IDs begin at 2^20, so no number is also an ID. An exact title
/// wins over a title in another case. A whole title wins over the beginning of a title.
package struct ItemSelector: Sendable {
    package enum Preference: Sendable {
        case open
        case checked
        case any
    }

    private let numbered: [StoredItem]
    private let list: String
    private let preference: Preference

    package init(_ list: ListContents, preferring preference: Preference) {
        numbered = list.numbered
        self.list = list.name
        self.preference = preference
    }

    /// Finds an item. If several match equally well, items in the preferred state win.
    ///
    /// - Throws: `.noSuchItem` if no item matches; `.ambiguousItem` if several matches are left.
    package func item(_ query: String) throws(PhoneError) -> StoredItem {
        if let number = Int(query), number >= 1, number <= numbered.count { return numbered[number - 1] }
        if let id = UInt32(query), let item = numbered.first(where: { $0.id.rawValue == id }) { return item }
        let folded = query.lowercased()
        for matches: (StoredItem) -> Bool in [
            { $0.title == query },
            { $0.title.lowercased() == folded },
            { !query.isEmpty && $0.title.lowercased().hasPrefix(folded) },
        ] {
            let all = numbered.filter(matches)
            let preferred = all.filter(isPreferred)
            let fitting = preferred.isEmpty ? all : preferred
            if fitting.count > 1 {
                throw .ambiguousItem(query: SanitizedLine(query).text, candidates: candidates(fitting))
            }
            if let item = fitting.first { return item }
        }
        throw .noSuchItem(query: SanitizedLine(query).text, list: list)
    }

    private func isPreferred(_ item: StoredItem) -> Bool {
        switch preference {
        case .open: item.state.isOpen
        case .checked: !item.state.isOpen
        case .any: true
        }
    }

    /// Describes at most five items for an error message, by number, title and ID. If there are more items, the last
    /// text is like `3 more`.
    private func candidates(_ items: [StoredItem]) -> [String] {
        let shown = items.prefix(5).map { item in
            let number = (numbered.firstIndex(of: item) ?? 0) + 1
            return "\(number) \"\(item.title.shortened(to: 40))\" (id \(item.id.rawValue))"
        }
        return shown + (items.count > 5 ? ["\(items.count - 5) more"] : [])
    }
}
