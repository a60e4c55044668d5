import CommandSupport
import TerminalWatch

@testable import tapline

/// A machine that is what a test says it is.
struct MadeUpMachine: Machine {
    var variables: [String: String] = [:]
    var terminal: TerminalSize?
    var graphics: (TerminalGraphics, because: String) = (.none, "the terminal draws no pictures")
    var user: UInt32 = 1000
    var directories: [String: [String]] = [:]
    var files: [String: String] = [:]
    var commands: [String: String] = [:]
    var access: [String: DirectoryAccess] = [:]
    var sqliteVersion: String?

    func variable(_ name: String) -> String? { variables[name] }
    func names(in directory: String) -> [String] { directories[directory] ?? [] }
    func text(of file: String) -> String? { files[file] }
    func command(_ name: String) -> String? { commands[name] }
    func directory(_ path: String) -> DirectoryAccess { access[path] ?? .absent(nearest: "/", .readOnly) }

    /// A machine that has everything.
    static let complete = MadeUpMachine(
        variables: [
            "TERM": "xterm-256color", "LANG": "en_GB.UTF-8", "HOME": "/home/ann", "XDG_RUNTIME_DIR": "/run/user/1000",
        ],
        terminal: TerminalSize(columns: 120, rows: 50),
        directories: [
            "/run/dbus": ["system_bus_socket"],
            "/sys/class/bluetooth": ["hci0", "hci0:64"], "/sys/class/rfkill": ["rfkill0", "rfkill1"],
            "/proc": ["1", "77", "self"],
        ],
        files: [
            "/proc/1/comm": "init", "/proc/77/comm": "bluetoothd",
            "/sys/class/rfkill/rfkill0/type": "wlan", "/sys/class/rfkill/rfkill0/soft": "1",
            "/sys/class/rfkill/rfkill1/type": "bluetooth", "/sys/class/rfkill/rfkill1/soft": "0",
            "/sys/class/rfkill/rfkill1/hard": "0",
            "/proc/self/maps": "7f00-7f01 r-xp 0000 fe:01 12    /usr/lib/libtickit.so.3.0.0\n",
        ],
        commands: [
            "qemu-system-arm": "/usr/bin/qemu-system-arm", "qemu-system-x86_64": "/usr/bin/qemu-system-x86_64",
        ],
        access: [
            "/run/user/1000/tapline": .writable(owner: 1000, mode: 0o700),
            "/home/ann/.local/share/tapline": .writable(owner: 1000, mode: 0o755),
        ],
        sqliteVersion: "3.40.1")
}

extension Finding {
    /// The command that mends it, or nil where nothing lacks.
    var remedy: String? {
        switch outcome {
        case .present: nil
        case .lacking(_, let remedy): remedy
        }
    }

    /// What was found, in words.
    var detail: String {
        switch outcome {
        case .present(let detail): detail
        case .lacking(let detail, _): detail
        }
    }
}
