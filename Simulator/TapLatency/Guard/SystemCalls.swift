import Glibc

/// System calls that Swift does not import: it hides `fork` and calls with variable arguments, and its module of the C
/// library lacks calls that only Linux has.
enum SystemCalls {
    /// `fork`: 0 in the child, the child's number in the parent, -1 where there is none.
    static func fork() -> pid_t { library.fork?() ?? -1 }

    /// Has the kernel kill this process when the thread that started it ends.
    static func dieWithParent() {
        let setParentDeathSignal: CInt = 1
        _ = library.processControl?(setParentDeathSignal, CUnsignedLong(SIGKILL))
    }

    /// Closes every descriptor from `first` on.
    static func closeAll(from first: CInt) { _ = library.closeRange?(CUnsignedInt(first), CUnsignedInt.max, 0) }

    /// Writes what was printed and is still in the buffer of the standard output. Other streams are left alone: one
    /// that is read may be locked for as long as nothing comes.
    static func flushOutput() {
        if let output = UnsafeMutablePointer<FILE>(bitPattern: library.output) { fflush(output) }
    }

    /// What `clock` shows, in seconds.
    static func seconds(of clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }

    /// Functions of the C library, with the arguments that its manual gives them. Integers are passed in registers, to
    /// a function with variable arguments as to any other.
    private struct Library: Sendable {
        typealias Fork = @convention(c) () -> pid_t
        typealias ProcessControl = @convention(c) (CInt, CUnsignedLong) -> CInt
        typealias CloseRange = @convention(c) (CUnsignedInt, CUnsignedInt, CInt) -> CInt

        // Each symbol is the C function whose type the alias repeats.
        let fork = unsafeBitCast(dlsym(nil, "fork"), to: Fork?.self)
        let processControl = unsafeBitCast(dlsym(nil, "prctl"), to: ProcessControl?.self)
        /// The address of the stream, 0 where there is none: Swift takes the variable `stdout` for one that may change.
        let output = dlsym(nil, "stdout")?.load(as: UInt.self) ?? 0
        // As above.
        let closeRange = unsafeBitCast(dlsym(nil, "close_range"), to: CloseRange?.self)
    }

    /// They are found in the parent: a child uses them without asking the loader.
    private static let library = Library()
}
