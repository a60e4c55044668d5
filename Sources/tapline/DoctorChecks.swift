import Foundation
import TerminalWatch

enum DoctorChecks {
    /// What a check found, and a command that repairs the problem. If the check found no problem, `remedy` is nil.
    typealias Outcome = (detail: String, remedy: String?)

    static let all: [(subject: String, purpose: Finding.Purpose, check: @Sendable (any Machine) -> Outcome)] = [
        ("sockets directory", .simulator, sockets), ("data directory", .simulator, data),
        ("SQLite", .simulator, sqlite), ("libtickit", .simulator, tickit), ("terminal", .display, terminal),
        ("view", .display, view), ("UTF-8 locale", .display, locale), ("mouse", .display, mouse),
        ("Bluetooth adapter", .bluetooth, adapter), ("Bluetooth radio", .bluetooth, radioSwitch),
        ("system bus", .bluetooth, systemBus), ("bluetoothd", .bluetooth, bluetoothService),
        ("Bluetooth access", .bluetooth, bluetoothPermission),
    ]

    static func sockets(on machine: any Machine) -> Outcome {
        let path = machine.places.sockets
        switch machine.directory(path) {
        case .writable(owner: machine.user, mode: 0o700): return (path, nil)
        case .writable(owner: machine.user, let mode):
            let detail = "\(path) has the mode \(String(mode, radix: 8)), so other users could listen there"
            return (detail, "chmod 700 \(path)")
        case .writable(let owner, _), .readOnly(let owner):
            return ("\(path) belongs to user \(owner)", "sudo rm -r \(path)")
        case .notDirectory: return notDirectory(path)
        case .absent(let nearest, let isWritable):
            return absent(path, in: nearest, isWritable, variable: "XDG_RUNTIME_DIR")
        }
    }

    /// Checks the directory that has the phone's database and the watch's flash file.
    static func data(on machine: any Machine) -> Outcome {
        let path = machine.places.data
        switch machine.directory(path) {
        case .writable: return (path, nil)
        case .readOnly(let owner):
            let detail = "\(path) belongs to user \(owner), and is not writable"
            return (detail, "sudo chown -R \(machine.user) \(path)")
        case .notDirectory: return notDirectory(path)
        case .absent(let nearest, let isWritable):
            return absent(path, in: nearest, isWritable, variable: "XDG_DATA_HOME")
        }
    }

    private static func notDirectory(_ path: String) -> Outcome { ("\(path) is not a directory", "rm \(path)") }

    private static func absent(
        _ path: String, in nearest: String, _ isWritable: Bool, variable: String
    ) -> Outcome {
        isWritable
            ? ("\(path), created when needed", nil)
            : ("\(path) cannot be created in \(nearest)", "export \(variable)=$(mktemp -d)")
    }

    static func sqlite(on machine: any Machine) -> Outcome {
        machine.sqliteVersion.map { ($0, nil) } ?? ("not loaded", "sudo apt-get install libsqlite3-0")
    }

    /// Checks that libtickit is loaded. This library draws the watch in a terminal.
    static func tickit(on machine: any Machine) -> Outcome {
        // A line of this process's memory map ends with the path of a loaded library.
        let lines = (machine.text(of: "/proc/self/maps") ?? "").split(separator: "\n")
        guard let line = lines.first(where: { $0.contains("/libtickit.so") }), let start = line.firstIndex(of: "/")
        else { return ("not loaded", "sudo apt-get install libtickit3") }
        return (String(line[start...]), nil)
    }

    static func terminal(on machine: any Machine) -> Outcome {
        guard machine.terminal != nil else {
            return (
                "standard output is not a terminal: the watch prints plain text",
                "tapline watch  # in a terminal, without a pipe"
            )
        }
        let lack: String
        let name = machine.variable("TERM")
        switch (name, TerminalAbilities(type: name)) {
        case (let name?, .drawing), (let name?, .console): return (name, nil)
        case (nil, _): lack = "TERM is not set"
        case (let name?, .lacking(let what)): lack = "TERM is \(name), which has no \(what)"
        }
        return ("\(lack): the watch prints plain text", "export TERM=xterm-256color")
    }

