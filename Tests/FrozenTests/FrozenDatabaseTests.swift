import Testing

@testable import PhoneHost

/// The phone opens the database of every earlier version with the lists, history and queues that were written down when
/// it was frozen.
@Suite(.timeLimit(.minutes(60))) struct FrozenDatabaseTests {
    static let databases = ["phone", "pairs", "links"].flatMap { FrozenFile.all(in: $0, withExtension: "sqlite") }

    @Test func `every kind of database is there`() {
        #expect(FrozenDatabaseTests.databases.count >= 8)
        #expect(FrozenDatabaseTests.databases.contains { $0.beside("sqlite-wal").exists })
    }

    @Test(arguments: databases) func `the phone has what it had`(_ file: FrozenFile) async throws {
        let written = try WrittenDown(try file.beside("expected").text())
        let phone = try await FrozenPhone(opening: file)
        try await expect(phone, written)
        let files = try phone.files()
        try await phone.stop()
        // What the opening has changed, such as a migration, is read back too.
        let again = try await FrozenPhone(files)
        try await expect(again, written)
        try await again.stop()
    }

    private func expect(_ phone: FrozenPhone, _ written: WrittenDown) async throws {
        #expect(try await phone.store.contents().name == written.single("phone list"))
        #expect(try await phone.rows() == written["phone row"])
        #expect(try await phone.history() == written["phone history"])
        #expect(try await phone.store.history().count == written.single("phone history entries").flatMap { Int($0) })
        if let watches = written.single("phone watches") {
            let records = try await phone.store.watches()
            #expect(records.count == Int(watches))
            #expect(records.map(\.waiting).reduce(0, +) == written.single("phone waiting").flatMap { Int($0) })
        }
    }
}
