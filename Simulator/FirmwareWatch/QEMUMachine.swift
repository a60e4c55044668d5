import Glibc
import HostSystem
import MPS2Memory

/// A QEMU process that runs the firmware. The process ends with this value.
package struct QEMUMachine: ~Copyable {
    package var console: MachineLine
    package var radio: MachineLine
    package var panel: MachineLine
    package var bench: MachineLine
    /// The emulator's own messages. This line closes when the process has ended.
    private var messages: MachineLine
    private var filter = EmulatorMessages()
    private var finalOutput = FinalOutput()
    private var process: ChildProcess

    /// Starts the process. It ends at the latest with the calling thread.
    ///
    /// - Throws: `.systemCall`.
    package init(_ command: QEMUCommand) throws(FirmwareError) {
        var ends: [CInt] = [-1, -1, -1, -1, -1]
        defer { for end in ends where end >= 0 { close(end) } }
        let console = try MachineLine(command.outputs, other: &ends[0])
        let radio = try MachineLine(.both, other: &ends[1])
        let panel = try MachineLine(command.outputs, other: &ends[2])
        let bench = try MachineLine(.both, other: &ends[3])
        // No other child process inherits this end of the socket, so it closes when the emulator ends.
        let messages = try MachineLine(.both, other: &ends[4])
        // In a process group of its own, the emulator receives nothing that is typed in a terminal.
        do throws(HostSystemError) {
            process = try ChildProcess(
                command.words, group: .own,
                descriptors: Array(zip(ends, QEMUCommand.ports)) + [(ends[4], 1), (ends[4], 2)])
        } catch {
            throw FirmwareError(error)
        }
        self.console = console
        self.radio = radio
        self.panel = panel
        self.bench = bench
        self.messages = messages
    }

    /// Reads from all lines, and sends queued bytes.
    package mutating func exchange() -> MachineNews {
        console.flush()
        radio.flush()
        panel.flush()
        bench.flush()
        let said = filter.hear(messages.hear())
        // `messages` was read before: when it has closed, the other lines receive nothing more.
        let written = console.hear()
        finalOutput.hear(written)
        var news = MachineNews(
            text: written + said, radio: radio.hear(), panel: panel.hear(), bench: bench.hear())
        if messages.hasEnded { news.progress = .ended(end()) }
        return news
    }

    /// After a reset, QEMU reports success. The firmware's last line then has the exit status.
    private mutating func end() -> MachineEnd {
        switch process.awaitEnd() {
        case .exited(let status): .exited(status: status == 0 ? finalOutput.status ?? 0 : status)
        case .killed(let signal): .killed(signal: signal)
        }
    }

    package var interest: [PolledDescriptor] {
        [console.interest, radio.interest, panel.interest, bench.interest, messages.interest].compactMap { $0 }
    }
}

package struct MachineNews {
    package enum Progress {
        case running
        case ended(MachineEnd)
    }

    package var text: [UInt8]
    package var radio: [UInt8]
    package var panel: [UInt8]
    package var bench: [UInt8]
    package var progress = Progress.running
}

package enum MachineEnd: Equatable {
    case exited(status: CInt)
    case killed(signal: CInt)
}

extension MachineEnd: CustomStringConvertible {
    package var description: String {
        switch self {
        case .exited(let status): "the firmware's machine ended with status \(status)"
        case .killed(let signal): "the firmware's machine was ended by signal \(signal)"
        }
    }
}

