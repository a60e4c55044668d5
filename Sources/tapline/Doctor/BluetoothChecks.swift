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
