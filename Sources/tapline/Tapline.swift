import ArgumentParser

/// The command: a watch, its phone, and what joins them.
@main
struct Tapline: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tapline",
        abstract: "A watch, its phone and the link between them.",
        subcommands: [
            WatchCommand.self,
            PhoneCommand.self, PairCommand.self, UnpairCommand.self, LabCommand.self, DoctorCommand.self,
        ])
}
