/// Where the cycles of executed handlers went, as files that flame graph programs read. The same reports give the same bytes.
extension [TapReport] {
    /// A line for each way through the functions: handler, stage and functions with `;` between them, a blank, the cycles of all
    /// taps.
    package var foldedStacks: [UInt8] {
        let lines = flatMap { report in
            report.code.flatMap { part in
                part.calls.calls.indices.filter { part.calls.calls[$0].cycles > 0 }.map { place in
                    let functions = part.calls.way(to: place).map { part.calls.names[part.calls.calls[$0].function] }
                    let names = ([report.handler, part.name] + functions).map { $0.replacing(";", with: ":") }
                    return "\(names.joined(separator: ";")) \(part.calls.calls[place].cycles)\n"
                }.sorted()
            }
        }
        return [UInt8](lines.joined().utf8)
    }

    /// A file for speedscope (speedscope.app/file-format-schema.json): a sampled profile for each stage, its weights in cycles.
    package var speedscope: [UInt8] { SpeedscopeFile(of: self).reportJSON() }
}

/// A file of speedscope's own format, as far as a sampled profile needs it.
private struct SpeedscopeFile: Encodable, Sendable {
    struct Frame: Encodable, Sendable {
        var name: String
    }

    struct Shared: Encodable, Sendable {
        var frames: [Frame]
    }

    struct Profile: Encodable, Sendable {
        var type = "sampled"
        var name: String
        /// What the weights are of: the format has no word for cycles.
        var unit = "none"
        var startValue = 0
        var endValue: Int
        /// The way through the functions of each sample: places in the frames, the caller first.
        var samples: [[Int]]
        var weights: [Int]
    }

    private enum CodingKeys: String, CodingKey {
        case schema = "$schema"
        case shared, profiles, name, exporter
    }

    var schema = "https://www.speedscope.app/file-format-schema.json"
    var shared: Shared
    var profiles: [Profile]
    var name: String
    var exporter = "tapline lab"

    init(of reports: [TapReport]) {
        var frames: [Frame] = []
        var numbers: [String: Int] = [:]
        var profiles: [Profile] = []
        for report in reports {
            for part in report.code {
                let places = part.calls.names.map { name in
                    if let known = numbers[name] { return known }
                    numbers[name] = frames.count
                    frames.append(Frame(name: name))
                    return frames.count - 1
                }
                let calls = part.calls.calls
                let spending = calls.indices.filter { calls[$0].cycles > 0 }
                profiles.append(
                    Profile(
                        name: "\(report.handler): \(part.name)", endValue: part.calls.cycles,
                        samples: spending.map { part.calls.way(to: $0).map { places[calls[$0].function] } },
                        weights: spending.map { calls[$0].cycles }))
            }
        }
        shared = Shared(frames: frames)
        self.profiles = profiles
        name = reports.map { "\($0.handler) on \($0.profile)" }.joined(separator: ", ")
    }
}
