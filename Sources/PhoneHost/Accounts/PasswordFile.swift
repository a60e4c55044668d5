import Foundation
import SystemPackage

/// Passwords in a file beside the database. Only the file's owner can read it (mode 0600).
package struct PasswordFile: PasswordKeeping {
    package let path: String

    package init(besideDatabase database: String) {
        path = "\(database)-passwords"
    }

    package func entry(of account: Int64) throws(PhoneError) -> PasswordEntry {
        try password(of: account) == nil ? .absent : .readable
    }

    package func password(of account: Int64) throws(PhoneError) -> String? {
        try all()["\(account)"]
    }

    package func keep(_ password: String, of account: CalendarAccount) throws(PhoneError) {
        try set(password, of: account.number)
    }

    package func forget(_ account: Int64) throws(PhoneError) {
        try set(nil, of: account)
    }

    private func set(_ password: String?, of account: Int64) throws(PhoneError) {
        var passwords = try all()
        guard passwords["\(account)"] != password else { return }
        passwords["\(account)"] = password
        do {
            let data = try JSONEncoder().encode(passwords)
            // Writes a new file and renames it, so a crash leaves the old or the new passwords.
            let new = FilePath("\(path).new")
            let file = try FileDescriptor.open(
                new, .writeOnly, options: [.create, .truncate, .closeOnExec, .noFollow], permissions: .ownerReadWrite)
            try file.closeAfter {
                guard fchmod(file.rawValue, 0o600) == 0 else { throw Errno(rawValue: errno) }
                try file.writeAll(data)
                guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
            }
            guard rename(new.string, path) == 0 else { throw Errno(rawValue: errno) }
        } catch {
            throw .file(path: path, reason: String(describingErrno: error))
        }
    }

    private func all() throws(PhoneError) -> [String: String] {
        guard access(path, F_OK) == 0 else { return [:] }
        do {
            return try JSONDecoder().decode([String: String].self, from: Data(contentsOf: URL(filePath: path)))
        } catch {
            throw .file(path: path, reason: "the passwords cannot be read, remove the file and add the accounts again")
        }
    }
}
