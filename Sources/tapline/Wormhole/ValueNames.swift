import ArgumentParser
import Wormhole

/// Completes the names that have a value.
enum ValueNames {
    /// - Parameter words: the words of the command line, from which the side is read.
    @Sendable
    static func complete(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        var arguments: [String] = []
        for (option, value) in zip(words, words.dropFirst()) where ["--as", "--sockets", "--database"].contains(option)
        {
            arguments += [option, value]
        }
        guard let options = try? SideOptions.parse(arguments) else { return [] }
        return Completions.inert((try? await names(of: options)) ?? [])
    }

    private static func names(of options: SideOptions) async throws -> [String] {
        var names: [String] = []
        try await JoinedSide.with(options, .store) { side in
            try await side.perform(.names) { reply in
                if case .named(let name) = reply { names.append(name.text) }
            }
        }
        return names
    }
}
