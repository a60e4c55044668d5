import WatchLink

/// Something that happens in a scenario: what a person or program does, or what goes wrong.
typealias SimulationEvent = Codable & Equatable & Sendable

/// Something that the simulation judges: who takes part, what they do, what goes wrong, and what has to hold all the same.
///
/// The engine draws plans of it, runs them, makes those small that break a promise, and counts the faults. It runs the programs of the
/// scenario's computers, kills and restarts them, and gives them time and disks.
protocol Scenario: AnyObject, SendableMetatype {
    associatedtype Event: SimulationEvent
    /// Who takes part in a plan, and how everything is at the beginning.
    associatedtype Cast: Codable, Equatable, Sendable
    associatedtype Program: ComputerProgram
    associatedtype Machine: Computer<Program>

    static var name: String { get }
    /// The faults that its plans may have, as reports list them.
    static var faults: [Fault] { get }
    /// The plan that a seed draws.
    ///
    /// - Parameter faults: the only faults that happen; nil for those that the seed draws.
    static func plan(_ seed: UInt64, faults: [Fault]?) -> Plan<Self>
    /// Whether ranges run the plan of a seed.
    static func isInRange(_ seed: UInt64) -> Bool
    /// Why a plan cannot be run; nil if it can.
    static func problem(of plan: Plan<Self>) -> String?
    /// The casts that are a step smaller than one.
    static func smaller(_ cast: Cast) -> [Cast]

    init(_ plan: Plan<Self>, _ parts: Parts, in simulation: Simulation)

    var simulation: Simulation { get }
    var parts: Parts { get }

    // MARK: Computers

    var computers: [Machine] { get }
    /// Starts the program of a computer, as a process of the disk's.
    func launch(_ machine: Machine, _ process: DiskProcess) throws -> Program
    func started(_ machine: Machine)
    /// A program is about to be killed.
    func ending(_ machine: Machine, _ loss: Loss)
    /// A program has ended, by itself if `loss` is nil.
    func ended(_ machine: Machine, _ loss: Loss?)
    /// Closes what else has the database of a computer open.
    func closeOthers(_ machine: Machine)

    // MARK: A plan

    func begin()
    /// Judges what can be judged at any time.
    func check()
    func happen(_ event: Event)
    /// Ends every fault, waits until all is quiet, and judges.
    func conclude()
    func end()

    // MARK: Time

    /// When something is due that is neither a timer of a program nor a start of one; nil for nothing.
    func nextDue() -> Instant?
    /// Has everything happen that is due now.
    ///
    /// - Parameter horizon: when something else is due.
    func act(before horizon: Instant)
    /// Carries what programs have sent. Returns whether any program has something to do now.
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

/// The faults, as reports count those that happened.
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
