import WatchLink

/// What happened in a world, in plain words: nothing where nobody reads it.
struct Story {
    private enum Reader {
        case nobody
        case somebody([String])
    }

    private var reader: Reader

    private init(_ reader: Reader) { self.reader = reader }

    static var untold: Story { Story(.nobody) }
    static var told: Story { Story(.somebody([])) }

    var lines: [String] {
        switch reader {
        case .nobody: []
        case .somebody(let lines): lines
        }
    }

    mutating func tell(_ time: Instant, _ text: @autoclosure () -> String) {
        guard case .somebody(var lines) = reader else { return }
        reader = .nobody
        lines.append("\(Story.time(time)) \(text())")
        reader = .somebody(lines)
    }

    /// The time of day, with milliseconds; a world begins at noon.
    static func time(_ time: Instant) -> String {
        let milliseconds = time.microseconds / 1_000
        let seconds = milliseconds / 1_000 + 12 * 3_600
        func digits(_ number: UInt64, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let clock = [seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60].map { digits($0, 2) }
        return clock.joined(separator: ":") + "." + digits(milliseconds % 1_000, 3)
    }
}
