import DeviceModel
import Glibc
import HostSystem
import Watch
import WatchLink

/// Shows a watch as text. Reads commands line by line, and writes the lines of the screen that have changed.
struct PlainSession {
    static var phoneTimeout: Microseconds { .seconds(3) }
    static var settling: Microseconds { .seconds(2) }

    private let device: any WatchDevice
    private let descriptors: TerminalSession.Descriptors
    /// Whether a wrong command ends the session. A person can correct a command; a script cannot.
    private let isStrict: Bool
    private let write: (String) -> Void
    private var renderer = PlainRenderer()
    private var reader = LineReader()
    private var runner: ScriptRunner
    private var circumstances: [String] = []

    init(device: any WatchDevice, descriptors: TerminalSession.Descriptors) {
        self.device = device
        self.descriptors = descriptors
        isStrict = isatty(descriptors.input) != 1
        let output = descriptors.output
        write = { PlainSession.write($0, to: output) }
        runner = ScriptRunner(device, file: "standard input", output: write)
    }

    mutating func run() throws(TerminalError) -> ExitReason {
        _ = device.wait(patiently: Self.phoneTimeout) { $0.description.isSynchronized }
        writeNews()
        if device.snapshot.description.link == .down {
            let isOpen = (device.faults?.faults.link ?? .open) == .open
            write(
                isOpen
                    ? "start a phone with: tapline phone serve\n" : "the link is cut by a fault: fault open opens it\n")
        }
        while true {
            if case .failed(let reason) = device.snapshot.phase { return .watchFailed(reason: reason) }
            switch waitForNews() {
            case .device:
                device.changes.drain()
                writeNews()
            case .input:
                guard let bytes = readInput() else { return try finish(obeying: reader.end()) }
                for line in reader.take(bytes) {
                    switch try obey(line) {
                    case .continues: continue
                    case .quit: return try finish(obeying: nil)
                    }
                }
            }
        }
    }

    private mutating func obey(_ line: String) throws(TerminalError) -> ScriptRunner.Progress {
        if isOnRow(line) {
            switch device.snapshot.description.screen {
            case .pairing:
                // To press the crown would open the list and hide the digits of the pairing.
                write("A phone wants to pair: hold crown for yes, press side for no.\n")
                return .continues
            case .face, .list, .status, .fullTitle, .sheet: openList()
            case .past: break
            }
        }
        // The screen may have changed since the last command. A tap refers to the new screen.
        device.waitUntilTouchable()
        do throws(ScriptError) {
            let progress = try runner.run(line: line)
            settle()
            writeNews()
            try runner.judgeTouches(by: device.snapshot)
            return progress
        } catch {
            try report(error)
            return .continues
        }
    }

    private func isOnRow(_ line: String) -> Bool {
        let words = line.split(whereSeparator: \.isWhitespace)
        return words.first == "tap" || words.prefix(2) == ["hold", "row"]
    }

    private func report(_ error: ScriptError) throws(TerminalError) {
        if isStrict { throw .commandFailed("\(error)") }
        write("\(error.problem)\n")
    }

    /// Runs `line` if it is not nil. If the phone is reachable, waits until watch and phone are in sync, for at most
    /// `phoneTimeout`. Then ends the session.
    private mutating func finish(obeying line: String?) throws(TerminalError) -> ExitReason {
        if let line { _ = try obey(line) }
        do throws(ScriptError) { try runner.finish() } catch { try report(error) }
        if !device.isPaused { _ = device.wait(patiently: Self.phoneTimeout) { !$0.isBusy } }
        writeNews()
        return .asked
    }

    /// Opens the list, because a command that names a row means a row of the list.
    private func openList() {
        // On a sheet, the crown returns to the screen below it, which may be the face. Then a second press is needed.
        // A paused watch cannot show its next screen.
        for _ in 0..<2 where !device.isPaused {
            switch device.snapshot.description.screen {
            case .list, .pairing, .past: return
            case .face, .status, .fullTitle, .sheet:
                device.send(.press(.crown))
                settle()
            }
        }
    }

