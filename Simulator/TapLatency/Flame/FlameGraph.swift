/// Where the cycles of handlers went, as files that flame graph programs read. The same reports give the same bytes.
package struct FlameGraph: Sendable {
    private let reports: [TapReport]

    /// A graph of these handlers, whose machine code was executed.
    package init(of reports: [TapReport]) {
        self.reports = reports
    }

    /// A line for each way through the functions: handler, stage and functions with `;` between them, a blank, the cycles of all
    /// taps.
    package var folded: [UInt8] {
        let lines = reports.flatMap { report in
            report.code.flatMap { part in
                part.calls.calls.indices.filter { part.calls.calls[$0].cycles > 0 }.map { place in
                    let functions = part.calls.way(to: place).map { part.calls.names[part.calls.calls[$0].function] }
                    let names = ([report.handler, part.name] + functions).map { $0.replacing(";", with: ":") }
                    return "\(names.joined(separator: ";")) \(part.calls.calls[place].cycles)\n"
                }.sorted()
            }
        }
        return Array(lines.joined().utf8)
    }

    /// A file for speedscope (speedscope.app/file-format-schema.json): a sampled profile for each stage, its weights in cycles.
    package var speedscope: [UInt8] { SpeedscopeFile(of: reports).reportJSON() }
}
