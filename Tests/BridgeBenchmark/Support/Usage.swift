import Foundation
import Glibc

/// What this process takes of the machine.
enum Usage {
    /// Bytes of memory that are resident (proc(5), statm), with what the allocator keeps for later.
    static var residentBytes: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .ascii)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
            * Int(sysconf(CInt(_SC_PAGESIZE)))
    }

    /// Microseconds of the processor, in the program and in the system for it.
    static var processorMicroseconds: Int {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + $1.tv_sec * 1_000_000 + Int($1.tv_usec) }
    }
}
