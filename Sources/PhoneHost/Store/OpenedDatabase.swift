import Foundation

/// The files that a database was when it was opened, with the log and the index that SQLite keeps beside it. SQLite goes on
/// with files that were removed or moved, and what is stored there nobody finds.
struct OpenedDatabase: Sendable {
    private struct File: Equatable, Sendable {
        let path: String
        let device: dev_t
        let number: ino_t

        /// Nil where there is none.
        init?(path: String) {
            var information = stat()
            guard stat(path, &information) == 0 else { return nil }
            self.path = path
            device = information.st_dev
            number = information.st_ino
        }
    }

    private let files: [File]

    /// - Throws: `.databaseMoved` where there is none.
    init(path: String) throws(PhoneError) {
        guard let file = File(path: path) else { throw .databaseMoved(path: path) }
        // While a program has the database open, SQLite keeps both.
        files = [file] + DatabaseFile(path: path).companions.compactMap { File(path: $0) }
    }

    /// - Throws: `.databaseMoved` where the path of one leads to no file, or to another.
    func checkPlace() throws(PhoneError) {
        for file in files where File(path: file.path) != file { throw .databaseMoved(path: file.path) }
    }
}
