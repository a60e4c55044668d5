import CommandSupport
import Foundation
import HostSystem
import Wormhole

/// What the commands of `tapline wormhole` print: a line for each thing, for people or in JSON.
enum WormholeReport {
    /// Prints what a listener has heard.
    static func write(_ message: HeardMessage, json: Bool) throws {
        let name = PlainLine(message.name.text)
        var fields = ["name": quoted(message.name.text)]
        if case .peer(let peer) = message.origin { fields["from"] = quoted("\(peer)") }
        switch message.act {
        case .cleared:
            guard json else { return try StandardOutput.print("\(name) cleared\n") }
            fields["event"] = quoted("cleared")
        case .passed:
            let value = try JSONText(payload: message.payload).text
            guard json else { return try StandardOutput.print("\(name) \(PlainLine(value, limit: .max))\n") }
            fields["value"] = value
            fields["delivery"] = quoted("\(message.delivery)")
        }
        try write(fields)
    }

    static func write(_ copy: ControlReply.Copy, _ fate: MessageFate, of name: String?, json: Bool) throws {
        guard json else { return try write(fate, of: name, for: copy.peer) }
        var fields = ["fate": quoted(fate.word)]
        fields["name"] = name.map(quoted)
        fields["peer"] = copy.peer.map { quoted("\($0)") }
        fields["number"] = copy.number.map { "\($0)" }
        fields["reason"] = fate.failure.map { quoted("\($0)") }
        try write(fields)
    }

    static func write(_ fate: MessageFate, of name: String? = nil, for peer: PeerIdentity? = nil) throws {
        let about = name.map { "\(PlainLine($0)): " } ?? ""
        let reason = fate.failure.map { ", \($0)" } ?? ""
        try StandardOutput.print("\(about)\(fate.word)\(reason)\(peer.map { " (\($0))" } ?? "")\n")
    }

    static func write(_ file: TransferRecord, _ fate: MessageFate) throws {
        var fields = [
            "label": quoted(file.label.text), "fate": quoted(fate.word), "peer": quoted("\(file.peer)"),
            "number": quoted("\(FileNumber(value: file.transfer))"),
        ]
        fields["reason"] = fate.failure.map { quoted("\($0)") }
        try write(fields)
    }

    /// An object in one line; the values are JSON already.
    static func write(_ fields: [String: String]) throws {
        let members = fields.sorted { $0.key < $1.key }.map { "\(quoted($0.key)):\($0.value)" }
        try StandardOutput.print("{\(members.joined(separator: ","))}\n")
    }

    static func quoted(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}

/// A size for a person: `512 bytes`, `16.0 MB`.
struct SizeText: CustomStringConvertible {
    let description: String

    init(_ bytes: UInt64) {
        switch bytes {
        case 0..<1_000: description = "\(CountText(bytes, "byte"))"
        case 1_000..<1_000_000: description = "\(bytes / 1_000).\(bytes % 1_000 / 100) KB"
        default: description = "\(bytes / 1_000_000).\(bytes % 1_000_000 / 100_000) MB"
        }
    }
}
