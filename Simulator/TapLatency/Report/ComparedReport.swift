import DeviceModel
import FoundationEssentials

/// The part of a report that is compared.
package struct ComparedReport: Sendable {
    /// The file, for errors.
    package let name: String
    /// At least one.
    package let handlers: [ComparedHandler]

    /// Reads a report of the whole lab, of one handler, or of a handler that was taken apart.
    ///
    /// - Throws: `.noReport` if it is none, or has another format.
    package init(json: [UInt8], called name: String) throws(TapLatencyError) {
        self.name = name
        do {
            handlers = try JSONDecoder().decode(ComparedHandlers.self, from: Data(json)).all
        } catch {
            throw .noReport(name, why: Self.reason(of: error, json))
        }
    }

    private static let advice = "write it with tapline lab --json"
    fileprivate static let otherJSON = "it is JSON, but no report of the lab: \(advice)"

    fileprivate static func check(_ format: Int?) throws(UnreadableReport) {
        guard let format else {
            throw UnreadableReport(
                why: "it is a report of an older tapline, without a format number: measure again, and \(advice)")
        }
        guard format == TapReport.currentFormat else {
            throw UnreadableReport(
                why: "its format is \(format), and this tapline reads \(TapReport.currentFormat): measure both reports "
                    + "with the same tapline")
        }
    }

    private static func reason(of error: any Error, _ json: [UInt8]) -> String {
        switch error {
        case let report as UnreadableReport: report.why
        case DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty: fault(of: json)
        case DecodingError.typeMismatch(_, let context) where context.codingPath.isEmpty: otherJSON
        case DecodingError.keyNotFound(let key, let context):
            "it has no \(path(context.codingPath + [key])): \(advice) again"
        case DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context):
            "its \(path(context.codingPath)) is none that the lab writes: \(advice) again"
        case _: "it is none that the lab writes: \(advice) again"
        }
    }

    /// What is wrong with bytes that are no JSON.
    private static func fault(of json: [UInt8]) -> String {
        guard let first = json.first(where: { !isSpace($0) }), let last = json.last(where: { !isSpace($0) }) else {
            return "it is empty: \(advice)"
        }
        return first == UInt8(ascii: "{") && last != UInt8(ascii: "}")
            ? "it ends in the middle of the report: \(advice) again" : "it is not JSON: \(advice)"
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// As in 'legacy.stages[2].time'.
    private static func path(_ keys: [any CodingKey]) -> String {
        let text = keys.reduce("") { text, key in
            if let index = key.intValue { return "\(text)[\(index)]" }
            return text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)"
        }
        return "'\(text)'"
    }
}

/// A handler's report, and the conditions of its measurement.
package struct ComparedHandler: Sendable, Decodable {
    package struct Measured: Sendable, Decodable {
        package var handler: String
        package var profile: String
        package var profileNumbers: [String: Double]
        package var items: Int
        package var database: Int
        package var taps: Int
        package var seed: UInt64
        package var processor: ProcessorTime
        package var ownCode: InstructionCount?
        package var stages: [Stage]
    }

    package struct Stage: Sendable, Decodable {
        package var name: String
        package var time: Distribution
        package var instructionCount: InstructionCount
    }

    package var measured: Measured
    package var marks: MarkTimes

    /// The marks stand beside the rest.
    package init(from decoder: any Decoder) throws {
        try ComparedReport.check(try Format(from: decoder).format)
        measured = try Measured(from: decoder)
        marks = try MarkTimes(from: decoder)
    }

    var handler: String { measured.handler }

    /// Why the figures cannot be compared with those of another report, and what to do; nil if they can.
    func difference(from new: ComparedHandler) -> String? {
        let (old, new) = (measured, new.measured)
        if old.profile != new.profile {
            return "the profiles are \(old.profile) and \(new.profile): measure both with the same --profile"
        }
        let keys = Set(old.profileNumbers.keys).union(new.profileNumbers.keys)
            .filter { old.profileNumbers[$0] != new.profileNumbers[$0] }.sorted()
        if let first = keys.first {
            func text(_ number: Double?) -> String { number.map(Figure.exact) ?? "not there" }
            let more = keys.count == 1 ? "" : ", the first of \(keys.count) that differ,"
            return "\(first)\(more) was \(text(old.profileNumbers[first])) and is \(text(new.profileNumbers[first])) "
                + "in the profile \(old.profile): measure both with the same numbers"
        }
        let conditions: [(option: String, old: String, new: String)] = [
            ("items", "\(old.items)", "\(new.items)"),
            ("database", "\(old.database)", "\(new.database)"),
            ("taps", "\(old.taps)", "\(new.taps)"),
            ("seed", "\(old.seed)", "\(new.seed)"),
        ]
        if let other = conditions.first(where: { $0.old != $0.new }) {
            return
                "--\(other.option) was \(other.old) and is \(other.new): measure both with the same --\(other.option)"
        }
        // A time that is not known any more is a lost figure, and no other condition.
        if old.processor == new.processor || [old.processor, new.processor].contains(.unknown) { return nil }
        return "the processor's time was \(old.processor.rawValue) and is \(new.processor.rawValue): measure both with "
            + "--counted, or both with the image that Hardware/build --lab makes"
    }
}

private struct Format: Decodable {
    var format: Int?
}

/// A report that cannot be compared, and why.
private struct UnreadableReport: Error {
    let why: String
}

/// The handlers of a report of the lab, of a trial, or of a handler.
private struct ComparedHandlers: Decodable {
    private enum Key: CodingKey {
        case legacy, shipping, whole, handler
    }

    let all: [ComparedHandler]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        if container.contains(.legacy), container.contains(.shipping) {
            all = try [Key.legacy, .shipping].map { try container.decode(ComparedHandler.self, forKey: $0) }
        } else if container.contains(.whole) {
            all = [try container.decode(ComparedHandler.self, forKey: .whole)]
        } else if container.contains(.handler) {
            all = [try ComparedHandler(from: decoder)]
        } else {
            throw UnreadableReport(why: ComparedReport.otherJSON)
        }
    }
}
