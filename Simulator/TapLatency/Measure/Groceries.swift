import DeviceModel
import Watch

/// The list that is measured with: the same titles in the same order, whatever its length, so that lists of every length draw
/// the same rows.
enum Groceries {
    private static let titles = [
        "Apples", "Bananas", "Bread rolls", "Brown rice", "Butter", "Carrots", "Cheddar", "Chickpeas", "Cocoa",
        "Coffee beans",
        "Cucumber", "Dish soap", "Eggs", "Flour", "Garlic", "Ginger", "Honey", "Lemons", "Lentils", "Milk", "Mushrooms",
        "Oat flakes", "Olive oil", "Onions", "Parsley", "Pasta", "Peppers", "Potatoes", "Salt", "Spinach", "Tomatoes",
        "Yoghurt",
    ]

    /// Item number `id`, counted from 1.
    static func item(_ id: UInt32) -> PhoneItem {
        PhoneItem(id: id, title: titles[Int(id - 1) % titles.count])
    }

    /// How many items the phone's list has, of which the watch holds so many: what the phone's database has beyond them is on
    /// its list where the watch is full.
    static func listLength(items: Int, database: Int) -> Int {
        items < WatchLimits.items ? items : database
    }

    /// A phone that gives a watch so many items, out of a database.
    static func phone(items: Int, database: Int) -> SimulatedPhone {
        let count = listLength(items: items, database: database)
        return SimulatedPhone(list: "Groceries", items: (1...UInt32(count)).map(item))
    }
}