    /// Waits until the watch has handled all inputs and no row is struck through, for at most `settling`. Only `finish` waits
    /// for the phone's acknowledgement, which may take seconds.
    private func settle() {
        guard !device.isPaused else { return }
        let newest = device.sent
        _ = device.wait(patiently: Self.settling) { $0.handled >= newest && !$0.hasStruckRow }
    }

    private mutating func writeNews() {
        if device.circumstances != circumstances {
            circumstances = device.circumstances
            write(
                circumstances.isEmpty
                    ? "normal speed, no faults, full battery\n" : circumstances.joined(separator: ", ") + "\n")
        }
        for line in renderer.news(in: device.snapshot.description) { write(line + "\n") }
    }
}

/// Picks the lines that have changed, or all lines if the watch has changed to another screen.
///
/// The lines come from the watch's state, not from its pixels. They suit pipes, simple terminals and screen readers.
struct PlainRenderer {
    private var shown: [String] = []
    private var screen: ScreenDescription.Screen?

    mutating func news(in description: ScreenDescription) -> [String] {
        let lines = description.lines
        defer {
            shown = lines
            screen = description.screen
        }
        guard screen == description.screen else { return lines }
        return lines.enumerated().filter { $0.offset >= shown.count || shown[$0.offset] != $0.element }.map(\.element)
    }
}

extension WatchDevice {
    fileprivate var circumstances: [String] {
        let time = control?.state.words
        return (time.map { [$0] } ?? []) + (faults?.faults.words ?? []) + shownBattery.notices
    }
}

extension WatchSnapshot {
    fileprivate var hasStruckRow: Bool { description.rows.contains { $0.state == .struck } }

    /// Whether the watch will change without a further input: a struck row disappears, or watch and phone get in sync.
    fileprivate var isBusy: Bool {
        if hasStruckRow { return true }
        return switch description.link {
        case .reachable: !description.isSynchronized
        case .down, .connecting: false
        }
    }
}

extension PlainSession {
    private enum News {
        case device
        case input
    }

    /// Waits until there is input, or until the device has changed. If both are the case, returns `.input`.
    private func waitForNews() -> News {
        while true {
            var watched = [
                PolledDescriptor(descriptors.input, .readable),
                PolledDescriptor(device.changes.descriptor, .readable),
            ]
            PolledDescriptor.wait(for: &watched, microseconds: nil)
            if watched[0].isReady { return .input }
            if watched[1].isReady { return .device }
        }
    }

    private func readInput() -> ArraySlice<UInt8>? {
        var bytes = [UInt8](repeating: 0, count: LineReader.longestLine)
        let count = read(descriptors.input, &bytes, bytes.count)
        if count > 0 { return bytes[..<count] }
        let isInterrupted = count < 0 && (errno == EINTR || errno == EAGAIN)
        return isInterrupted ? [] : nil
    }

    private static func write(_ text: String, to descriptor: CInt) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = Glibc.write(descriptor, part.baseAddress, part.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR {
                    // The reader of the output is gone. It would not read an error message either.
                    return
                }
            }
        }
    }
}

package struct LineReader {
    /// The maximum length of a line in bytes. A longer line is split.
    static let longestLine = 4_096

    private var pending: [UInt8] = []

    package init() {}

    /// Adds bytes, and returns the lines that are now complete, without line ends. Invalid UTF-8 is replaced.
    package mutating func take(_ bytes: some Sequence<UInt8>) -> [String] {
        var lines: [String] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") || pending.count == LineReader.longestLine { lines.append(flush()) }
            if byte != UInt8(ascii: "\n") { pending.append(byte) }
        }
        return lines
    }

    /// Returns the input after the last line end. Nil if there is none.
    package mutating func end() -> String? {
        pending.isEmpty ? nil : flush()
    }

    private mutating func flush() -> String {
        defer { pending = [] }
        return String(decoding: pending, as: UTF8.self)
    }
}
