import Foundation
import TerminalWatch

enum DoctorChecks {
    /// All checks, in the order of the report.
    static let all: [@Sendable (any Machine) -> Finding] = [
        sockets, data, sqlite, tickit, terminal, view, locale, mouse, adapter, radioSwitch, systemBus, bluetoothService,
        bluetoothPermission,
    ]

    /// Checks the directory of the sockets that connect watch and phone.
    static func sockets(on machine: any Machine) -> Finding {
        let path = machine.places.sockets
        let subject = "sockets directory"
        switch machine.directory(path) {
        case .writable(owner: machine.user, mode: 0o700):
            return Finding(subject, for: .simulator, path)
        case .writable(owner: machine.user, let mode):
            let detail = "\(path) has the mode \(String(mode, radix: 8)), so other users could listen there"
            return Finding(subject, for: .simulator, detail, remedy: "chmod 700 \(path)")
        case .writable(let owner, _), .readOnly(let owner):
            let detail = "\(path) belongs to user \(owner)"
            return Finding(subject, for: .simulator, detail, remedy: "sudo rm -r \(path)")
        case .notDirectory:
            return Finding(subject, for: .simulator, "\(path) is not a directory", remedy: "rm \(path)")
        case .absent(_, isWritable: true):
            return Finding(subject, for: .simulator, "\(path), created when needed")
        case .absent(let nearest, isWritable: false):
            let detail = "\(path) cannot be created in \(nearest)"
            return Finding(subject, for: .simulator, detail, remedy: "export XDG_RUNTIME_DIR=$(mktemp -d)")
        }
    }

    /// Checks the directory of the phone's database and the watch's flash.
    static func data(on machine: any Machine) -> Finding {
        let path = machine.places.data
        let subject = "data directory"
        switch machine.directory(path) {
        case .writable:
            return Finding(subject, for: .simulator, path)
        case .readOnly(let owner):
            let detail = "\(path) belongs to user \(owner), and is not writable"
            return Finding(subject, for: .simulator, detail, remedy: "sudo chown -R \(machine.user) \(path)")
        case .notDirectory:
            return Finding(subject, for: .simulator, "\(path) is not a directory", remedy: "rm \(path)")
        case .absent(_, isWritable: true):
            return Finding(subject, for: .simulator, "\(path), created when needed")
        case .absent(let nearest, isWritable: false):
            let detail = "\(path) cannot be created in \(nearest)"
            return Finding(subject, for: .simulator, detail, remedy: "export XDG_DATA_HOME=$(mktemp -d)")
        }
    }

    /// Checks the library that reads the phone's database.
    static func sqlite(on machine: any Machine) -> Finding {
        guard let version = machine.sqliteVersion else {
            return Finding("SQLite", for: .simulator, "not loaded", remedy: "sudo apt-get install libsqlite3-0")
        }
        return Finding("SQLite", for: .simulator, version)
    }

    /// Checks the library that draws the watch in a terminal.
    static func tickit(on machine: any Machine) -> Finding {
        // A line of this process's memory map ends with the file of a loaded library.
        let lines = (machine.text(of: "/proc/self/maps") ?? "").split(separator: "\n")
        guard let line = lines.first(where: { $0.contains("/libtickit.so") }), let start = line.firstIndex(of: "/")
        else {
            return Finding("libtickit", for: .simulator, "not loaded", remedy: "sudo apt-get install libtickit3")
        }
        return Finding("libtickit", for: .simulator, String(line[start...]))
    }

    /// Checks whether standard output is a terminal in which the watch can be drawn.
    static func terminal(on machine: any Machine) -> Finding {
        guard machine.terminal != nil else {
            return Finding(
                "terminal", for: .display, "standard output is not a terminal: the watch prints plain text",
                remedy: "tapline watch  # in a terminal, without a pipe")
        }
        guard let name = machine.variable("TERM") else { return withoutDrawing("TERM is not set") }
        switch TerminalAbilities(type: name) {
        case .drawing, .console: return Finding("terminal", for: .display, name)
        case .lacking(let what): return withoutDrawing("TERM is \(name), which has no \(what)")
        }
    }

    private static func withoutDrawing(_ detail: String) -> Finding {
        Finding(
            "terminal", for: .display, "\(detail): the watch prints plain text", remedy: "export TERM=xterm-256color")
    }

    /// Tells which view of the panel the watch would choose, and why.
    static func view(on machine: any Machine) -> Finding {
        let subject = "view"
        guard let size = machine.terminal else {
            return Finding(subject, for: .display, "plain: no terminal", remedy: "tapline watch  # in a terminal")
        }
        let (graphics, reason) = machine.graphics
        let forecast = ViewForecast(
            type: machine.variable("TERM"), columns: size.columns, rows: size.rows, graphics: graphics, because: reason)
        let detail = "\(forecast.name) in \(size.columns) x \(size.rows): \(forecast.why)"
        if forecast.name == DisplayMode.plainName {
            return Finding(subject, for: .display, detail, remedy: "export TERM=xterm-256color")
        }
        return Finding(subject, for: .display, detail)
    }

    /// Checks whether the locale has braille characters.
    static func locale(on machine: any Machine) -> Finding {
        let name = machine.localeName
        if machine.hasUnicode { return Finding("UTF-8 locale", for: .display, name) }
        return Finding("UTF-8 locale", for: .display, "the locale is \(name)", remedy: "export LC_ALL=C.UTF-8")
    }

