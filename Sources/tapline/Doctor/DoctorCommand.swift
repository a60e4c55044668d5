import ArgumentParser

/// `tapline doctor`: what this machine has and lacks.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check what this machine needs to run Tapline, and how to fix what is missing.",
        discussion:
            "It changes nothing. The exit status is 0 if everything that the simulator needs is there, 1 otherwise.")

    @Flag(help: "Print a JSON array instead of lines.")
    var json = false

    func run() throws {
        let machine = HostMachine()
        let report = DoctorReport(on: machine)
        print(json ? try report.json() : report.text(marks: machine.hasUnicode ? .unicode : .plain))
        if !report.simulatorCanRun { throw ExitCode(1) }
    }
}
