import ArgumentParser
import CommandSupport
import Foundation
import PhoneHost

enum Completions {
    @Sendable
    static func lists(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        await names(words) { store throws(PhoneError) in try await store.lists().map(\.name) }
    }

    /// Returns the titles of a list's items. Leaves out titles that are already on the command line, and items that the command
    /// would not change, such as checked items for `check`.
    @Sendable
    static func items(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        let list = value(of: "--list", in: words)
        var seen = Set(words.enumerated().filter { $0.offset != index }.map(\.element))
        return await names(words) { store throws(PhoneError) in
            try await store.contents(of: list).items.filter { changes($0, words) }.map(\.title)
        }.filter { seen.insert($0).inserted }
    }

    /// Returns titles of items that were once checked off on the list, at most 200. The item that the user most likely wants
    /// again is first. Leaves out titles that are open on the list or already on the command line.
    @Sendable
    static func pastItems(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        let list = value(of: "--list", in: words)
        let typed = Set(words.enumerated().filter { $0.offset != index }.map(\.element))
        return await names(words) { store throws(PhoneError) in
            try await store.pastItems(of: list, most: 200)
        }.filter { !typed.contains($0) }
    }

    private static func changes(_ item: StoredItem, _ words: [String]) -> Bool {
        switch (words.drop { $0 != "phone" }.dropFirst().first, item.state) {
        case ("check", .checked), ("move", .checked), ("uncheck", .open): false
        default: true
        }
    }

    /// Returns the names that are safe to complete. The completion scripts pass words to the shell, which would run text in
    /// `$(...)`.
    static func inert(_ names: [String]) -> [String] {
        names.filter { name in
            name.unicodeScalars.allSatisfy { scalar in
                scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    || " .,:+-_/%".unicodeScalars.contains(scalar)
            }
        }
    }

    /// Returns those names from `read` that are safe to complete. If the database is missing or cannot be read, returns no
    /// names, because completion must neither create a database nor print an error.
    private static func names(
        _ words: [String], _ read: (PhoneStore) async throws(PhoneError) -> [String]
    ) async -> [String] {
        let path = value(of: "--database", in: words) ?? Places.usual.database
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        do throws(PhoneError) {
            let store = try PhoneStore(path: path)
            let names = try await read(store)
            try store.close()
            return inert(names)
        } catch {
            return []
        }
    }

    private static func value(of option: String, in words: [String]) -> String? {
        guard let place = words.firstIndex(of: option), words.indices.contains(place + 1) else { return nil }
        return words[place + 1]
    }
}
