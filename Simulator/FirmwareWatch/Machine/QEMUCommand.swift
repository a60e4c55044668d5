import Glibc
import MPS2Memory

/// The command that runs the firmware.
package struct QEMUCommand {
    var emulator: String
    var image: String
    /// The file of the memory that begins with the flash chip.
    var flash: String
    /// The settings that the loader leaves for the board.
    var settings: BootSettings
    /// Which way the lines of the console and the panel go, on which the board hears nothing.
    var outputs: MachineLine.Direction
    /// The process that starts it.
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

    /// The descriptors of the new process that its serial ports are connected to: console, radio, panel, bench.
    static var ports: [CInt] { [3, 4, 5, 6] }

    /// What those descriptors are.
    private var devices: [String] {
        let (console, panel) =
            switch outputs {
            case .fromMachine: ("file,id=line0,path=/dev/fd/3", "file,id=line2,path=/dev/fd/5")
            case .both: ("socket,id=line0,fd=3", "socket,id=line2,fd=5")
            }
        return [console, "socket,id=line1,fd=4", panel, "socket,id=line3,fd=6"]
    }

    /// What keeps an image to the board: no semihosting, which QEMU has unless it is asked for; no network, which it would give
    /// the board's controller; no device and no file of the user's that the command does not name; and no system call that
    /// starts a program, gains privileges, or changes how the host runs the process.
    private static let confinement = [
        "-nodefaults", "-no-user-config", "-nic", "none",
        "-sandbox", "on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny",
    ]

    /// The words of the command; the first is looked up on PATH.
    ///
    /// The kernel ends the emulator when the thread that started it ends, however that comes about. It does so from the moment
    /// that it is asked to, so the shell looks whether the process was there still: an orphan is not to use a flash file that
    /// is another's to lock by then. An emulator that gives up over an image leaves no core file. Every instruction takes 16 ns: 62.5 MHz at one instruction a cycle, close to the 64 MHz
    /// of the part.
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

    /// The instructions executed in a number of ticks of the board's timer. It counts at 25 MHz: a tick is 40 ns, 2.5 instructions.
    static func instructions(inTicks ticks: UInt32) -> Int { Int(ticks) * 5 / 2 }

    /// A comma ends a value, two stand for one.
    private func quoted(_ text: String) -> String {
        text.split(separator: ",", omittingEmptySubsequences: false).joined(separator: ",,")
    }

    /// The path of the program called `name` that the user's PATH finds, or nil.
    package static func find(_ name: String) -> String? {
        guard let path = getenv("PATH").map({ String(cString: $0) }) else { return nil }
        return path.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}
