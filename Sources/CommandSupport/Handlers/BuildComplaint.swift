/// What a build complains of, in one line: where, and what to do.
package struct BuildComplaint: CustomStringConvertible {
    private let log: String

    package init(_ log: String) {
        self.log = log
    }

    package var description: String {
        let lines = log.split(separator: "\n").map(String.init)
        if let type = lines.lazy.compactMap(BuildComplaint.allocatedType).first {
            let place = lines.first { $0.contains(".swift:") && $0.contains("error:") && !$0.contains("<unknown>") }
            return "a stage needs a heap, which the watch does not have (\(type)\(place.map { ", \($0)" } ?? "")): "
                + "use InlineArray for arrays, Float for Double, and no classes, closures that are kept or strings"
        }
        let error =
            lines.first { $0.contains("error:") && $0.contains(".swift:") }
            ?? lines.first { $0.contains("error:") } ?? lines.last ?? "nothing was said"
        return "it does not build for the watch's processor: \(error)"
    }

    /// The type in a complaint about the heap.
    private static func allocatedType(_ line: String) -> String? {
        guard line.contains("-no-allocations"), let start = line.firstIndex(of: "'"),
            let end = line[line.index(after: start)...].firstIndex(of: "'")
        else { return nil }
        return String(line[line.index(after: start)..<end])
    }
}
