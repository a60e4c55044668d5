import ListFeed
import Watch
import WatchLink

@testable import FirmwareWatch

/// The payload that the board's own code writes for a report.
func payload(_ report: BenchReport) throws -> [UInt8] {
    try [UInt8](capacity: 512) { writer throws(CBORError) in try report.encode(into: &writer) }
}

/// The payload of an answer that says what the screen says.
func payload(description: [UInt8]) throws -> [UInt8] {
    try [UInt8](capacity: 1_024) { writer throws(CBORError) in
        try writer.array(count: 2)
        try writer.unsigned(BenchReport.description)
        try writer.bytes(description.span)
    }
}

/// The bytes on the bench line of a report.
func frame(_ report: BenchReport) throws -> [UInt8] {
    SerialFrame.bytes(try payload(report))
}

/// The bytes on the bench line of a report that the runtime has nothing to do.
func idle(inputs: UInt32 = 0, panelBytes: UInt32 = 0) throws -> [UInt8] {
    try frame(
        .idle(BenchIdle(inputs: inputs, deadline: nil, now: .start, panelBytes: panelBytes, radioBytes: 0)))
}

/// The commands in the bytes that a board receives on its bench line.
func commands(in bytes: [UInt8]) throws -> [BenchCommand] {
    var reader = FrameReader(largestPayload: BenchCommand.largest)
    var commands: [BenchCommand] = []
    for byte in bytes {
        guard let payload = reader.take(byte) else { continue }
        var item = CBORReader(payload.span)
        commands.append(try BenchCommand(from: &item))
    }
    return commands
}
