import Watch
import WatchLink

extension MPS2Board: InputSource {
    @inline(never)
    mutating func nextInput() -> TimedInput? {
        switch pacing {
        case .free:
            if bench.hasNews {
                let instant = now
                _ = bench.listen(at: instant)
            }
        case .stepping, .held:
            // What the bench says is heard while time stands.
            break
        }
        return bench.nextInput()
    }

    /// The bench has no touch controller: its touches have no time before their interrupt.
    var touchScanInterval: Microseconds { .zero }
}
