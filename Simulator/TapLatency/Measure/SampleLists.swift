import DeviceModel
import Watch

/// The list that is measured with: the same titles in the same order, whatever its length, so that lists of every
/// length draw the same rows.
enum SampleLists {
    private static let titles = [
        "Apples", "Bananas", "Bread rolls", "Brown rice", "Butter", "Carrots", "Cheddar", "Chickpeas", "Cocoa",
        "Coffee beans",
        "Cucumber", "Dish soap", "Eggs", "Flour", "Garlic", "Ginger", "Honey", "Lemons", "Lentils", "Milk", "Mushrooms",
        "Oat flakes", "Olive oil", "Onions", "Parsley", "Pasta", "Peppers", "Potatoes", "Salt", "Spinach", "Tomatoes",
        "Yoghurt",
    ]

    /// Item `number`, counted from 1.
    static func item(_ number: UInt32, _ length: TitleLength = .usual) -> PhoneItem {
        let title = titles[Int(number - 1) % titles.count]
        switch length {
        case .usual: return PhoneItem(id: id(number), title: title)
        case .short: return PhoneItem(id: id(number), title: String(title.prefix(3)))
        case .long: return PhoneItem(id: id(number), title: "\(title), as many as there are in the shop today")
        }
    }

    /// The phone's number for an item. It is spread over all 32 bits, as those of the phone's database are, which are
    /// random: a small one would take fewer bytes. 0x9E3779B1 is odd, so that no two are the same and none
    /// is 0.
    static func id(_ number: UInt32) -> UInt32 { number &* 0x9E37_79B1 }

    /// How many items the phone's list has: all of its database if that fills the watch, otherwise as many as the
    /// watch.
    static func listLength(items: Int, database: Int) -> Int {
        items < WatchLimits.items ? items : database
    }

    /// A phone that gives a watch `items` items of a database of `database`.
    static func phone(items: Int, database: Int, titles: TitleLength = .usual) -> SimulatedPhone {
        let count = listLength(items: items, database: database)
        return SimulatedPhone(list: "Groceries", items: (1...UInt32(count)).map { item($0, titles) })
    }
}

/// How long the titles of a list are.
package enum TitleLength: String, Sendable, Codable, CaseIterable {
    /// Three letters.
    case short
    /// As in a shopping list.
    case usual
    /// Longer than a row has room for.
    case long
}
