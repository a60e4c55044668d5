import Glibc
import HostSystem

/// The emulator with the firmware in it, as a process of its own that ends with this value.
package struct QEMUMachine: ~Copyable {
    package var console: MachineLine
    package var radio: MachineLine
    package var panel: MachineLine
    package var bench: MachineLine
    /// What the emulator itself has to say. It is closed when the process has ended.
    private var messages: MachineLine
    private var filter = EmulatorMessages()
    private var lastWords = LastWords()
    private var process: ChildProcess

    /// Starts `command`. The process ends with the calling thread at the latest.
    ///
    /// - Throws: `.systemCall`.
    package init(_ command: QEMUCommand) throws(FirmwareError) {
        var ends: [CInt] = [-1, -1, -1, -1, -1]
        defer { for end in ends where end >= 0 { close(end) } }
        let console = try MachineLine(command.outputs, other: &ends[0])
        let radio = try MachineLine(.both, other: &ends[1])
        let panel = try MachineLine(command.outputs, other: &ends[2])
        let bench = try MachineLine(.both, other: &ends[3])
        // A socket's other end is closed in whatever process is started meanwhile, so that its end is the machine's.
        let messages = try MachineLine(.both, other: &ends[4])
        // What is typed in a terminal does not reach it.
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

    /// Reads what has come, and sends what waited, on every line.
    package mutating func exchange() -> MachineNews {
        console.flush()
        radio.flush()
        panel.flush()
        bench.flush()
        let said = filter.hear(messages.hear())
        // Read after `messages`: when that has ended, nothing comes behind what the others hold.
        let written = console.hear()
        lastWords.hear(written)
        var news = MachineNews(
            text: written + said, radio: radio.hear(), panel: panel.hear(), bench: bench.hear())
        if messages.hasEnded { news.progress = .ended(end()) }
        return news
    }

    /// How the machine ended: of one that was reset, which the emulator takes for success, as the firmware has said.
    private mutating func end() -> MachineEnd {
        switch process.awaitEnd() {
        case .exited(let status): .exited(status: status == 0 ? lastWords.status ?? 0 : status)
        case .killed(let signal): .killed(signal: signal)
        }
    }

    /// The descriptors to wait for.
    package var interest: [PolledDescriptor] {
        [console.interest, radio.interest, panel.interest, bench.interest, messages.interest].compactMap { $0 }
    }
}

/// What has come from a machine.
package struct MachineNews {
    /// Whether there is more to come.
    package enum Progress {
        case running
        case ended(MachineEnd)
    }

    package var text: [UInt8]
    package var radio: [UInt8]
    package var panel: [UInt8]
    package var bench: [UInt8]
    /// Whether there is more to come.
    package var progress = Progress.running
}
