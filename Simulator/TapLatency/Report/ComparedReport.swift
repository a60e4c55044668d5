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
        let bytes = Data(json)
        let outline: Outline
        do {
            outline = try JSONDecoder().decode(Outline.self, from: bytes)
        } catch {
            throw .noReport(name, why: Self.reason(of: error, json))
        }
        guard let parts = outline.parts else { throw .noReport(name, why: Self.otherJSON) }
        for part in parts { try Self.check(part.format, of: name) }
        do {
            handlers = try JSONDecoder().decode(ComparedHandlers.self, from: bytes).all
        } catch {
            throw .noReport(name, why: "\(Self.fault(of: error)): \(Self.advice) again")
        }
    }

    private static let advice = "write it with tapline lab --json"
    private static let otherJSON = "it is JSON, but no report of the lab: \(advice)"

    private static func check(_ format: Int?, of name: String) throws(TapLatencyError) {
        guard let format else {
            throw .noReport(
                name, why: "it is a report of an older tapline, without a format number: measure again, and \(advice)")
        }
        guard format == TapReport.currentFormat else {
            throw .noReport(
                name,
                why: "its format is \(format), and this tapline reads \(TapReport.currentFormat): measure both reports "
                    + "with the same tapline")
        }
    }

    private static func reason(of error: any Error, _ json: [UInt8]) -> String {
        guard let first = json.first(where: { !isSpace($0) }), let last = json.last(where: { !isSpace($0) }) else {
            return "it is empty: \(advice)"
        }
        guard case DecodingError.dataCorrupted(let context) = error, context.codingPath.isEmpty else {
            return otherJSON
        }
        return first == UInt8(ascii: "{") && last != UInt8(ascii: "}")
            ? "it ends in the middle of the report: \(advice) again" : "it is not JSON: \(advice)"
    }

    /// What is wrong in a report of the right format.
    private static func fault(of error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, let context): "it has no \(path(context.codingPath + [key]))"
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty,
            DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            "its \(path(context.codingPath)) is none that the lab writes"
        // The decoder does not say where a number is too large or negative.
        case _: "a number of it is none that the lab writes"
        }
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

/// The keys that tell the kinds of reports apart: of the lab, of a trial, and of a handler.
private struct Outline: Decodable {
    struct Part: Decodable {
        var format: Int?
    }

    var format: Int?
    var handler: String?
    var legacy: Part?
    var shipping: Part?
    var whole: Part?

    /// Nil for another JSON.
    var parts: [Part]? {
        if let legacy, let shipping { return [legacy, shipping] }
        if let whole { return [whole] }
        return handler == nil ? nil : [Part(format: format)]
    }
}

/// The handlers of a report of any kind.
private struct ComparedHandlers: Decodable {
    private enum Key: CodingKey {
        case legacy, shipping, whole
    }

    let all: [ComparedHandler]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let keys = [[Key.legacy, .shipping], [.whole]].first { $0.allSatisfy(container.contains) }
        all =
            try keys?.map { try container.decode(ComparedHandler.self, forKey: $0) } ?? [ComparedHandler(from: decoder)]
    }
}
