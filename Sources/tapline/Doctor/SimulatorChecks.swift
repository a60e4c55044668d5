/// The directory of the sockets over which watch and phone meet.
struct SocketsCheck: Check {
    func finding(on machine: some Machine) -> Finding {
        let path = machine.places.sockets
        let subject = "sockets directory"
        switch machine.directory(path) {
        case .writable(owner: machine.user, mode: 0o700):
            return .present(subject, for: .simulator, path)
        case .writable(owner: machine.user, let mode):
            let detail = "\(path) has the mode \(String(mode, radix: 8)), others could listen there"
            return .lacking(subject, for: .simulator, detail, remedy: "chmod 700 \(path)")
        case .writable(let owner, _), .readOnly(let owner):
            let detail = "\(path) belongs to user \(owner)"
            return .lacking(subject, for: .simulator, detail, remedy: "sudo rm -r \(path)")
        case .notDirectory:
            return .lacking(subject, for: .simulator, "\(path) is not a directory", remedy: "rm \(path)")
        case .absent(_, .writable):
            return .present(subject, for: .simulator, "\(path), made when it is needed")
        case .absent(let nearest, .readOnly):
            let detail = "\(path) cannot be made in \(nearest)"
            return .lacking(subject, for: .simulator, detail, remedy: "export XDG_RUNTIME_DIR=$(mktemp -d)")
        }
    }
}

/// The directory of the phone's list and the watch's flash.
struct DataCheck: Check {
    func finding(on machine: some Machine) -> Finding {
        let path = machine.places.data
        let subject = "data directory"
        switch machine.directory(path) {
        case .writable:
            return .present(subject, for: .simulator, path)
        case .readOnly(let owner):
            let detail = "\(path), of user \(owner), cannot be written to"
            return .lacking(subject, for: .simulator, detail, remedy: "sudo chown -R \(machine.user) \(path)")
        case .notDirectory:
            return .lacking(subject, for: .simulator, "\(path) is not a directory", remedy: "rm \(path)")
        case .absent(_, .writable):
            return .present(subject, for: .simulator, "\(path), made when it is needed")
        case .absent(let nearest, .readOnly):
            let detail = "\(path) cannot be made in \(nearest)"
            return .lacking(subject, for: .simulator, detail, remedy: "export XDG_DATA_HOME=$(mktemp -d)")
        }
    }
}

/// The library that holds the phone's list.
struct SQLiteCheck: Check {
    func finding(on machine: some Machine) -> Finding {
        guard let version = machine.sqliteVersion else {
            return .lacking("SQLite", for: .simulator, "not loaded", remedy: "sudo apt-get install libsqlite3-0")
        }
        return .present("SQLite", for: .simulator, version)
    }
}

/// The library that draws the watch in a terminal.
struct TickitCheck: Check {
    func finding(on machine: some Machine) -> Finding {
        // The libraries of this very process: a line of its memory map ends with the file.
        let lines = (machine.text(of: "/proc/self/maps") ?? "").split(separator: "\n")
        guard let line = lines.first(where: { $0.contains("/libtickit.so") }), let start = line.firstIndex(of: "/")
        else {
            return .lacking("libtickit", for: .simulator, "not loaded", remedy: "sudo apt-get install libtickit3")
        }
        return .present("libtickit", for: .simulator, String(line[start...]))
    }
}

/// Whether QEMU is there for a processor.
struct EmulatorCheck: Check {
    enum Processor: Sendable {
        /// The watch's Cortex-M4.
        case arm
        /// A whole Linux machine with a Bluetooth stack of its own.
        case x86
    }

    let processor: Processor

    func finding(on machine: some Machine) -> Finding {
        let (name, package) =
            switch processor {
            case .arm: ("qemu-system-arm", "qemu-system-arm")
            case .x86: ("qemu-system-x86_64", "qemu-system-x86")
            }
        if let path = machine.command(name) { return .present(name, for: .firmware, path) }
        return .lacking(name, for: .firmware, "not on PATH", remedy: "sudo apt-get install \(package)")
    }
}
