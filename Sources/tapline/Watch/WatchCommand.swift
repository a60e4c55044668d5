import ArgumentParser
import BluetoothBridge
import CommandSupport
import DeviceModel
import Emulator
import Foundation
import HostRadio
import TerminalWatch
import Watch
import WatchLink
import Wormhole

struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Open a watch in this terminal.",
        discussion: """
            Simulates a watch and connects it to the phone that `tapline phone serve` runs. Without a phone the watch \
            works too; it sends check-offs as soon as a phone serves.

            KEYS
              click, 1 to 6       touch the display (or drag, or hold), tap that row
              arrow keys, wheel   turn the crown
              Enter, s            press the crown, press the side button
              y, a                hold the crown (pair), the side button (let phones pair)
              p, n                pause or resume, single step
              <, >                slower, faster
              PgUp, PgDn          six rows up, down; Home, End: to an end of the list
              v                   another view
              f, ?, q             faults, all keys, quit

            COMMANDS
            Without a terminal, and with --plain, the watch prints its screen as text and reads commands from standard \
            input, one per line. --headless reads them from a file and fails at the first expectation that is not met.

              \(ScriptTable.synopses.joined(separator: "\n  "))
              \(FaultTable.synopses.map { "fault \($0)" }.joined(separator: "\n  "))

            Rows are counted from 1. MARK is \(ScriptMark.allCases.map(\.rawValue).joined(separator: ", ")). Simulator/SCRIPTS.md \
            says what each command does.

            A single step ends at the next input, datagram, deadline, stage or mark of a tap. The phone stays in real \
            time: it disconnects a watch that is paused for more than 6 s, and the watch reconnects by itself. Nothing \
            is lost.

            FIRMWARE
            --firmware FILE executes an image for the nRF52832 of a PineTime, cycle by cycle, with its display, touch, flash and \
            radio. Nothing has to be compiled anew. Without FILE, --board executes Tapline's own firmware, whose serial line leads \
            to the phone. Their scripts have other commands:

              \(MachineCommand.synopses.joined(separator: "\n  "))

            In a terminal the mouse is the finger, b presses the button, c is the charger, p pauses, q quits. Without one, and \
            with --plain, commands come from standard input. Time passes only while a command runs, or in real time if the serial \
            line leads to a served phone.

            --attach sends at most \(ControlSocket.largestDatagram) bytes at once, the names of directory and script \
            included. Longer scripts can be included by one line: include FILE.

            EXAMPLES
              tapline watch
              tapline watch --profile memory-lcd
              printf 'tap 1\\nwait 300ms\\ndescribe\\n' | tapline watch
              printf 'tap 1\\nwait until synced\\n' > taps.txt
              tapline watch --headless --script taps.txt
              tapline watch --attach tap 1
              tapline watch --attach save bug.json
              tapline watch --load bug.json
              printf 'phone add Milk\\ntap 1\\nexpect left 0\\n' > tests/a.script
              tapline watch --headless --with-phone --scripts tests --junit results.xml
              tapline watch --firmware firmware.elf
              printf 'wait until drawn\\ntap 120,120\\nexpect updated within 60ms\\n' > tap.script
              tapline watch --firmware firmware.elf --headless --script tap.script
              tapline watch --firmware firmware.elf --gdb 3333
              Hardware/build && tapline watch --board reference
              tapline watch --package Tests/Examples --handler StopwatchHandler
              tapline watch --link bluetooth
              tapline watch --check-flash watch.flash
            """)

    @Option(
        help: ArgumentHelp(
            "The link to the phone: unix, unix:DIRECTORY, bluetooth, or bluetooth:ADAPTER such as bluetooth:hci0. By "
                + "default unix, where `tapline phone serve` serves.",
            valueName: "link"))
    var link: LinkChoice?

    @Option(help: ArgumentHelp("Short for --link unix:DIRECTORY.", valueName: "directory"))
    var sockets: String?

    @Option(help: ArgumentHelp("The file that holds the watch's flash memory, created if missing.", valueName: "file"))
    var flash: String?

    @Option(
        help: ArgumentHelp(
            "Instead of opening a watch: print the contents of this flash file, its damage and what the next start does with it. "
                + "Changes nothing; the exit status is 0 if nothing is damaged, else 1.",
            valueName: "file"))
    var checkFlash: String?

    @Flag(help: "Print the findings of --check-flash, or the results of --scripts, as JSON.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "Continue from a file that `save` has written. It replaces the contents of --flash; without --flash the watch uses a "
                + "copy, which is deleted at its end.",
            valueName: "file"),
        completion: .file())
    var load: String?

    @Option(
        help: ArgumentHelp(
            "The handler of a tap on a row: shipping updates the panel first, legacy updates it last; with --package a type of the "
                + "package. By default shipping, or the only handler of the package.",
            valueName: "handler"))
    var handler: String?

    @Option(
        help: ArgumentHelp(
            "Execute Tapline's firmware with a handler of this package, which may have its own messages and sheet. By default on "
                + "the reference board.",
            valueName: "directory"))
    var package: String?

    @Option(
        help: ArgumentHelp(
            "The device whose timing is simulated: memory-lcd, colour-spi, instant, or a JSON5 file such as "
                + "Simulator/profile.json5.",
            valueName: "profile"),
        completion: .profiles)
    var profile: String = DeviceProfile.instant.name

    @Option(
        help: ArgumentHelp(
            "The speed of the watch's clock, 0.1 to 1000 times real time. While the watch waits for the phone, which "
                + "stays in real time, its clock runs no faster, so that the link does not time out.",
            valueName: "factor"),
        transform: WatchCommand.speed)
    var speed: ClockSpeed = .real

    @Option(
        help: ArgumentHelp(
            "Execute this firmware: an ELF, Intel HEX, MCUboot or raw image.", valueName: "file"),
        completion: .file())
    var firmware: String?

    @Option(
        help: ArgumentHelp(
            "Execute a firmware on this board: pinetime, or reference, an nRF52832 with a memory LCD and a crown. By default "
                + "pinetime; without --firmware Tapline's own image, which Hardware/build makes.",
            valueName: "board"))
    var board: BoardChoice?

    @Option(
        help: ArgumentHelp("Where a raw image begins, such as 0x8020. By default 0.", valueName: "address"))
    var at: ImageAddress?

    @Flag(help: "Make each access to a register that is not modelled a fault of the firmware.")
    var strict = false

    @Option(help: ArgumentHelp("Of the firmware's random numbers. By default 0.", valueName: "number"))
    var seed: UInt64?

    @Option(
        help: ArgumentHelp(
            "Let gdb control the firmware over this TCP port of this machine; 0 for a free one. The firmware waits at its start.",
            valueName: "port"))
    var gdb: UInt16?

    @Flag(help: "Show what the firmware prints by semihosting and through SEGGER RTT, as a debug probe does.")
    var console = false

    @Option(help: ArgumentHelp("The name on the watch's case.", valueName: "name"))
    var name: String = "Tapline"

    @Flag(
        help: ArgumentHelp(
            "Let phones pair for two minutes from the start. A watch without a bond does so by itself; otherwise hold the "
                + "side button on its face."))
    var pairing = false

    @Flag(help: "Run the script of --script, or those of --scripts, without a display, then exit.")
    var headless = false

    @Option(
        help: ArgumentHelp("The script to run; - for standard input.", valueName: "file"), completion: .file())
    var script: String?

    @Option(
        help: ArgumentHelp(
            "Run every *.script and *.tapline in this directory in the order of their names, each on a new watch. The exit "
                + "status is 1 if one fails.",
            valueName: "directory"))
    var scripts: String?

    @Option(help: ArgumentHelp("Also write the results of --scripts as JUnit XML.", valueName: "file"))
    var junit: String?

    @Flag(
        help: ArgumentHelp(
            "Give each script its own phone with an empty list and, without --flash, a new watch. Both end with the script. They "
                + "share a virtual clock, so a script prints the same bytes on every machine."))
    var withPhone = false

    @Flag(
        help: ArgumentHelp(
            "Instead of opening a watch: send script commands to the one in another shell, from the command line, --script or the "
                + "standard input. Each answer is a line of JSON."))
    var attach = false

    @Option(help: ArgumentHelp("The process of the watch to attach to, if several run.", valueName: "number"))
    var process: Int32?

    @Argument(
        help: ArgumentHelp(
            "With --attach: a command of the script language; before one with a minus sign write --.", valueName: "word"
        ))
    var words: [String] = []

    @Flag(help: "Print the screen as text, also in a terminal.")
    var plain = false

    @Option(
        help: ArgumentHelp(
            "How to draw the panel: text, braille or pixels, if the terminal supports them. By default the best view that shows "
                + "the whole panel. The key v changes it.",
            valueName: "view"))
    var view: ViewKind?

    func validate() throws {
        try validateAttachment()
        try validateScripts()
        if plain && view != nil { throw ValidationError("Use either --plain or --view, not both.") }
        try validateMachine()
        if let handler, package == nil, HandlerChoice(rawValue: handler) == nil {
            let known = HandlerChoice.allCases.map(\.rawValue).joined(separator: " and ")
            throw ValidationError("There is no handler '\(handler)': there are \(known); --package has others.")
        }
        if checkFlash != nil && load != nil { throw ValidationError("--check-flash opens no watch: leave out --load.") }
        if pairing && !linkIsRadio { throw ValidationError("--pairing needs --link bluetooth.") }
        if sockets != nil && link != nil { throw ValidationError("Use either --link or --sockets, not both.") }
    }

    func run() throws {
        if attach { return try runBlocking { try await shell.run() } }
        if let checkFlash { return try FlashCheckReport.run(path: checkFlash, json: json) }
        if let scripts { return try play(ScriptSuite(directory: scripts, junit: junit)) }
        if isMachine { return try runMachine() }
        // A script with an error fails before a watch is made for it.
        if let script { return try play(ScriptFile(path: script)) }
        let mode = displayMode
        try withWatch(Surroundings(isDrawn: mode != .plain)) { watch in
            let reason = try TerminalSession.run(device: watch, label: label, mode: mode)
            switch reason {
            case .asked: break
            case .watchFailed(let why): throw CommandFailure(why)
            case .signal, .terminalGone: throw ExitCode(reason.exitStatus)
            }
        }
    }

    /// The display mode for the options and this terminal.
    var displayMode: DisplayMode {
        let preference: DisplayMode.Preference =
            plain ? .always(.plain) : view.map { .always(.drawn(.always($0))) } ?? .automatic
        return DisplayMode(preference: preference, environment: TerminalSession.Descriptors().environment)
    }

    private var label: WatchLabel {
        WatchLabel(name: name, profile: profile, handler: choice.rawValue)
    }
}

extension ViewKind: ExpressibleByArgument {}
