import Watch
import WatchLink

extension MPS2Board: NORFlash {
    var flashGeometry: FlashGeometry { FlashMemory.geometry }

    var flashActivity: FlashActivity {
        @inline(never) mutating get {
            guard flash.readyAt != nil else { return .ready }
            flash.pass(now)
            return flash.readyAt == nil ? .ready : .erasing
        }
    }

    @inline(never)
    mutating func readFlash(at address: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        suspendErase(at: address)
        try flash.read(at: address, into: &destination)
    }

    @inline(never)
    mutating func programFlash(at address: Int, _ bytes: Span<UInt8>) throws(FlashError) {
        suspendErase(at: address)
        try flash.program(at: address, bytes)
    }

    @inline(never)
    mutating func beginErase(sector: Int) throws(FlashError) {
        finishErase()
        try flash.beginErase(sector, at: now)
    }

    mutating func finishErase() {
        while flashActivity == .erasing {}
    }

    /// Suspends an erase in progress for an operation at `address`; waits for one of the same sector.
    private mutating func suspendErase(at address: Int) {
        guard flashActivity == .erasing else { return }
        switch flash.suspend(at: address) {
        case .suspended: break
        case .sameSector: finishErase()
        }
    }
}
