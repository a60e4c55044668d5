import Foundation
import SeededNumbers
import Testing
import WatchLink

@testable import PhoneHost
@testable import Soak

/// Each write, truncation and sync of a day's database fails once. The program says so, what was acknowledged stays,
/// nothing is half applied, and the day goes on: at once, after a kill, and after a loss of power.
///
/// By default some of them, another run of the tests others; with NIGHTLY=yes all.
struct EveryWriteTests {
    private static var isThorough: Bool { ProcessInfo.processInfo.environment["NIGHTLY"] != nil }

    /// What comes right after a failed write.
    enum Sequel: CaseIterable {
        case goesOn, isKilled, losesPower
    }

    /// A day without a fault: the rows before each step and at the end, and the writes.
    private struct Reference {
        var states: [DatabaseDump?] = []
        var writes = 0
    }

    private static func onDisk<Value>(_ body: (ScriptedHostDay) throws -> Value) throws -> Value {
        let disk = VirtualDisk(seed: 5)
        return try VirtualDisk.use(disk) { Result { try body(ScriptedHostDay(on: disk)) } }.get()
    }

    private static func reference() throws -> Reference {
        try onDisk { day in
            var reference = Reference()
            for step in ScriptedHostDay.steps.indices {
                reference.states.append(step == 0 ? nil : day.dump)
                try day.make(step)
            }
            reference.states.append(day.dump)
            reference.writes = day.process.writes
            day.kill(.nothing)
            return reference
        }
    }

    @Test(arguments: [DiskProcess.Trouble.failing, .full])
    func `each failing once is told, loses nothing and applies nothing by half`(trouble: DiskProcess.Trouble) throws {
        let reference = try Self.reference()
        #expect(reference.writes > 200)
        let seed = Seed.printed(for: "one write fails")
        let step = Self.isThorough ? 1 : 149
        for (offset, sequel) in Sequel.allCases.enumerated() {
            let first = Self.isThorough ? 0 : (Int(seed % 149) + offset * 50) % 149
            for write in stride(from: first, to: reference.writes, by: step) {
                try Self.onDisk { day in
                    day.process.fate = .failing(trouble, after: write, count: 1)
                    try play(day, reference, sequel, "write \(write) is \(trouble), then it \(sequel)")
                    day.kill(.nothing)
                }
            }
        }
    }

    /// Makes every step happen, a failed one again.
    private func play(_ day: ScriptedHostDay, _ reference: Reference, _ sequel: Sequel, _ place: String) throws {
        for (number, step) in ScriptedHostDay.steps.enumerated() {
            let program = day.process
            let before = program.failures
            do {
                try day.make(number)
                guard program.failures > before else { continue }
                // SQLite can do without: the last program that closes a database merges its log, for which there is
                // another time, and the first one that opens it leaves a journal behind.
                #expect(number == 0 || step == .restart, "\(place): \(step) says nothing of it")
                follow(day, sequel)
                #expect(day.dump == reference.states[number + 1], "\(place), in \(step)")
            } catch let error as any CustomStringConvertible {
                #expect(program.failures > before, "\(place): \(step) fails by itself: \(error)")
                #expect(error.description.count > 20, "\(place): \(error)")
                try resume(day, number, reference, sequel, place)
            }
        }
        let end = try #require(day.dump, "\(place): nothing can be read at the end")
        let wanted = try #require(reference.states.last ?? nil)
        #expect(end == wanted, "\(place): \(end.difference(from: wanted))")
    }

    private func follow(_ day: ScriptedHostDay, _ sequel: Sequel) {
        switch sequel {
        case .goesOn: break
        case .isKilled: day.kill(.nothing)
        case .losesPower: day.kill(.power)
        }
    }

    /// The step of this number has failed: everything is as before, and it succeeds the next time.
    private func resume(
        _ day: ScriptedHostDay, _ number: Int, _ reference: Reference, _ sequel: Sequel, _ place: String
    ) throws {
        let step = ScriptedHostDay.steps[number]
        follow(day, sequel)
        let left = day.dump
        // A commit whose sync failed may be found complete when the log is read again, as after a kill.
        let isDone = sequel != .goesOn && left == reference.states[number + 1] && number > 0
        if number > 0, !isDone {
            let wanted = reference.states[number]
            let difference = left.flatMap { left in wanted.map { left.difference(from: $0) } }
            #expect(left == wanted, "\(place), in \(step): \(difference ?? "nothing can be read")")
        }
        if !isDone { try day.make(number) }
    }
}
