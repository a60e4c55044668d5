import Foundation
import Glibc

/// Which cores the two processes run on. Left to choose, the system moves them together and apart from turn to turn, and a
/// thread that wakes another takes three to four times as long where that is on another core.
enum Cores: String, CaseIterable, Encodable {
    /// Both on one: what is measured is the work of the processor.
    case shared
    /// Each on one of its own: what is measured is mostly the waking of threads on another core.
    case separate

    /// What the machine has room for.
    static var possible: [Cores] { allCases.filter { $0.other < sysconf(CInt(_SC_NPROCESSORS_ONLN)) } }

    /// The core of the process that asks.
    static let own = 0

    /// The core of the process that answers.
    var other: Int {
        switch self {
        case .shared: 0
        case .separate: 1
        }
    }

    var title: String {
        switch self {
        case .shared: "both processes on one core"
        case .separate: "a core for each process"
        }
    }

    /// Keeps this process on a core: its threads, and those that they start.
    static func keep(on core: Int) throws {
        // sched_setaffinity(2), which the C library shows to GNU sources only.
        typealias SetAffinity = @convention(c) (pid_t, Int, UnsafeRawPointer) -> CInt
        guard let symbol = dlsym(nil, "sched_setaffinity") else { throw POSIXError(.ENOSYS) }
        // The symbol is the C function whose type SetAffinity repeats.
        let setAffinity = unsafeBitCast(symbol, to: SetAffinity.self)
        var mask = UInt64(1) << UInt64(core)
        for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap(pid_t.init) {
            // A thread may have ended since it was listed.
            guard setAffinity(thread, MemoryLayout.size(ofValue: mask), &mask) == 0 || errno == ESRCH else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EINVAL)
            }
        }
    }
}
