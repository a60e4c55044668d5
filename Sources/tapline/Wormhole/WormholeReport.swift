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
        try write(["name": name.text, "event": "cleared", "from": peer])
    }

    /// A message that was heard, or a value that was read.
    private static func write(_ message: ControlReply.Heard, json: Bool) throws {
        let value = try JSONText(payload: message.payload)
        guard json else {
            return try StandardOutput.print(
                "\(SanitizedLine(message.name.text)) \(SanitizedLine(value.text, limit: .max))\n")
        }
        try write([
            "name": message.name.text, "value": value, "delivery": "\(message.delivery)", "from": message.peer,
        ])
    }

    static func write(_ copy: ControlReply.Copy, _ fate: FateReport, of name: String?, json: Bool) throws {
        guard json else { return try write(fate, of: name, for: copy.peer) }
        try write([
            "fate": fate.stage.rawValue, "name": name, "peer": copy.peer.isEmpty ? nil : copy.peer,
            "number": copy.number, "reason": fate.reason,
        ])
    }

    /// - Parameter peer: empty if it is not printed.
    static func write(_ fate: FateReport, of name: String? = nil, for peer: String = "") throws {
        let about = name.map { "\(SanitizedLine($0)): " } ?? ""
        let reason = fate.reason.map { ", \($0)" } ?? ""
        try StandardOutput.print("\(about)\(fate.stage.rawValue)\(reason)\(peer.isEmpty ? "" : " (\(peer))")\n")
    }

    static func write(_ file: ControlReply.File, _ fate: FateReport) throws {
        try write([
            "label": file.label, "fate": fate.stage.rawValue, "peer": file.peer,
            "number": file.number.map { "\(FileNumber(value: $0))" }, "reason": fate.reason,
        ])
    }

    /// Prints an object in one line.
    static func write(_ object: JSONObject) throws {
        try StandardOutput.print(object.line + "\n")
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
