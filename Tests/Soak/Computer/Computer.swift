import GRDBSQLite
import WatchLink

protocol ComputerProgram: AnyObject {
    var process: DiskProcess { get }
    /// When the next timer is due; nil if none is set.
    var due: Instant? { get }
    /// Performs all work that is due now. Returns whether there was any.
    func step() -> Bool
    func stop()
    /// Frees what a killed program still holds in the soak process. The program's simulated files do not change.
    func discard()
}

class Computer<Program: ComputerProgram> {
    let name: String
    let directory: String
    let wallClock: SimulatedWallClock
    let log = ProgramLog()
    fileprivate(set) var program: Program?
    /// When the program starts next; nil if no start is planned.
    var starts: Instant?
    fileprivate var outage = (loss: Loss.nothing, milliseconds: 500)
    /// The last saved copy of the database files, and the state of the random generator at that time.
    fileprivate var saved: (image: [String: [UInt8]], random: SplitMix64)?

    init(_ name: String, folder: String, seed: UInt64, clock: SimulationClock) {
        self.name = name
        directory = VirtualDisk.root + folder + "/"
        wallClock = SimulatedWallClock(seed: seed, clock: clock)
    }

    var path: String { directory + "data.db" }
    var hasCopy: Bool { saved != nil }

    func write(_ sql: String, on disk: VirtualDisk) {
        disk.use(DiskProcess()) {
            var database: OpaquePointer?
            defer { sqlite3_close(database) }
            let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
            guard sqlite3_open_v2(path, &database, flags, nil) == SQLITE_OK,
                sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK
            else { preconditionFailure("the database cannot be changed: \(String(cString: sqlite3_errmsg(database)))") }
        }
    }
}

/// What a computer loses, besides the running program, when the program is killed.
enum Loss: String, Codable, Sendable {
    case nothing
    /// The computer loses its power. Unsynced writes may be lost, and the other end of a link gets no notice.
    case power
}

enum KillPoint: Codable, Equatable, Sendable {
    case now
    /// The next `after` disk writes succeed. The write that follows kills the program.
    case write(after: Int)
    case fileCall(after: Int)
}

enum ComputerFault: Codable, Equatable, Sendable {
    case kill(at: KillPoint, milliseconds: Int, losing: Loss)
    case restart(milliseconds: Int)
    case failDisk(DiskProcess.Trouble, afterWrites: Int, count: Int)
    /// Moves the wall clock forward by `seconds`, or back if `seconds` is negative.
    case setClock(seconds: Int)
    case saveDatabase
    case restoreDatabase
}

extension Scenario {
    // MARK: Programs

    func start(_ machine: Machine) {
        machine.starts = nil
        guard machine.program == nil else { return }
        let process = DiskProcess { [weak simulation] in simulation?.count($0 == .full ? .diskFull : .diskFailure) }
        disk.process = process
        do {
            machine.program = try launch(machine, process)
            tell("\(machine.name)'s program starts")
            started(machine)
        } catch {
            tell("\(machine.name)'s program cannot start: \(error)")
            machine.starts = now + .seconds(1)
        }
    }

    func stop(_ machine: Machine) {
        guard let program = machine.program else { return }
        program.stop()
        ended(machine, nil)
        disk.release(program.process)
        machine.program = nil
        tell("\(machine.name)'s program stops")
    }

    /// Returns whether a computer's program was killed. If so, frees the program, applies the planned loss and plans
    /// the next start.
    func buryIfKilled(_ machine: Machine) -> Bool {
        guard let program = machine.program, !program.process.isRunning else { return false }
        let loss = machine.outage.loss
        ending(machine, loss)
        program.discard()
        machine.program = nil
        ended(machine, loss)
        switch loss {
        case .nothing:
            disk.release(program.process)
            happened(.kill, "\(machine.name)'s program is killed at its write \(program.process.writes)")
        case .power:
            disk.losePower(machine.directory)
            happened(.powerLoss, "\(machine.name) loses its power at its write \(program.process.writes)")
        }
        machine.starts = now + Microseconds(milliseconds: machine.outage.milliseconds)
        return true
    }

    func discard(_ machine: Machine) {
        machine.program?.process.kill()
        machine.program?.discard()
        machine.program = nil
    }

    // MARK: Faults

    func suffer(_ fault: ComputerFault, _ machine: Machine) {
        switch fault {
        case .kill(let point, let milliseconds, let loss):
            guard let process = machine.program?.process else { return }
            machine.outage = (loss, milliseconds)
            switch point {
            case .now: process.kill()
            case .write(let writes): process.fate = .killed(after: writes)
            case .fileCall(let calls): process.fileFate = .killed(after: calls)
            }
        case .restart(let milliseconds):
            guard machine.program != nil else { return }
            stop(machine)
            count(.restart)
            machine.starts = now + Microseconds(milliseconds: milliseconds)
        case .failDisk(let trouble, let writes, let count):
            machine.program?.process.fate = .failing(trouble, after: writes, count: count)
        case .setClock(let seconds):
            machine.wallClock.shift(by: seconds)
            happened(.clockJump, "the clock of \(machine.name) is set by \(seconds) s")
        case .saveDatabase:
            withoutProgram(of: machine) {
                machine.saved = (disk.image(of: machine.directory), machine.wallClock.random)
            }
            tell("a copy of \(machine.name)'s database is put away")
        case .restoreDatabase:
            guard let copy = machine.saved else { return }
            withoutProgram(of: machine) {
                disk.restore(copy.image, in: machine.directory)
                if !parts.restoring.isEmpty { machine.write(parts.restoring, on: disk) }
                if parts.repeatsRandomNumbers { machine.wallClock.random = copy.random }
            }
            happened(.databaseRollback, "\(machine.name)'s database is put back to the copy")
        }
        settle()
    }

    func withoutProgram(of machine: Machine, _ body: () -> Void) {
        let isRunning = machine.program != nil
        stop(machine)
        closeOthers(machine)
        body()
        if isRunning { start(machine) }
    }

    func healComputers() {
        tell("the faults are over")
        for machine in computers { machine.program?.process.heal() }
    }
}
