import DeviceModel
import Glibc
import Watch
import WatchLink

/// A watch as text: commands come in line by line, what has changed goes out line by line.
struct PlainSession {
    /// How long the first screen waits for the phone, and the last one for what is still on its way.
    static var patience: Microseconds { .seconds(3) }
    /// How long a command waits for what follows from it.
    static var settling: Microseconds { .seconds(2) }

    /// What a wrong command leads to.
    private enum Strictness {
        /// It is reported, and the next one is read: there is a person to try again.
        case forgiving
        /// It ends the session with an error: nobody is there to see it.
        case strict
    }

    private let device: any WatchDevice
    private let descriptors: TerminalSession.Descriptors
    private let strictness: Strictness
    private let write: (String) -> Void
    private var renderer = PlainRenderer()
    private var reader = LineReader()
    private var runner: ScriptRunner
    /// What was said last of the watch's time and of what is wrong with it.
    private var said: [String] = []

    /// A session that reads commands from one descriptor and writes to the other.
    init(device: any WatchDevice, descriptors: TerminalSession.Descriptors) {
        self.device = device
        self.descriptors = descriptors
        strictness = isatty(descriptors.input) == 1 ? .forgiving : .strict
        let output = descriptors.output
        write = { PlainSession.write($0, to: output) }
        runner = ScriptRunner(device, file: "standard input", output: write)
    }

    /// Runs commands until one asks to quit or there are no more.
    mutating func run() throws(TerminalError) -> ExitReason {
        _ = device.wait(patiently: Self.patience) { $0.description.synchronization == .synchronized }
        sayNews()
        while true {
            switch device.snapshot.phase {
            case .running, .stopped: break
            case .failed(let reason): return .watchFailed(reason: reason)
            }
            switch waitForNews() {
            case .device:
                device.changes.drain()
                sayNews()
            case .input:
                guard let bytes = readInput() else { return try finish() }
                for line in reader.take(bytes) {
                    switch try obey(line) {
                    case .goesOn: continue
                    case .quit: return try finish(obeying: nil)
                    }
                }
            }
        }
    }

    /// Runs one command, waits for what follows from it, and says what has changed.
    private mutating func obey(_ line: String) throws(TerminalError) -> ScriptRunner.Progress {
        if line.split(whereSeparator: \.isWhitespace).first == "tap" {
            switch device.snapshot.description.screen {
            case .pairing:
                // Whoever means a row does not mean the digits, to which a tap says yes.
                write("A phone wants to pair: press crown for yes, press side for no.\n")
                return .goesOn
            case .face, .list, .status, .fullTitle: openList()
            }
        }
        do throws(ScriptError) {
            let progress = try runner.run(line: line)
            settle()
            sayNews()
            return progress
        } catch {
            switch strictness {
            case .strict: throw .commandFailed("\(error)")
            case .forgiving:
                write("\(error.problem)\n")
                return .goesOn
            }
        }
    }

    /// Ends the session: the command in an unfinished last line still counts, and what is on its way to a phone that can be
    /// reached still arrives.
    private mutating func finish() throws(TerminalError) -> ExitReason {
        try finish(obeying: reader.end())
    }

    private mutating func finish(obeying line: String?) throws(TerminalError) -> ExitReason {
        if let line { _ = try obey(line) }
        if !device.isPaused { _ = device.wait(patiently: Self.patience) { !$0.isBusy } }
        sayNews()
        return .asked
    }

    /// Brings the list up: whoever taps a row by its number means one of the list, and cannot see that another screen is there.
    private func openList() {
        // From a sheet the crown leads to the screen under it, which may be the face.
        // A paused watch does not show what its screen will be.
        for _ in 0..<2 where !device.isPaused {
            switch device.snapshot.description.screen {
            case .list, .pairing: return
            case .face, .status, .fullTitle:
                device.send(.press(.crown))
                settle()
            }
        }
    }

    /// Waits until the watch has done what it was told: inputs handled, struck rows gone, messages acknowledged where the
    /// phone can be reached.
    private func settle() {
        guard !device.isPaused else { return }
        let newest = device.sent
        _ = device.wait(patiently: Self.settling) { $0.handled >= newest && !$0.isBusy }
    }

    private mutating func sayNews() {
        let circumstances = device.circumstances
        if circumstances != said {
            write(circumstances.isEmpty ? "normal speed, no faults\n" : circumstances.joined(separator: ", ") + "\n")
            said = circumstances
        }
        for line in renderer.news(in: device.snapshot.description) { write(line + "\n") }
    }
}

extension WatchDevice {
    /// A notice for each deviation from normal speed and from a watch without faults.
    fileprivate var circumstances: [String] {
        let time = control?.state.words
        return (time.map { [$0] } ?? []) + (faults?.faults.words ?? [])
    }
}

extension WatchSnapshot {
    /// Whether something that was begun is still going on and will end by itself.
    fileprivate var isBusy: Bool {
        if description.rows.contains(where: { $0.state == .struck }) { return true }
        return switch description.link {
        case .reachable: description.synchronization == .pending
        case .down, .connecting: false
        }
    }
}

// MARK: Descriptors

extension PlainSession {
    private enum News {
        case device
        case input
    }

    /// Waits until there is something to read or the device has changed; what is there to read comes first.
    private func waitForNews() -> News {
        while true {
            var watched = [
                pollfd(fd: descriptors.input, events: Int16(POLLIN), revents: 0),
                pollfd(fd: device.changes.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&watched, nfds_t(watched.count), -1) > 0 else { continue }
            return watched[0].revents != 0 ? .input : .device
        }
    }

    /// What can be read now, nil at the end of the input.
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
                    // Nobody reads any more: there is no use in saying so.
                    return
                }
            }
        }
    }
}
