import GRDBSQLite

extension Phone {
    /// Changes the database past the phone's program, which does not run.
    func write(_ sql: String, on disk: VirtualDisk) {
        let before = disk.process
        disk.process = DiskProcess()
        defer { disk.process = before }
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &database, flags, nil) == SQLITE_OK,
            sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK
        else { preconditionFailure("the database cannot be changed: \(String(cString: sqlite3_errmsg(database)))") }
    }
}
