import Foundation
import GRDB
import Testing

@testable import PhoneHost

/// A damaged log is told from one that ends where a host was killed.
@Suite struct WriteAheadLogTests {
    private let directory: TemporaryDirectory
    private let path: String

    private static let headerLength = 32
    private static let frameLength = 24 + 4_096

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("phone.sqlite")
    }

    @Test func `the log of a host that serves is whole, and so is none`() async throws {
        let store = try PhoneStore(path: path)
        #expect(WriteAheadLog.extent(of: Data()) == .whole)
        for number in 0..<30 {
            try await store.add(try drafts("Item \(number)"))
            #expect(WriteAheadLog.extent(of: try log(path)) == .whole)
        }
        #expect(try DatabaseCheck(path: path).log == .whole)
        try store.close()
        #expect(try DatabaseCheck(path: path).log == .whole)
    }

    @Test func `a frame that is damaged costs its transaction and those behind it, which are counted`() async throws {
        let whole = try await logOfTransactions(6)
        let commits = (0..<frames(whole)).filter { committedSize(whole, $0) != 0 }
        #expect(commits.count == 6)
        for frame in 0..<frames(whole) {
            // In the page, in the checksum and in the salts.
            for place in [24, 3_000, 17, 9] {
                let damaged = flipping(whole, at: offset(frame) + place)
                // The salts say which log a frame belongs to.
                let known = commits.filter { $0 > frame || ($0 == frame && place != 9) }
                let expected: DatabaseCheck.Log =
                    known.isEmpty || frame == commits.last ? .whole : .cut(transactions: known.count)
                #expect(WriteAheadLog.extent(of: damaged) == expected, "frame \(frame), byte \(place)")
            }
        }
    }

    @Test func `a header that is damaged costs all`() async throws {
        let whole = try await logOfTransactions(2)
        for place in 0..<WriteAheadLogTests.headerLength {
            #expect(WriteAheadLog.extent(of: flipping(whole, at: place)) == .unread, "byte \(place)")
            #expect(WriteAheadLog.extent(of: flipping(whole, at: place).prefix(32)) == .whole, "nothing is in it")
        }
    }

    @Test func `a log that was cut off anywhere is that of a host that was killed`() async throws {
        let whole = try await logOfTransactions(4)
        for length in stride(from: 0, to: whole.count, by: 103) {
            #expect(WriteAheadLog.extent(of: whole.prefix(length)) == .whole, "\(length) bytes")
        }
    }

    @Test func `a log that was begun anew over a longer one is whole`() async throws {
        let store = try PhoneStore(path: path)
        for number in 0..<10 { try await store.add(try drafts("Item \(number)")) }
        let before = try log(path)
        let other = try DatabaseQueue(path: path)
        _ = try other.writeWithoutTransaction { db in try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(RESTART)") }
        try other.close()
        try await store.add(try drafts("Milk"))
        let log = try log(path)
        #expect(log.count == before.count && log != before, "it is written over the older one")
        #expect(WriteAheadLog.extent(of: log) == .whole)
        try store.close()
    }

    @Test func `a transaction in which its host was killed is no damage, nor is the one after it`() async throws {
        let store = try PhoneStore(path: path)
        try await store.add(try drafts("Milk"))
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let large = try DatabaseQueue(path: path, configuration: configuration)
        try await large.writeWithoutTransaction { db in
            // What has no room in the memory is written before the transaction ends.
            try db.execute(sql: "PRAGMA cache_size = 1; BEGIN; CREATE TABLE filler (text TEXT)")
            for _ in 0..<50 { try db.execute(sql: "INSERT INTO filler VALUES (hex(zeroblob(3000)))") }
        }
        let killed = try kill()
        try await large.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try large.close()
        try store.close()
        let length = try log(killed).count
        #expect(WriteAheadLog.extent(of: try log(killed)) == .whole)
        let next = try PhoneStore(path: killed)
        try await next.add(try drafts("Eggs"))
        #expect(try log(killed).count == length, "the next transaction is written over the one that was cut off")
        #expect(WriteAheadLog.extent(of: try log(killed)) == .whole)
        try next.close()
    }

    @Test func `what a shorter transaction has left of one that failed at its end is no damage`() async throws {
        let store = try PhoneStore(path: path)
        try await store.add(try drafts("Milk"))
        let killed = try kill()
        try await store.add(try (0..<300).flatMap { try drafts("Item \($0)") })
        let failed = try log(path)
        try store.close()
        let next = try PhoneStore(path: killed)
        try await next.add(try drafts("Eggs"))
        let log = try log(killed)
        try next.close()
        #expect(log.count < failed.count && log.prefix(32) == failed.prefix(32))
        #expect(WriteAheadLog.extent(of: log + failed.dropFirst(log.count)) == .whole)
    }

    @Test func `the examination tells what the log has lost`() async throws {
        let store = try PhoneStore(path: path)
        for title in ["Milk", "Eggs", "Bread"] { try await store.add(try drafts(title)) }
        let killed = try kill()
        try store.close()
        let log = try log(killed)
        let first = try #require((0..<frames(log)).first { committedSize(log, $0) != 0 })
        try flipping(log, at: offset(first + 1) + 100).write(to: URL(filePath: killed + "-wal"))
        let check = try DatabaseCheck(path: killed)
        #expect(check.isDamaged && check.log == .cut(transactions: 2))
        #expect(check.lists.map(\.open) == [1], "SQLite reads as far")
    }
}

extension WriteAheadLogTests {
    /// The log of a host that has done so much since the database was made.
    private func logOfTransactions(_ count: Int) async throws -> Data {
        let store = try PhoneStore(path: path)
        for number in 0..<count { try await store.add(try drafts("Item \(number)")) }
        let log = try log(path)
        try store.close()
        return log
    }

    /// The files of a host that was killed now: the path of the database.
    private func kill() throws -> String {
        let killed = directory.file("killed.sqlite")
        for end in ["", "-wal"] { try copy(path + end, to: killed + end) }
        return killed
    }

    private func log(_ database: String) throws -> Data {
        let copy = directory.file("log")
        try self.copy(database + "-wal", to: copy)
        return try Data(contentsOf: URL(filePath: copy))
    }

    /// Copies as another program: this one would lose its locks on a file that it opens and closes.
    private func copy(_ file: String, to copy: String) throws {
        let process = try Process.run(URL(filePath: "/bin/cp"), arguments: [file, copy])
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    private func frames(_ log: Data) -> Int {
        (log.count - WriteAheadLogTests.headerLength) / WriteAheadLogTests.frameLength
    }

    private func offset(_ frame: Int) -> Int {
        WriteAheadLogTests.headerLength + frame * WriteAheadLogTests.frameLength
    }

    /// The pages of the database after a frame that ends a transaction; 0 in another.
    private func committedSize(_ log: Data, _ frame: Int) -> UInt32 {
        log[offset(frame) + 4..<offset(frame) + 8].reduce(0) { $0 << 8 | UInt32($1) }
    }

    private func flipping(_ log: Data, at place: Int) -> Data {
        var bytes = log
        bytes[place] ^= 0x10
        return bytes
    }
}
