import ArgumentParser
import CommandSupport
import DeviceModel
import Foundation
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
              \(Fault.synopses.map { "fault \($0)" }.joined(separator: "\n  "))

            Rows are counted from 1. MARK is \(ScriptMark.allCases.map(\.rawValue).joined(separator: ", ")). Simulator/SCRIPTS.md \
            says what each command does.

            A single step ends at the next input, datagram, deadline, stage or mark of a tap. The phone stays in real \
            time: it disconnects a watch that is paused for more than 6 s, and the watch reconnects by itself. Nothing \
            is lost.

            FIRMWARE
            --firmware FILE executes an image for the nRF52832 of a PineTime, cycle by cycle, with its display, touch, flash and \
            radio. Nothing has to be compiled anew. Without FILE, --board executes Tapline's own firmware, whose serial line leads \
            to the phone. The program tapline-lab does this. Scripts have other commands: tapline-lab watch --help lists them.

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

    @OptionGroup var options: WatchOptions

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

    @OptionGroup var firmware: FirmwareOptions

    @Option(help: ArgumentHelp("The name on the watch's case.", valueName: "name"))
    var name: String = WatchCommand.usualName

    @Flag(
        help: ArgumentHelp(
            "Let phones pair for two minutes from the start. A watch without a bond does so by itself; otherwise hold the "
                + "side button on its face."))
    var pairing = false

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

    @Option(
        help: ArgumentHelp(
            "How to draw the panel: text, braille or pixels, if the terminal supports them. By default the best view that shows "
                + "the whole panel. The key v changes it.",
            valueName: "view"))
    var view: ViewKind?

    func validate() throws {
        try validateAttachment()
        try validateScripts()
        if options.plain && view != nil { throw ValidationError("Use either --plain or --view, not both.") }
        let hasOthers =
            profile != DeviceProfile.instant.name || load != nil || checkFlash != nil || speed != .real || pairing
            || view != nil || name != WatchCommand.usualName
        try firmware.check(options, handler: handler, hasOthers: hasOthers)
        if let handler, firmware.package == nil, HandlerChoice(rawValue: handler) == nil {
            let known = HandlerChoice.allCases.map(\.rawValue).joined(separator: " and ")
            throw ValidationError("There is no handler '\(handler)': there are \(known); --package has others.")
        }
        if checkFlash != nil && load != nil { throw ValidationError("--check-flash opens no watch: leave out --load.") }
        if pairing && !options.linkIsRadio { throw ValidationError("--pairing needs --link bluetooth.") }
    }

    func run() throws {
        if attach { return try runBlocking { try await shell.run() } }
        if let checkFlash { return try FlashCheckReport.run(path: checkFlash, json: json) }
        if firmware.isMachine { throw replacingThisProcess(byLab: Array(CommandLine.arguments.dropFirst())) }
        if let scripts = options.scripts { return try play(ScriptSuite(directory: scripts, junit: options.junit)) }
        // A script with an error fails before a watch is made for it.
        if let script = options.script { return try play(ScriptFile(path: script)) }
        let mode = displayMode
        try withWatch(Surroundings(isDrawn: mode != .plain)) { watch in
            let label = WatchLabel(name: name, profile: profile, handler: choice.rawValue)
            let reason = try TerminalSession.run(device: watch, label: label, mode: mode)
            switch reason {
            case .asked: break
            case .watchFailed(let why): throw CommandFailure(why)
            case .signal, .terminalGone: throw ExitCode(reason.exitStatus)
            }
        }
    }

    private var displayMode: DisplayMode {
        let preference: DisplayMode.Preference =
            options.plain ? .always(.plain) : view.map { .always(.drawn(.always($0))) } ?? .automatic
        return DisplayMode(preference: preference, environment: TerminalSession.Descriptors().environment)
    }

    private static let usualName = "Tapline"
}

extension ViewKind: ExpressibleByArgument {}
