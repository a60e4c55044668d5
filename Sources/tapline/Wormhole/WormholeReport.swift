import CommandSupport
import HostSystem
import Wormhole

enum WormholeReport {
    static func write(_ message: HeardMessage, _ output: OutputOption) throws {
        let name = message.name.text
        let peer: String? = if case .peer(let peer) = message.origin { "\(peer)" } else { nil }
        if message.isCleared {
            return try output.printLine(
                "\(SanitizedLine(name)) cleared", json: ["name": name, "event": "cleared", "from": peer])
        }
        let value = try JSONText(payload: message.payload)
        try output.printLine(
            "\(SanitizedLine(name)) \(SanitizedLine(value.text, limit: .max))",
            json: ["name": name, "value": value, "delivery": "\(message.delivery)", "from": peer])
    }

    static func write(_ copy: ControlReply.Copy, _ fate: MessageFate, of name: String?, _ output: OutputOption) throws {
        guard output.json else { return try write(fate, of: name, for: copy.peer) }
        try write([
            "fate": fate.word, "name": name, "peer": copy.peer.map { "\($0)" }, "number": copy.number,
            "reason": fate.failure.map { "\($0)" },
        ])
    }

    static func write(_ fate: MessageFate, of name: String? = nil, for peer: PeerIdentity? = nil) throws {
        let about = name.map { "\(SanitizedLine($0)): " } ?? ""
        let reason = fate.failure.map { ", \($0)" } ?? ""
        try StandardOutput.print("\(about)\(fate.word)\(reason)\(peer.map { " (\($0))" } ?? "")\n")
    }

    static func write(_ file: TransferRecord, _ fate: MessageFate) throws {
        try write([
            "label": file.label.text, "fate": fate.word, "peer": "\(file.peer)",
            "number": "\(FileNumber(value: file.transfer))", "reason": fate.failure.map { "\($0)" },
        ])
    }

    static func write(_ object: JSONObject) throws {
        try StandardOutput.print(object.line + "\n")
    }
}

/// A number of bytes in a readable unit: `512 bytes`, `16.0 MB`.
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
