import ArgumentParser

/// `tapline phone`: everything about the phone's side.
struct PhoneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phone",
        abstract: "Serve watches and manage their lists.",
        discussion: """
            Every command works while a host serves and while none does. A change reaches the connected watches at \
            once.

            EXAMPLES
              tapline phone add Milk "Rye bread" Eggs
              tapline phone list
              tapline phone check milk
              tapline phone serve
            """,
        subcommands: [
            ServeCommand.self, AddCommand.self, ListCommand.self, CheckCommand.self, UncheckCommand.self,
            RenameCommand.self, DescribeCommand.self, RemoveCommand.self, ImportCommand.self, ExportCommand.self,
            BackupCommand.self, HistoryCommand.self,
            ListsCommand.self, OrderCommand.self, StoresCommand.self, StoreCommand.self,
            AccountCommand.self, SyncCommand.self,
            ComplicationCommand.self, WatchesCommand.self, ForgetCommand.self,
        ])
}
