import ArgumentParser
import Foundation
import HostSystem
import PhoneHost

/// What a shell offers to complete the argument of an option.
enum Completions {
    /// The lists of the phone's usual database, or of the one that the command line names.
    @Sendable
    static func lists(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        await names(words) { store throws(PhoneError) in try await store.lists().map(\.name) }
    }

    /// The titles on the list that the command line names, by default the one on the watches: those that the command can
    /// change and that are not on the command line yet, each once.
    @Sendable
    static func items(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        let list = value(of: "--list", in: words)
        var seen = Set(words.enumerated().filter { $0.offset != index }.map(\.element))
        return await names(words) { store throws(PhoneError) in
            try await store.contents(of: list).items.filter { changes($0, words) }.map(\.title)
        }.filter { seen.insert($0).inserted }
    }

    /// The titles of past items that are not on the list that the command line names, likeliest first, and not on the command line.
    @Sendable
    static func pastItems(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        let list = value(of: "--list", in: words)
        let typed = Set(words.enumerated().filter { $0.offset != index }.map(\.element))
        return await names(words) { store throws(PhoneError) in
            try await store.pastItems(of: list, most: 200)
        }.filter { !typed.contains($0) }
    }

    /// Whether the command of a command line changes an item as it is.
    private static func changes(_ item: StoredItem, _ words: [String]) -> Bool {
        switch (words.drop { $0 != "phone" }.dropFirst().first, item.state) {
        case ("check", .checked), ("move", .checked), ("uncheck", .open): false
        default: true
        }
    }

    /// Those of some names of others that a shell takes as they are: the scripts of completion have it read a list of words, in which it
    /// would run what stands in `$(...)`. The rest is typed by hand.
    static func inert(_ names: [String]) -> [String] {
        names.filter { name in
            name.unicodeScalars.allSatisfy { scalar in
                scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    || " .,:+-_/%".unicodeScalars.contains(scalar)
            }
        }
    }

    /// None if no database can be read: completion must neither create one nor complain.
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
