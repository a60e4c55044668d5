import ArgumentParser
import CommandSupport

/// `tapline doctor`: what this machine has and lacks.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check this machine, and print a fix for everything that is missing.",
        discussion: """
            Changes nothing. The exit status is 0 if the simulator can run, 1 otherwise; what only Bluetooth, the \
            firmware or a better display needs does not count.

            EXAMPLES
              tapline doctor
              tapline doctor --json
            """)

    @Flag(help: "Print JSON instead of text.")
    var json = false

    func run() throws {
        let machine = HostMachine()
        let report = DoctorReport(on: machine)
        try StandardOutput.print(
            (json ? try report.json() : report.text(marks: machine.hasUnicode ? .unicode : .plain)) + "\n")
        if !report.simulatorCanRun { throw ExitCode(1) }
    }
}
