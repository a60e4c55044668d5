import DeviceModel
import FoundationEssentials
import HostSystem

package struct ComparedReport: Sendable {
    package let name: String
    package let handlers: [ComparedHandler]

    /// Reads a report that `tapline lab --json` wrote. The report can be about the whole lab, a handler or a firmware image.
    ///
    /// - Parameter name: the report's name in the comparison and in errors.
    /// - Throws: `.noReport` if the JSON is not such a report, or has another format.
    package init(json: [UInt8], called name: String) throws(TapLatencyError) {
        self.name = name
        let (decoder, bytes) = (JSONDecoder(), Data(json))
        let noReport = TapLatencyError.noReport(
            name, why: "it is no report of the lab, or a part of one: write it with tapline lab --json")
        if let firmware = try? decoder.decode(FirmwareFigures.self, from: bytes) {
            guard firmware.format == ImageReport.currentFormat else { throw noReport }
            handlers = [firmware.handler]
            return
        }
        guard let formats = try? decoder.decode(ReportParts<Format>.self, from: bytes).all else { throw noReport }
        if let other = formats.first(where: { $0.format != TapReport.currentFormat }) {
            throw .noReport(
                name,
                why: "its format is \(other.format), and this tapline reads \(TapReport.currentFormat): measure both "
                    + "reports with the same tapline")
        }
        guard let handlers = try? decoder.decode(ReportParts<ComparedHandler>.self, from: bytes).all,
            RepeatedKey.first(in: String(decoding: json, as: UTF8.self)) == nil
        else { throw noReport }
        self.handlers = handlers
    }
}

package struct ComparedHandler: Sendable, Decodable {
    package struct Stage: Sendable, Decodable {
        package var name: String
        package var time: Distribution
        package var instructionCount: InstructionCount
    }

    package var handler: String
    package var profile: String
    /// The name of the firmware image, in a report of `tapline lab --firmware`. Nil in other reports.
    package var firmware: String?
    package var profileNumbers: [String: Double]
    package var items: Int
    package var database: Int
    package var taps: Int
    package var seed: UInt64
    package var processor: ProcessorTime
    package var ownCode: InstructionCount?
    package var stages: [Stage]
    package var marks: MarkTimes

    /// Returns why these figures cannot be compared with those of `new`, and what to do about it. Nil if they can be compared.
    func difference(from new: ComparedHandler) -> String? {
        let old = self
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
        // If one report does not know the processor's time, the verdict on each figure says so.
        if old.processor == new.processor || [old.processor, new.processor].contains(.unknown) { return nil }
        return "the processor's time was \(old.processor.rawValue) and is \(new.processor.rawValue): measure both with "
            + "--counted, or both with the image that Hardware/build --lab makes"
    }
}

private struct Format: Decodable {
    var format: Int
}

/// The handlers in a report, each decoded as `Part`. The lab's report has two handlers, under `legacy` and `shipping`. A report
/// of a handler that was measured stage by stage has the complete handler under `whole`. Any other report has none of these
/// keys, and is itself the report of a handler.
private struct ReportParts<Part: Decodable>: Decodable {
    private enum Key: CodingKey {
        case legacy, shipping, whole
    }

    let all: [Part]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let keys = [[Key.legacy, .shipping], [.whole]].first { $0.allSatisfy(container.contains) }
        all = try keys?.map { try container.decode(Part.self, forKey: $0) } ?? [Part(from: decoder)]
    }
}
