import Foundation
import Testing

@testable import Watch

/// The pictures in Tests/WatchTests/Golden, each a one-bit PBM (P4) of the whole panel. A lit pixel is white in it.
///
/// With TAPLINE_RECORD_GOLDEN=1 what is drawn is written there. Otherwise it is compared exactly; on a difference
/// NAME.actual.pbm and NAME.difference.pbm (black where they differ) are written beside the golden one.
enum GoldenImage {
    private static let header = Data("P4\n144 168\n".utf8)

    /// Checks that `canvas` looks like the golden picture `name`.
    static func expect(
        _ canvas: Canvas, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try expect(canvas.bytes, name, sourceLocation: sourceLocation)
    }

    /// Checks that the pixels of a panel are those of the golden picture `name`.
    static func expect(
        _ actual: [UInt8], _ name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let golden = file(name)
        if ProcessInfo.processInfo.environment["TAPLINE_RECORD_GOLDEN"] == "1" {
            try pbm(actual).write(to: golden)
            return
        }
        guard let expected = try? read(golden) else {
            Issue.record(
                "\(golden.path) is missing or is no picture of the panel: record it with TAPLINE_RECORD_GOLDEN=1",
                sourceLocation: sourceLocation)
            return
        }
        guard expected != actual else { return }
        let actualFile = file("\(name).actual")
        let differenceFile = file("\(name).difference")
        try pbm(actual).write(to: actualFile)
        try pbm(zip(actual, expected).map { ~($0 ^ $1) }).write(to: differenceFile)
        let count = zip(actual, expected).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
        Issue.record(
            "\(count) pixels differ from \(golden.path): see \(actualFile.path) and \(differenceFile.path)",
            sourceLocation: sourceLocation)
    }

    private static func file(_ name: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Golden/\(name).pbm")
    }

    /// A set bit is black in a PBM and lit on the panel.
    private static func pbm(_ bytes: [UInt8]) -> Data {
        header + Data(bytes.map { ~$0 })
    }

    private static func read(_ file: URL) throws -> [UInt8]? {
        let data = try Data(contentsOf: file)
        guard data.count == header.count + PanelGeometry.bytesPerFrame, data.prefix(header.count) == header else {
            return nil
        }
        return data.dropFirst(header.count).map { ~$0 }
    }
}
