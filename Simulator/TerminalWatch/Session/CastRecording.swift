import DeviceModel
import Glibc
import Watch

/// Recordings of a terminal that shows the panel in braille: asciicast v2 (docs.asciinema.org/manual/asciicast/v2), which asciinema
/// plays.
package struct CastRecording: RecordingFormat {
    package init() {}

    package var ending: String { ".cast" }

    /// Lines of JSON: the terminal, then what is written when. It has no scale.
    package func file(of recording: PanelRecording, scale: Int) throws(DeviceModelError) -> [UInt8] {
        let size = BrailleRenderer.size
        var lines = ["{\"version\": 2, \"width\": \(size.columns), \"height\": \(size.rows), \"title\": \"Tapline\"}"]
        // The screen is cleared, and the cursor hidden.
        var output = "\u{1B}[?25l\u{1B}[2J"
        var shown: TextCanvas?
        for tick in recording.ticksOfChange {
            let canvas = CastRecording.canvas(of: recording, at: tick)
            for run in CanvasDifference.runs(from: shown, to: canvas) { output += CastRecording.sequence(for: run) }
            if !output.isEmpty { lines.append(CastRecording.event(output, at: tick)) }
            (output, shown) = ("", canvas)
        }
        // The end is an event, too: otherwise the player would stop at the last change.
        lines.append(CastRecording.event("\u{1B}[m", at: recording.lastTick + 1))
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    /// With a red disc for each touch.
    private static func canvas(of recording: PanelRecording, at tick: Int) -> TextCanvas {
        var canvas = BrailleRenderer.render(recording.frame(at: tick).bytes)
        for touch in recording.touches(at: tick) {
            let (column, row) = (touch.x / BrailleRenderer.pixelsPerColumn, touch.y / BrailleRenderer.pixelsPerRow)
            guard (0..<canvas.size.columns).contains(column), (0..<canvas.size.rows).contains(row) else { continue }
            canvas[column, row] = Cell("●", style: TextStyle(.red, on: canvas[column, row].style.background))
        }
        return canvas
    }

    /// Place (ECMA-48, 8.3.21), from 1, style and text.
    private static func sequence(for run: CellRun) -> String {
        "\u{1B}[\(run.origin.row + 1);\(run.origin.column + 1)H" + sequence(for: run.style) + run.text
    }

    /// All attributes off, then the palette's colours (ECMA-48, 8.3.117, with xterm's numbers for colours).
    private static func sequence(for style: TextStyle) -> String {
        let weight = style.weight == .bold ? ";1" : ""
        let foreground = style.foreground.map { ";38;5;\($0.rawValue)" } ?? ""
        let background = style.background.map { ";48;5;\($0.rawValue)" } ?? ""
        return "\u{1B}[0\(weight)\(foreground)\(background)m"
    }

    private static func event(_ output: String, at tick: Int) -> String {
        // A tick is four hundredths of a second.
        let time = "\(tick * 4 / 100).\(tick * 4 % 100 < 10 ? "0" : "")\(tick * 4 % 100)"
        return "[\(time), \"o\", \(quoted(output))]"
    }

    /// A string of JSON (RFC 8259, 7).
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\u{1B}": quoted += "\\u001b"
            case _: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

/// Every kind of file that a recording becomes.
package enum RecordingFormats {
    package static var all: [any RecordingFormat] { [GIFRecording(), CastRecording()] }
}

/// The key for recordings. It begins one, or makes a GIF file of it in the working directory.
enum RecordingKey {
    /// - Returns: the remark to show; nil for none.
    static func toggle(_ device: some WatchDevice) -> String? {
        guard let recorder = device.recorder else { return "this watch is not recorded" }
        if recorder.isOn { return end(device) }
        guard let file = RecordingFile(path: name(), formats: [GIFRecording()]) else { return nil }
        // Where a script has just begun one, that goes on.
        return recorder.begin(device.snapshot.frame, at: device.now, into: file).map { "\($0.path) is recorded" }
    }

    @discardableResult
    static func end(_ device: some WatchDevice) -> String? {
        switch device.endRecording() {
        case .none: nil
        case .written(_, let path): "wrote \(path)"
        case .notWritten(let reason, let path): "\(path): \(reason)"
        }
    }

    /// A name with the time on this machine, such as `tapline-20261120-100830.gif`.
    private static func name() -> String {
        var seconds = Glibc.time(nil)
        var fields = tm()
        localtime_r(&seconds, &fields)
        let date = (fields.tm_year + 1_900) * 10_000 + (fields.tm_mon + 1) * 100 + fields.tm_mday
        let time = fields.tm_hour * 10_000 + fields.tm_min * 100 + fields.tm_sec
        let digits = String(time)
        return "tapline-\(date)-\(String(repeating: "0", count: 6 - digits.count))\(digits).gif"
    }
}
