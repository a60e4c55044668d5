import Foundation

/// What a shell asks of a running watch: lines of a script.
struct ControlRequest: Codable, Equatable, Sendable {
    /// The directory that names of files in the script begin in: the shell's.
    let directory: String
    /// The name of the script, for errors.
    let name: String
    /// Lines of the script language.
    let script: String

    /// The most bytes of a request or an answer.
    static let largest = ControlLimits.largestRequest

    init(directory: String, name: String, script: String) {
        self.directory = directory
        self.name = name
        self.script = script
    }

    /// The request in a datagram, nil for one that is none.
    init?(datagram: [UInt8]) {
        guard let request = try? JSONDecoder().decode(ControlRequest.self, from: Data(datagram)) else { return nil }
        self = request
    }

    var datagram: [UInt8] { ControlCoding.bytes(of: self) }
}

/// What a running watch takes from other shells.
package enum ControlLimits {
    /// The most bytes of a request or an answer.
    package static let largestRequest = 131_072
}

/// How requests and answers are written.
enum ControlCoding {
    /// One line of JSON, with its keys in order.
    static func bytes(of value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Texts and whole numbers alone, which always can be written.
        return (try? encoder.encode(value)).map { Array($0) } ?? []
    }
}
