import FirmwareWatch
import Foundation
import Watch
import WatchLink

/// Instructions from times: the emulator executes one in 16 ns, and the board's timer counts 40 ns.
enum MachineTime {
    static func instructions(ticks: UInt32) -> Double { Double(ticks) * 2.5 }

    static func instructions(_ length: Microseconds) -> Double { Double(length.count) * 62.5 }
}

extension HarnessSetting {
    func machine(items: Int) throws -> LineBench {
        let machine = try idleMachine(flash: "flash.\(items)")
        let phone = SerialPhone(machine)
        try phone.connect()
        try phone.giveList(items, name: "Groceries")
        return machine
    }
}

/// The most bytes of the stacks in use while a watch works with a phone.
enum StackUse {
    static func run(_ setting: HarnessSetting) throws {
        let machine = try setting.machine()
        _ = try Determinism.play(machine)
        machine.tell(.memory)
        let (stack, handlers) = try machine.nextReport { report -> (UInt32, UInt32)? in
            guard case .memory(let stack, let handlers) = report else { return nil }
            return (stack, handlers)
        }
        print("stack \(stack) handlers \(handlers)")
        try require((1..<2_432).contains(stack) && (1..<512).contains(handlers), "a stack is full")
    }
}

/// What a tap on the first row takes, in instructions, stage by stage.
enum TapInstructions {
    private static let lengths = [8, 32, 128]
    /// The most instructions of parts of a tap, at any length of the list.
    private static let budget: [(name: String, most: Double)] = [
        ("handled", 2_000), ("updated", 3_000), ("removal", 48_000),
    ]

    static func run(_ setting: HarnessSetting) throws {
        let columns = try lengths.map { try figures(setting, items: $0) }
        print(line("instructions of a tap, items:", lengths.map { "\($0)" }))
        for (index, row) in columns[0].enumerated() {
            print(line(row.name, columns.map { grouped($0[index].value) }))
        }
        for column in columns {
            for (name, most) in budget {
                guard let value = find(name, column), let first = find(name, columns[0]) else {
                    throw HarnessFailure("the tap reports no \(name)")
                }
                try require(value <= most, "\(name) takes \(Int(value)) instructions, \(Int(most)) are allowed")
                try require(abs(value - first) <= 0.1 * first, "\(name) grows with the list")
            }
        }
    }

    private static func find(_ name: String, _ column: [(name: String, value: Double)]) -> Double? {
        column.first { $0.name == name }?.value
    }

    private static func line(_ name: String, _ values: [String]) -> String {
        name.padding(toLength: 30, withPad: " ", startingAt: 0)
            + values.map { String(repeating: " ", count: max(0, 10 - $0.count)) + $0 }.joined()
    }

    /// A whole number with a comma before every three digits.
    private static func grouped(_ value: Double) -> String {
        let digits = Array(String(Int(value.rounded(.toNearestOrEven))))
        return String(
            digits.enumerated().flatMap { index, digit in
                index > 0 && (digits.count - index) % 3 == 0 ? [",", digit] : [digit]
            })
    }

    private static func figures(_ setting: HarnessSetting, items: Int) throws -> [(name: String, value: Double)] {
        let machine = try setting.machine(items: items)
        // The wearer of a tap begins to wait when the finger lifts.
        try machine.act(firstRow[0])
        let (start, touched) = (machine.reports.count, machine.idle.now)
        try machine.act(firstRow[1])
        var figures: [(name: String, value: Double)] = []
        var began: [String: UInt32] = [:]
        for report in machine.reports[start...] {
            switch report {
            case .mark(.handled, _, let at, _): figures.append(("handled", MachineTime.instructions(at - touched)))
            case .mark(.updated, _, let at, _): figures.append(("updated", MachineTime.instructions(at - touched)))
            case .stageBegan(let name, _, _, let ticks): began[name] = ticks
            case .stageEnded(let name, _, _, let ticks):
                figures.append((name, MachineTime.instructions(ticks: ticks &- (began[name] ?? ticks))))
            case .mark, .haptic, .screenChanged, .moment, .journalFailed, .idle, .described, .memory, .ready, .pairing,
                .lines:
                break
            }
        }
        // The row is removed 250 ms after the tap; nothing else falls due before.
        let removed = touched + .milliseconds(250)
        machine.goOn(after: removed - machine.idle.now)
        try machine.awaitIdle()
        return figures + [("removal", MachineTime.instructions(machine.idle.now - removed))]
    }
}