    /// Reports how `tapline watch` would show the panel in this terminal, and why.
    static func view(on machine: any Machine) -> Outcome {
        guard let size = machine.terminal else {
            return ("plain: no terminal", "tapline watch  # in a terminal")
        }
        let (graphics, reason) = machine.graphics
        let forecast = ViewForecast(
            type: machine.variable("TERM"), columns: size.columns, rows: size.rows, graphics: graphics, because: reason)
        let detail = "\(forecast.name) in \(size.columns) x \(size.rows): \(forecast.why)"
        return (detail, forecast.name == DisplayMode.plainName ? "export TERM=xterm-256color" : nil)
    }

    /// Checks that the locale's encoding is UTF-8. Other encodings lack braille characters, with which the watch can be
    /// drawn.
    static func locale(on machine: any Machine) -> Outcome {
        let name = machine.localeName
        return machine.hasUnicode ? (name, nil) : ("the locale is \(name)", "export LC_ALL=C.UTF-8")
    }

    /// Checks whether the terminal reports mouse clicks, which become touches.
    static func mouse(on machine: any Machine) -> Outcome {
        guard machine.terminal != nil else { return ("no terminal", "tapline watch  # in a terminal") }
        let name = machine.variable("TERM")
        return switch TerminalAbilities(type: name) {
        case .drawing: ("\(name ?? "it") is asked to report clicks", nil)
        case .console, .lacking:
            ("\(name ?? "no TERM") reports no clicks: use the digit keys", "xterm -e tapline watch")
        }
    }

    static func adapter(on machine: any Machine) -> Outcome {
        // The directory also lists connections, like hci0:64.
        let adapters = machine.names(in: "/sys/class/bluetooth").filter { $0.hasPrefix("hci") && !$0.contains(":") }
        return adapters.isEmpty
            ? ("none: plug one in", "sudo modprobe btusb  # when it is plugged in")
            : (adapters.joined(separator: ", "), nil)
    }

    static func radioSwitch(on machine: any Machine) -> Outcome {
        let switches = machine.names(in: "/sys/class/rfkill").map { "/sys/class/rfkill/\($0)" }
            .filter { machine.text(of: "\($0)/type") == "bluetooth" }
        for path in switches {
            if machine.text(of: "\(path)/hard") == "1" {
                return ("off by the switch on the machine's case", "rfkill list bluetooth")
            }
            if machine.text(of: "\(path)/soft") == "1" { return ("blocked", "sudo rfkill unblock bluetooth") }
        }
        return (switches.isEmpty ? "no switch" : "on", nil)
    }

    static func systemBus(on machine: any Machine) -> Outcome {
        let places = ["/run/dbus", "/var/run/dbus"]
        let place = places.first { machine.names(in: $0).contains("system_bus_socket") }
        return place.map { ("\($0)/system_bus_socket", nil) } ?? ("none", "sudo systemctl start dbus")
    }

    static func bluetoothService(on machine: any Machine) -> Outcome {
        let processes = machine.names(in: "/proc").filter { $0.allSatisfy(\.isNumber) }
        if let process = processes.first(where: { machine.text(of: "/proc/\($0)/comm") == "bluetoothd" }) {
            return ("process \(process)", nil)
        }
        let places = ["/usr/libexec/bluetooth", "/usr/lib/bluetooth"]
        return places.contains { machine.names(in: $0).contains("bluetoothd") }
            ? ("not running", "sudo systemctl start bluetooth") : ("not installed", "sudo apt-get install bluez")
    }

    /// Checks whether this user may call BlueZ's daemon. BlueZ's policy for the system bus allows either all users or only
    /// the group `bluetooth`.
    static func bluetoothPermission(on machine: any Machine) -> Outcome {
        let policies = ["/etc/dbus-1/system.d/bluetooth.conf", "/usr/share/dbus-1/system.d/bluetooth.conf"]
        guard let policy = policies.lazy.compactMap({ machine.text(of: $0) }).first else {
            return ("no policy forbids it", nil)
        }
        if machine.user == 0 { return ("root", nil) }
        if allowsEverybody(policy) { return ("all users", nil) }
        if isInGroup(machine) { return ("in the group bluetooth", nil) }
        return ("not in the group bluetooth", "sudo usermod -aG bluetooth $USER  # then log in again")
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
