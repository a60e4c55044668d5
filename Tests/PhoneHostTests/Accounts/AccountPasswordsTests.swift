import CalDAV
import TestDoubles
import Testing

@testable import PhoneHost

@Suite struct AccountPasswordsTests {
    private let file = PasswordsInMemory()
    private let keyring = PasswordsInMemory()

    private var passwords: AccountPasswords { AccountPasswords(file: file, keyring: keyring) }

    private func account(user: String? = "ann") throws -> CalendarAccount {
        CalendarAccount(
            number: 3, address: "https://example.org/", user: user, certificate: nil,
            place: .home(try WebAddress("https://example.org/")))
    }

    @Test func `A new password goes into the keyring, and nowhere else`() async throws {
        #expect(try await passwords.keep("secret", of: try account(), in: nil) == .keyring)
        #expect(keyring.passwords == [3: "secret"])
        #expect(file.passwords == [:])
        #expect(try await passwords.place(of: try account()) == .keyring)
        #expect(try await passwords.password(of: try account()) == "secret")
    }

    @Test func `Without a keyring it goes into the file`() async throws {
        keyring.become(.unreachable)
        #expect(try await passwords.keep("secret", of: try account(), in: nil) == .file)
        #expect(try await passwords.place(of: try account()) == .file)
        #expect(try await passwords.password(of: try account()) == "secret")
    }

    @Test func `A keyring that was asked for and is not there is an error`() async throws {
        keyring.become(.unreachable)
        await #expect(throws: PhoneError.account(.keyring(.unreachable(reason: "no keyring answers")))) {
            try await passwords.keep("secret", of: try account(), in: .keyring)
        }
        #expect(file.passwords == [:])
    }

    @Test func `A keyring that refuses is an error, and the file is left alone`() async throws {
        keyring.become(.refusing)
        await #expect(throws: PhoneError.account(.keyring(.refused(reason: "it does not want to")))) {
            try await passwords.keep("secret", of: try account(), in: nil)
        }
        #expect(file.passwords == [:])
        #expect(try await passwords.keep("secret", of: try account(), in: .file) == .file)
    }

    @Test func `A password that is in the file stays there and counts`() async throws {
        try file.keep("old", of: try account())
        try keyring.keep("other", of: try account())
        #expect(try await passwords.place(of: try account()) == .file)
        #expect(try await passwords.password(of: try account()) == "old")
        #expect(file.passwords == [3: "old"])
    }

    @Test func `A locked keyring and one that has gone are told`() async throws {
        _ = try await passwords.keep("secret", of: try account(), in: nil)
        keyring.become(.locked)
        #expect(try await passwords.place(of: try account()) == .lockedKeyring)
        await #expect(throws: PhoneError.account(.keyring(.locked))) { try await passwords.password(of: try account()) }
        await #expect(throws: PhoneError.account(.keyring(.locked))) { try await passwords.forget(try account()) }
        keyring.become(.unreachable)
        #expect(try await passwords.place(of: try account()) == .unreachableKeyring)
        await #expect(throws: PhoneError.account(.keyring(.unreachable(reason: "no keyring answers")))) {
            try await passwords.password(of: try account())
        }
    }

    @Test func `A password that is nowhere is told`() async throws {
        #expect(try await passwords.place(of: try account()) == .missing)
        await #expect(throws: PhoneError.account(.noPassword(address: "https://example.org/"))) {
            try await passwords.password(of: try account())
        }
    }

    @Test func `A server that asks for none is given none, and the user is not asked`() async throws {
        keyring.become(.unreachable)
        #expect(try await passwords.place(of: try account(user: nil)) == .none)
        #expect(try await passwords.password(of: try account(user: nil)) == nil)
        try await passwords.forget(try account(user: nil))
    }

    @Test(arguments: AccountPasswords.Choice.allCases)
    func `Forgetting removes it from where it is`(_ choice: AccountPasswords.Choice) async throws {
        _ = try await passwords.keep("secret", of: try account(), in: choice)
        try await passwords.forget(try account())
        #expect(file.passwords == [:])
        #expect(keyring.passwords == [:])
    }

    @Test func `An account whose keyring is locked keeps no other from its sync`() async throws {
        let phone = try await SyncedPhone(InMemoryCalendarServer())
        let home = try WebAddress("http://localhost/other/")
        let other = CalendarAccount(address: home.text, user: "bob", certificate: nil, place: .collection(home))
        let number = try await phone.store.add(other)
        try file.keep("secret", of: phone.account)
        keyring.become(.locked)
        let keeper = AccountKeeper(phone.store, passwords: passwords) { _ in phone.server }
        try await phone.add("Milk")
        let reports = try await keeper.syncOnce()
        #expect(reports.map(\.account.number) == [phone.account.number, number])
        #expect(reports.map(\.passwordError) == [nil, .account(.noPassword(address: home.text))])
        #expect(reports.first?.lists.first?.round.sent == 1)
    }
}