package struct QEMUCommand {
    var emulator: String
    var image: String
    /// The path of the flash file, which QEMU maps as the memory that begins with the chip.
    var flash: String
    var settings: BootSettings
    /// The direction of console and panel. The board receives nothing on them.
    var outputs: MachineLine.Direction
    var parent: pid_t

    package init(
        emulator: String, image: String, flash: String, settings: BootSettings,
        outputs: MachineLine.Direction = .fromMachine, parent: pid_t = getpid()
    ) {
        self.emulator = emulator
        self.image = image
        self.flash = flash
        self.settings = settings
        self.outputs = outputs
        self.parent = parent
    }

    /// The descriptor numbers in the new process: console, radio, panel, bench.
    static var ports: [CInt] { [3, 4, 5, 6] }

    private var devices: [String] {
        let (console, panel) =
            switch outputs {
            case .fromMachine: ("file,id=line0,path=/dev/fd/3", "file,id=line2,path=/dev/fd/5")
            case .both: ("socket,id=line0,fd=3", "socket,id=line2,fd=5")
            }
        return [console, "socket,id=line1,fd=4", panel, "socket,id=line3,fd=6"]
    }

    /// Confines the firmware to the board. It gets no semihosting, which QEMU allows by default, no network, and no device or
    /// file that the command does not name. System calls that start programs, gain privileges or change how the system runs the
    /// process are denied.
    private static let confinement = [
        "-nodefaults", "-no-user-config", "-nic", "none",
        "-sandbox", "on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny",
    ]

    /// The command and its arguments. The shell finds each program on PATH.
    ///
    /// The kernel kills the emulator when the thread that started it ends, but only after `setpriv` has asked for that.
    /// Therefore the shell first checks that its parent still lives: an orphan must not use a flash file that another process
    /// can lock. `ulimit` prevents a core file if QEMU aborts because of an image. Each instruction takes 16 ns. That is 62.5
    /// MHz with one instruction in a cycle, close to the chip's 64 MHz.
    var words: [String] {
        var words = [
            "setpriv", "--pdeathsig", "KILL", "--", "sh", "-c",
            "ulimit -c 0 && [ \"$PPID\" = \"$0\" ] && exec \"$@\"", "\(parent)",
            emulator, "-M", "mps2-an386,memory-backend=flash",
            "-kernel", image, "-nographic", "-monitor", "none", "-icount", "shift=4", "-no-reboot",
        ]
        words += QEMUCommand.confinement
        words += [
            "-object",
            "memory-backend-file,id=flash,size=\(FirmwareFlash.memorySize),mem-path=\(quoted(flash)),share=on",
        ]
        for number in 0..<BootSettings.wordCount {
            let address = Int(BootSettings.address) + 4 * number
            words += ["-device", "loader,addr=\(address),data=\(settings.word(number)),data-len=4"]
        }
        for (number, device) in devices.enumerated() {
            words += ["-chardev", device, "-serial", "chardev:line\(number)"]
        }
        return words
    }

    /// Converts ticks of the 25 MHz timer to instructions. A tick is 40 ns, or 2.5 instructions.
    static func instructions(inTicks ticks: UInt32) -> Int { Int(ticks) * 5 / 2 }

    /// Escapes a value of a QEMU option. A comma would end the value, so it is doubled.
    private func quoted(_ text: String) -> String {
        text.split(separator: ",", omittingEmptySubsequences: false).joined(separator: ",,")
    }

    /// The path of a program on PATH. Nil if there is none.
    package static func find(_ name: String) -> String? {
        guard let path = getenv("PATH").map({ String(cString: $0) }) else { return nil }
        return path.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}

/// The last console output of the firmware and the emulator.
struct ConsoleLog {
    private static var capacity: Int { 8_192 }

    private var bytes: [UInt8] = []

    mutating func hear(_ new: [UInt8]) {
        bytes += new
        if bytes.count > ConsoleLog.capacity { bytes.removeFirst(bytes.count - ConsoleLog.capacity) }
    }

    /// The output as one line without control characters. Nil if there is none.
    ///
    /// It has the last four lines. If the emulator reports an error, it has only that line, because all registers of the
    /// processor follow it.
    var summary: String? {
        let lines = bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).map { line in
            String(decoding: line.map { (0x20...0x7E).contains($0) ? $0 : 0x3F }, as: UTF8.self)
        }
        if let complaint = lines.first(where: { $0.hasPrefix("qemu") }) { return complaint }
        return lines.isEmpty ? nil : lines.suffix(4).joined(separator: "; ")
    }
}

/// Removes the warning that the emulator prints at each start.
struct EmulatorMessages {
    /// The warning that the board's network controller is not connected, which is intended.
    private static let expected = Array("qemu-system-arm: warning: nic lan9118.0 has no peer\n".utf8)

    private enum Progress {
        case matching(Int)
        case passing
    }

    private var progress = Progress.matching(0)

    mutating func hear(_ bytes: [UInt8]) -> [UInt8] {
        guard case .matching(let before) = progress else { return bytes }
        let rest = EmulatorMessages.expected.dropFirst(before)
        if bytes.starts(with: rest) {
            progress = .passing
            return Array(bytes.dropFirst(rest.count))
        }
        if rest.starts(with: bytes) {
            progress = .matching(before + bytes.count)
            return []
        }
        progress = .passing
        return EmulatorMessages.expected.prefix(before) + bytes
    }
}

/// Keeps the end of the firmware's console output, which contains the exit status.
struct FinalOutput {
    /// The length of ` status 4294967295` and a line end.
    private static var capacity: Int { 32 }

    private var bytes: [UInt8] = []

    mutating func hear(_ new: [UInt8]) {
        bytes = (bytes + new.suffix(FinalOutput.capacity)).suffix(FinalOutput.capacity)
    }

    /// The number after ` status ` in the last line, if that line is complete. Nil if there is no exit status of 0 to 255.
    var status: CInt? {
        guard bytes.last == 0x0A else { return nil }
        let line = bytes.dropLast().split(separator: 0x0A, omittingEmptySubsequences: false).last ?? []
        let words = line.split(separator: 0x20)
        guard words.count >= 2, words[words.count - 2].elementsEqual("status".utf8) else { return nil }
        return UInt8(String(decoding: words[words.count - 1], as: UTF8.self)).map(CInt.init)
    }
}