    /// Checks whether the terminal reports mouse clicks, which become touches.
    static func mouse(on machine: any Machine) -> Finding {
        let subject = "mouse"
        guard machine.terminal != nil else {
            return Finding(subject, for: .display, "no terminal", remedy: "tapline watch  # in a terminal")
        }
        let name = machine.variable("TERM")
        switch TerminalAbilities(type: name) {
        case .drawing: return Finding(subject, for: .display, "\(name ?? "it") is asked to report clicks")
        case .console, .lacking:
            return Finding(
                subject, for: .display, "\(name ?? "no TERM") reports no clicks: use the digit keys",
                remedy: "xterm -e tapline watch")
        }
    }

    static func adapter(on machine: any Machine) -> Finding {
        // The directory also lists connections, like hci0:64.
        let adapters = machine.names(in: "/sys/class/bluetooth").filter { $0.hasPrefix("hci") && !$0.contains(":") }
        if adapters.isEmpty {
            return Finding(
                "Bluetooth adapter", for: .bluetooth, "none: plug one in",
                remedy: "sudo modprobe btusb  # when it is plugged in")
        }
        return Finding("Bluetooth adapter", for: .bluetooth, adapters.joined(separator: ", "))
    }

    static func radioSwitch(on machine: any Machine) -> Finding {
        let subject = "Bluetooth radio"
        let switches = machine.names(in: "/sys/class/rfkill").map { "/sys/class/rfkill/\($0)" }
            .filter { machine.text(of: "\($0)/type") == "bluetooth" }
        for path in switches {
            if machine.text(of: "\(path)/hard") == "1" {
                return Finding(
                    subject, for: .bluetooth, "off by the switch on the machine's case", remedy: "rfkill list bluetooth"
                )
            }
            if machine.text(of: "\(path)/soft") == "1" {
                return Finding(subject, for: .bluetooth, "blocked", remedy: "sudo rfkill unblock bluetooth")
            }
        }
        return Finding(subject, for: .bluetooth, switches.isEmpty ? "no switch" : "on")
    }

    /// Checks for a system bus, which BlueZ needs.
    static func systemBus(on machine: any Machine) -> Finding {
        let places = ["/run/dbus", "/var/run/dbus"]
        if let place = places.first(where: { machine.names(in: $0).contains("system_bus_socket") }) {
            return Finding("system bus", for: .bluetooth, "\(place)/system_bus_socket")
        }
        return Finding("system bus", for: .bluetooth, "none", remedy: "sudo systemctl start dbus")
    }

    static func bluetoothService(on machine: any Machine) -> Finding {
        let processes = machine.names(in: "/proc").filter { $0.allSatisfy(\.isNumber) }
        if let process = processes.first(where: { machine.text(of: "/proc/\($0)/comm") == "bluetoothd" }) {
            return Finding("bluetoothd", for: .bluetooth, "process \(process)")
        }
        let places = ["/usr/libexec/bluetooth", "/usr/lib/bluetooth"]
        if places.contains(where: { machine.names(in: $0).contains("bluetoothd") }) {
            return Finding("bluetoothd", for: .bluetooth, "not running", remedy: "sudo systemctl start bluetooth")
        }
        return Finding("bluetoothd", for: .bluetooth, "not installed", remedy: "sudo apt-get install bluez")
    }

    /// Checks whether this user may call BlueZ's daemon. BlueZ's policy for the system bus allows all users, or only a group.
    static func bluetoothPermission(on machine: any Machine) -> Finding {
        let subject = "Bluetooth access"
        let policies = ["/etc/dbus-1/system.d/bluetooth.conf", "/usr/share/dbus-1/system.d/bluetooth.conf"]
        guard let policy = policies.lazy.compactMap({ machine.text(of: $0) }).first else {
            return Finding(subject, for: .bluetooth, "no policy forbids it")
        }
        if machine.user == 0 { return Finding(subject, for: .bluetooth, "root") }
        if allowsEverybody(policy) { return Finding(subject, for: .bluetooth, "all users") }
        if isInGroup(machine) { return Finding(subject, for: .bluetooth, "in the group bluetooth") }
        return Finding(
            subject, for: .bluetooth, "not in the group bluetooth",
            remedy: "sudo usermod -aG bluetooth $USER  # then log in again")
    }

    private static func allowsEverybody(_ policy: String) -> Bool {
        let parts = policy.components(separatedBy: "<policy context=\"default\">").dropFirst()
        return parts.contains { part in
            part.components(separatedBy: "</policy>")[0].contains("<allow send_destination=\"org.bluez\"")
        }
    }

    private static func isInGroup(_ machine: any Machine) -> Bool {
        let line = machine.text(of: "/etc/group")?.split(separator: "\n").first { $0.hasPrefix("bluetooth:") }
        guard let number = line?.split(separator: ":", omittingEmptySubsequences: false).dropFirst(2).first else {
            return false
        }
        let groups = machine.text(of: "/proc/self/status")?.split(separator: "\n").first { $0.hasPrefix("Groups:") }
        return groups?.split(whereSeparator: \.isWhitespace).contains(number) == true
    }
}

extension Machine {
    /// The locale that decides about characters: the first of three variables that is set, in POSIX's order.
    var localeName: String { variable("LC_ALL") ?? variable("LC_CTYPE") ?? variable("LANG") ?? "C" }

    /// Whether that locale uses UTF-8.
    var hasUnicode: Bool {
        let name = localeName.lowercased()
        return name.hasSuffix("utf-8") || name.hasSuffix("utf8")
    }
}
