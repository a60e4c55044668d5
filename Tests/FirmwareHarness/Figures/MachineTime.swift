import FirmwareWatch
import Watch
import WatchLink

/// Instructions from times: the emulator executes one in 16 ns, and the board's timer counts 40 ns.
enum MachineTime {
    static func instructions(ticks: UInt32) -> Double { Double(ticks) * 2.5 }

    static func instructions(_ length: Microseconds) -> Double { Double(length.count) * 62.5 }
}

extension HarnessSetting {
    /// A machine with a list of `items` items.
    func machine(items: Int) throws -> LineBench {
        let machine = try idleMachine(flash: "flash.\(items)")
        let phone = SerialPhone(machine)
        try phone.connect()
        try phone.giveList(items, name: "Groceries")
        return machine
    }
}
