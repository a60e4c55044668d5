import ArgumentParser

@main struct FirmwareHarness: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Examines firmware images for tests and for Hardware/build.",
        subcommands: [PartsCommand.self, LockstepCommand.self])
}

struct HarnessFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

func require(_ condition: Bool, _ what: @autoclosure () -> String) throws(HarnessFailure) {
    if !condition { throw HarnessFailure(what()) }
}
