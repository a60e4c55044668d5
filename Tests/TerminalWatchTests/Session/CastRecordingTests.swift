import DeviceModel
import Foundation
import Testing
import Watch
import WatchLink

@testable import TerminalWatch

struct CastRecordingTests {
    private struct Event {
        let time: Double
        let output: String
    }

    private func read(_ recording: PanelRecording) throws -> ([String: Any], [Event]) {
        let bytes = try CastRecording().file(of: recording, scale: 1)
        var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { Data($0.utf8) }
        let header = try JSONSerialization.jsonObject(with: lines.removeFirst()) as? [String: Any]
        let events = try lines.map { line in
            let parts = try #require(try JSONSerialization.jsonObject(with: line) as? [Any])
            #expect(parts.count == 3 && parts[1] as? String == "o")
            return Event(time: try #require(parts[0] as? Double), output: try #require(parts[2] as? String))
        }
        return (try #require(header), events)
    }

    /// A terminal's cells after some output. It knows the sequences for place and style alone.
    private func screen(_ output: String) -> [[Character]] {
        var cells = [[Character]](repeating: [Character](repeating: " ", count: 72), count: 42)
        var (column, row) = (0, 0)
        var rest = output[...]
        while let character = rest.popFirst() {
            guard character == "\u{1B}" else {
                cells[row][column] = character
                column += 1
                continue
            }
            let sequence = rest.prefix { !$0.isLetter }
            rest = rest.dropFirst(sequence.count)
            if rest.popFirst() == "H" {
                let numbers = sequence.dropFirst().split(separator: ";").compactMap { Int($0) }
                (row, column) = (numbers[0] - 1, numbers[1] - 1)
            }
        }
        return cells
    }

    private func lit(_ lines: Range<Int>) -> PanelFrame {
        var frame = PanelFrame()
        let line = [UInt8](repeating: 0xFF, count: PanelGeometry.bytesPerLine)
        for number in lines { frame.setLine(number, to: line.span) }
        return frame
    }

    @Test func `The terminal is as large as the panel in braille, and shows each picture at its time`() throws {
        var recording = PanelRecording(of: lit(0..<40), from: .start)
        recording.show(lit(80..<120), at: .start + .milliseconds(1_000))
        recording.end(at: .start + .milliseconds(2_000))
        let (header, events) = try read(recording)
        #expect(header["version"] as? Int == 2)
        #expect(header["width"] as? Int == 72 && header["height"] as? Int == 42)
        #expect(events.map(\.time) == [0, 1, 2.04])
        let frames = [lit(0..<40), lit(80..<120)]
        for (index, frame) in frames.enumerated() {
            let shown = screen(events[...index].map(\.output).joined()).map { String($0) }
            let expected = BrailleRenderer.render(frame.bytes)
            #expect(shown == (0..<42).map { expected.text(row: $0).padding(toLength: 72, withPad: " ", startingAt: 0) })
        }
    }

    @Test func `What has not changed is not written again`() throws {
        var recording = PanelRecording(of: lit(0..<40), from: .start)
        recording.show(lit(0..<44), at: .start + .milliseconds(40))
        recording.end(at: .start + .milliseconds(80))
        let (_, events) = try read(recording)
        #expect(events[1].output.utf8.count < events[0].output.utf8.count / 4)
    }

    @Test func `A touch is marked for a third of a second`() throws {
        var recording = PanelRecording(of: PanelFrame(), from: .start)
        recording.touch(x: 20, y: 40, at: .start + .milliseconds(400))
        recording.end(at: .start + .seconds(1))
        let (_, events) = try read(recording)
        #expect(screen(events[0].output)[10][10] != "●")
        #expect(events[1].time == 0.4)
        #expect(screen(events[1].output)[10][10] == "●")
        #expect(events[2].time == 0.72)
        #expect(screen(events.map(\.output).joined())[10][10] != "●")
    }
}
