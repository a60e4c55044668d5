import WatchLink

/// An event of a scenario: an action of a person or a program, or a fault.
typealias SimulationEvent = Codable & Equatable & Sendable

/// Something that the simulation judges: who takes part, what they do, what goes wrong, and what has to hold all the same.
///
/// The engine draws plans of it, runs them, makes those small that break a promise, and counts the faults. It runs the programs of the
/// scenario's computers, kills and restarts them, and gives them time and disks.
protocol Scenario: AnyObject, SendableMetatype {
    associatedtype Event: SimulationEvent
    /// The participants of a plan and their state at the beginning.
    associatedtype Cast: Codable, Equatable, Sendable
    associatedtype Program: ComputerProgram
    associatedtype Machine: Computer<Program>

    static var name: String { get }
    /// The possible faults of its plans, in the order of reports.
    static var faults: [Fault] { get }
    /// The plan that a seed draws.
    ///
    /// - Parameter faults: the only faults that happen; nil for those that the seed draws.
    static func plan(_ seed: UInt64, faults: [Fault]?) -> Plan<Self>
    /// Whether ranges run the plan of a seed.
    static func isInRange(_ seed: UInt64) -> Bool
    /// Why a plan is invalid; nil if it is valid.
    static func problem(of plan: Plan<Self>) -> String?
    /// The casts that are one step smaller.
    static func smaller(_ cast: Cast) -> [Cast]

    init(_ plan: Plan<Self>, _ parts: Parts, in simulation: Simulation)

    var simulation: Simulation { get }
    var parts: Parts { get }

    // MARK: Computers

    var computers: [Machine] { get }
    /// Starts the program of a computer as a process of the simulated disk.
    func launch(_ machine: Machine, _ process: DiskProcess) throws -> Program
    func started(_ machine: Machine)
    /// Called before a program is killed.
    func ending(_ machine: Machine, _ loss: Loss)
    /// Called after the end of a program; `loss` is nil if it ended by itself.
    func ended(_ machine: Machine, _ loss: Loss?)
    func closeOthers(_ machine: Machine)

    // MARK: A plan

    func begin()
    /// Checks the promises that hold at any time.
    func check()
    func happen(_ event: Event)
    /// Ends every fault, waits until nothing changes, and judges the result.
    func conclude()
    func end()

    // MARK: Time

    /// The next time of other work than timers and starts of programs; nil for none.
    func nextDue() -> Instant?
    /// Has everything happen that is due now.
    ///
    /// - Parameter horizon: when something else is due.
    func act(before horizon: Instant)
    /// Carries sent data. Returns whether a program has work now.
    func carry() -> Bool
}

extension Scenario {
    static func isInRange(_ seed: UInt64) -> Bool { true }
    static func problem(of plan: Plan<Self>) -> String? { nil }
    static func smaller(_ cast: Cast) -> [Cast] { [] }

    func started(_ machine: Machine) {}
    func ending(_ machine: Machine, _ loss: Loss) {}
    func ended(_ machine: Machine, _ loss: Loss?) {}
    func closeOthers(_ machine: Machine) {}
    func check() {}
    func end() {}
    func nextDue() -> Instant? { nil }
    func act(before horizon: Instant) {}
}

/// The kinds of faults in reports.
enum Fault: String, CaseIterable, Sendable {
    // Of computers.
    case kill, powerLoss, restart, diskFailure, diskFull, clockJump, databaseRollback
    // Of links.
    case cut, halfOpen, noise, away, slow
    // Of watches, and of the phone that serves them.
    case powerCut, powerCutTwice, flashFailure, wornFlash, bitRot, slowFlash, flashRollback, clone, watchClockJump
    case anotherPhone
    // Of the ends of a link.
    case deaf, filesFull
    // Of a calendar server.
    case serverAway, serverSlow, requestLost, answerLost, answerCut, answerPage, answerWithoutETag, accountRefused
    case versionRefused, serverBusy, tokenRefused, collectionGone, serverRestored, itemOverwritten
}

extension Microseconds {
    init(milliseconds: Int) { self = .milliseconds(UInt32(clamping: milliseconds)) }
}
