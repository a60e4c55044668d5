/// Whether QEMU is there for a processor.
struct EmulatorCheck: Check {
    /// The processor to emulate.
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
