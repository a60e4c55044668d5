import Foundation

/// Whether the machine has a Bluetooth adapter.
struct AdapterCheck: Check {
    func finding(on machine: some Machine) -> Finding {
        // Beside the adapters stand their connections: hci0:64.
        let adapters = machine.names(in: "/sys/class/bluetooth").filter { $0.hasPrefix("hci") && !$0.contains(":") }
        if adapters.isEmpty {
            return .lacking(
                "Bluetooth adapter", for: .bluetooth, "none: plug one in",
                remedy: "sudo modprobe btusb  # when it is plugged in")
        }
        return .present("Bluetooth adapter", for: .bluetooth, adapters.joined(separator: ", "))
    }
}

/// Whether the radio is switched off.
struct RadioSwitchCheck: Check {
    func finding(on machine: some Machine) -> Finding {
        let subject = "Bluetooth radio"
        let switches = machine.names(in: "/sys/class/rfkill").map { "/sys/class/rfkill/\($0)" }
            .filter { machine.text(of: "\($0)/type") == "bluetooth" }
        for path in switches {
            if machine.text(of: "\(path)/hard") == "1" {
                return .lacking(
                    subject, for: .bluetooth, "off by the switch on the machine's case", remedy: "rfkill list bluetooth"
                )
            }
            if machine.text(of: "\(path)/soft") == "1" {
                return .lacking(subject, for: .bluetooth, "blocked", remedy: "sudo rfkill unblock bluetooth")
            }
        }
        return .present(subject, for: .bluetooth, switches.isEmpty ? "no switch" : "on")
    }
}

/// Whether there is a system bus, over which BlueZ is controlled.
struct SystemBusCheck: Check {
    func finding(on machine: some Machine) -> Finding {
        let places = ["/run/dbus", "/var/run/dbus"]
        if let place = places.first(where: { machine.names(in: $0).contains("system_bus_socket") }) {
            return .present("system bus", for: .bluetooth, "\(place)/system_bus_socket")
        }
        return .lacking("system bus", for: .bluetooth, "none", remedy: "sudo systemctl start dbus")
    }
}

/// Whether BlueZ's daemon runs.
struct BluetoothServiceCheck: Check {
    func finding(on machine: some Machine) -> Finding {
        let processes = machine.names(in: "/proc").filter { $0.allSatisfy(\.isNumber) }
        if let process = processes.first(where: { machine.text(of: "/proc/\($0)/comm") == "bluetoothd" }) {
            return .present("bluetoothd", for: .bluetooth, "process \(process)")
        }
        let places = ["/usr/libexec/bluetooth", "/usr/lib/bluetooth"]
        if places.contains(where: { machine.names(in: $0).contains("bluetoothd") }) {
            return .lacking("bluetoothd", for: .bluetooth, "not running", remedy: "sudo systemctl start bluetooth")
        }
        return .lacking("bluetoothd", for: .bluetooth, "not installed", remedy: "sudo apt-get install bluez")
    }
}

/// Whether this user may talk to BlueZ's daemon: as its policy on the system bus has it, everybody or a group.
struct BluetoothPermissionCheck: Check {
    func finding(on machine: some Machine) -> Finding {
        let subject = "Bluetooth access"
        let policies = ["/etc/dbus-1/system.d/bluetooth.conf", "/usr/share/dbus-1/system.d/bluetooth.conf"]
        guard let policy = policies.lazy.compactMap({ machine.text(of: $0) }).first else {
            return .present(subject, for: .bluetooth, "no policy forbids it")
        }
        if machine.user == 0 { return .present(subject, for: .bluetooth, "root") }
        if Self.allowsEverybody(policy) { return .present(subject, for: .bluetooth, "everybody") }
        if Self.isInGroup(machine) { return .present(subject, for: .bluetooth, "in the group bluetooth") }
        return .lacking(
            subject, for: .bluetooth, "not in the group bluetooth",
            remedy: "sudo usermod -aG bluetooth $USER  # then log in again")
    }

    private static func allowsEverybody(_ policy: String) -> Bool {
        let parts = policy.components(separatedBy: "<policy context=\"default\">").dropFirst()
        return parts.contains { part in
            part.components(separatedBy: "</policy>")[0].contains("<allow send_destination=\"org.bluez\"")
        }
    }

    private static func isInGroup(_ machine: some Machine) -> Bool {
        let line = machine.text(of: "/etc/group")?.split(separator: "\n").first { $0.hasPrefix("bluetooth:") }
        guard let number = line?.split(separator: ":", omittingEmptySubsequences: false).dropFirst(2).first else {
            return false
        }
        let groups = machine.text(of: "/proc/self/status")?.split(separator: "\n").first { $0.hasPrefix("Groups:") }
        return groups?.split(whereSeparator: \.isWhitespace).contains(number) == true
    }
}
