import WatchLink

/// An event in a plan. It is an action of a person or a program, or a fault.
typealias SimulationEvent = Codable & Equatable & Sendable

/// A simulated setting with computers and people. A scenario says who takes part, what they do, what goes wrong, and
/// which promises must still hold.
///
/// The engine draws plans of the scenario, runs them, shrinks plans that break a promise, and counts the faults. It
/// also kills and restarts the programs of the scenario's computers, and provides their time and disks.
protocol Scenario: AnyObject, SendableMetatype {
    associatedtype Event: SimulationEvent
    /// The participants of a plan, and their state at the beginning.
    associatedtype Cast: Codable, Equatable, Sendable
    associatedtype Program: ComputerProgram
    associatedtype Machine: Computer<Program>

    static var name: String { get }
    static var faults: [Fault] { get }
    /// Draws the plan of a seed.
    ///
    /// - Parameter faults: the only faults that may happen; nil if the seed draws the faults.
    static func plan(_ seed: UInt64, faults: [Fault]?) -> Plan<Self>
    /// Whether `soak` runs this scenario for a seed.
    static func isInRange(_ seed: UInt64) -> Bool
    /// Returns why a plan is invalid, or nil if it is valid.
    static func problem(of plan: Plan<Self>) -> String?
    /// Returns the smaller casts that `Plan.shrunk(parts:)` tries next, in this order.
    static func smaller(_ cast: Cast) -> [Cast]

    init(_ plan: Plan<Self>, _ parts: Parts, in simulation: Simulation)

    var simulation: Simulation { get }
    var parts: Parts { get }

    // MARK: Computers

    var computers: [Machine] { get }
    func launch(_ machine: Machine, _ process: DiskProcess) throws -> Program
    func started(_ machine: Machine)
    /// Called when a program was killed, before the engine frees the program.
    func ending(_ machine: Machine, _ loss: Loss)
    /// Called after a program has ended. `loss` is nil if the program was stopped and not killed.
    func ended(_ machine: Machine, _ loss: Loss?)
    func closeOthers(_ machine: Machine)

    // MARK: A plan

    func begin()
    /// Checks the promises that hold at any time. Called before every event.
    func check()
    func happen(_ event: Event)
    /// Ends every fault, waits until nothing changes, and judges the result.
    func conclude()
    func end()

    // MARK: Time

    /// The time of the scenario's next own work; nil if there is none. Timers and starts of programs are not included.
    func nextDue() -> Instant?
    /// Performs the scenario's own work that is due now.
    ///
    /// - Parameter horizon: the time up to which a simulated watch may run ahead of the clock.
    func act(before horizon: Instant)
    /// Carries sent data. Returns whether the programs must run again.
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

/// A kind of fault. Tests/Soak/README.md explains each kind.
enum Fault: String, CaseIterable, Sendable {
    // Faults of computers.
    case kill, powerLoss, restart, diskFailure, diskFull, clockJump, databaseRollback
    // Faults of links.
    case cut, halfOpen, noise, away, slow
    // Faults of watches, and of the phone that serves them.
    case powerCut, powerCutTwice, flashFailure, wornFlash, bitRot, slowFlash, flashRollback, clone, watchClockJump
    case anotherPhone
    // Faults of the ends of a link.
    case deaf, filesFull
    // Faults of a calendar server.
    case serverAway, serverSlow, requestLost, answerLost, answerCut, answerPage, answerWithoutETag, accountRefused
    case versionRefused, serverBusy, tokenRefused, collectionGone, serverRestored, itemOverwritten
}

extension Microseconds {
    init(milliseconds: Int) { self = .milliseconds(UInt32(clamping: milliseconds)) }
}
