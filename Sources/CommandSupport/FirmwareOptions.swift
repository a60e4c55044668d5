import ArgumentParser

package enum BoardChoice: String, ExpressibleByArgument, CaseIterable {
    case pinetime, reference
}

/// The options of `tapline watch` that apply only to firmware that the emulator executes.
package struct FirmwareOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Execute Tapline's firmware with a handler of this package, which may have its own messages and sheet. By default on "
                + "the reference board.",
            valueName: "directory"))
    package var package: String?

    @Option(
        help: ArgumentHelp(
            "Execute this firmware: an ELF, Intel HEX, MCUboot or raw image.", valueName: "file"),
        completion: .file())
    package var firmware: String?

    @Option(
        help: ArgumentHelp(
            "Execute a firmware on this board: pinetime, or reference, an nRF52832 with a memory LCD and a crown. By default "
                + "pinetime; without --firmware Tapline's own image, which Hardware/build makes.",
            valueName: "board"))
    package var board: BoardChoice?

    @Option(
        help: ArgumentHelp("Where a raw image begins, such as 0x8020. By default 0.", valueName: "address"))
    package var at: ImageAddress?

    @Flag(help: "Make each access to a register that is not modelled a fault of the firmware.")
    package var strict = false

    @Option(help: ArgumentHelp("Of the firmware's random numbers. By default 0.", valueName: "number"))
    package var seed: UInt64?

    @Option(
        help: ArgumentHelp(
            "Let gdb control the firmware over this TCP port of this machine; 0 for a free one. The firmware waits at its start.",
            valueName: "port"))
    package var gdb: UInt16?

    @Flag(help: "Show what the firmware prints by semihosting and through SEGGER RTT, as a debug probe does.")
    package var console = false

    package init() {}

    package var isMachine: Bool { firmware != nil || board != nil || package != nil }

    /// Throws if options contradict each other. `hasOthers` says whether the command line has options that are for the
    /// simulated watch only.
    package func check(_ options: WatchOptions, handler: String?, hasOthers: Bool) throws {
        if !isMachine && (at != nil || strict || seed != nil || gdb != nil || console) {
            throw ValidationError("--at, --strict, --seed, --gdb and --console need --firmware FILE.")
        }
        if package != nil && firmware != nil {
            throw ValidationError("--package builds an image and runs it: leave out --firmware.")
        }
        guard isMachine else { return }
        if gdb != nil && options.scripts != nil {
            throw ValidationError("--gdb needs one --script FILE, or a terminal.")
        }
        if hasOthers || options.linkIsRadio || (handler != nil && package == nil) {
            throw ValidationError(
                "An executed firmware takes --firmware, --board, --package, --at, --strict, --seed, --gdb, --console, "
                    + "--flash, --plain, --link unix, --sockets and the options for scripts; the others are for the "
                    + "simulated watch.")
        }
    }
}
