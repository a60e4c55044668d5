import GRDBSQLite
import Glibc

/// Settings for a process that runs seeds on one thread and does nothing else.
package enum WorkerThread {
    /// `int sqlite3_config(int, ...)`, whose further arguments are integers of the kind that a register holds.
    private typealias Configure = @convention(c) (CInt, CInt, CInt) -> CInt

    /// Has SQLite take no locks, count no memory and give each connection more room for the parts of its statements. Call it
    /// before the first database is opened; later it does nothing.
    package static func begin() {
        guard let address = dlsym(nil, "sqlite3_config") else { return }
        // The symbol is the C function whose type Configure repeats.
        let configure = unsafeBitCast(address, to: Configure.self)
        _ = configure(SQLITE_CONFIG_SINGLETHREAD, 0, 0)
        _ = configure(SQLITE_CONFIG_MEMSTATUS, 0, 0)
        _ = configure(SQLITE_CONFIG_LOOKASIDE, 1_200, 100)
    }
}
