import CommandSupport
import Foundation
import HostSystem
import Wormhole

/// What the commands of `tapline wormhole` print: a line for each thing, for people or in JSON.
enum WormholeReport {
    /// Prints what a listener has heard.
    ///
    /// - Returns: false for a reply that is nothing of the kind.
    static func write(_ reply: ControlReply, json: Bool) throws -> Bool {
        if case .heard(let message) = reply {
            try write(message, json: json)
        } else if case .kept(_, let message) = reply {
            try write(message, json: json)
        } else if case .cleared(let name, let peer) = reply {
            try write(cleared: name, by: peer, json: json)
        } else {
            return false
        }
        return true
    }

    private static func write(cleared name: MessageName, by peer: String?, json: Bool) throws {
        guard json else { return try StandardOutput.print("\(SanitizedLine(name.text)) cleared\n") }
        var fields = ["name": quoted(name.text), "event": quoted("cleared")]
        fields["from"] = peer.map(quoted)
        try write(fields)
    }

    /// A message that was heard, or a value that was read.
    private static func write(_ message: ControlReply.Heard, json: Bool) throws {
        let value = try JSONText(payload: message.payload).text
        guard json else {
            return try StandardOutput.print(
                "\(SanitizedLine(message.name.text)) \(SanitizedLine(value, limit: .max))\n")
        }
        var fields = ["name": quoted(message.name.text), "value": value, "delivery": quoted("\(message.delivery)")]
        fields["from"] = message.peer.map(quoted)
        try write(fields)
    }

    static func write(_ copy: ControlReply.Copy, _ fate: FateReport, of name: String?, json: Bool) throws {
        guard json else { return try write(fate, of: name, for: copy.peer) }
        var fields = ["fate": quoted(fate.stage.rawValue)]
        fields["name"] = name.map(quoted)
        fields["peer"] = copy.peer.isEmpty ? nil : quoted(copy.peer)
        fields["number"] = copy.number.map { "\($0)" }
        fields["reason"] = fate.reason.map(quoted)
        try write(fields)
    }

    /// - Parameter peer: empty if it is not printed.
    static func write(_ fate: FateReport, of name: String? = nil, for peer: String = "") throws {
        let about = name.map { "\(SanitizedLine($0)): " } ?? ""
        let reason = fate.reason.map { ", \($0)" } ?? ""
        try StandardOutput.print("\(about)\(fate.stage.rawValue)\(reason)\(peer.isEmpty ? "" : " (\(peer))")\n")
    }

    static func write(_ file: ControlReply.File, _ fate: FateReport) throws {
        var fields = ["label": quoted(file.label), "fate": quoted(fate.stage.rawValue), "peer": quoted(file.peer)]
        fields["number"] = file.number.map { quoted("\(FileNumber(value: $0))") }
        fields["reason"] = fate.reason.map(quoted)
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
