import HostCalls
import Watch
import WatchLink

extension LabBoard: NORFlash {
    var flashActivity: FlashActivity { Host.call(.flashActivity) == 0 ? .ready : .erasing }

    @inline(never)
    func readFlash(at address: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        let answer = destination.withUnsafeMutableBufferPointer { bytes in
            LabBoard.move(.readFlash, at: address, UnsafeRawBufferPointer(bytes))
        }
        try LabBoard.check(answer)
    }

    @inline(never)
    func programFlash(at address: Int, _ bytes: Span<UInt8>) throws(FlashError) {
        let answer = bytes.withUnsafeBufferPointer { bytes in
            LabBoard.move(.programFlash, at: address, UnsafeRawBufferPointer(bytes))
        }
        try LabBoard.check(answer)
    }

    func beginErase(sector: Int) throws(FlashError) {
        try LabBoard.check(Host.call(.beginErase, UInt32(truncatingIfNeeded: sector)))
    }

    func finishErase() {
        Host.call(.finishErase)
    }

    private static func move(_ call: HostCall, at address: Int, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
        // No bytes have no address.
        let place = bytes.baseAddress.map { Host.word($0) } ?? 0
        return Host.call(call, UInt32(truncatingIfNeeded: address), place, UInt32(truncatingIfNeeded: bytes.count))
    }

    private static func check(_ answer: UInt32) throws(FlashError) {
        switch HostFlashAnswer(rawValue: answer) {
        case .done: return
        case .outOfRange: throw .outOfRange
        case .verifyFailed: throw .verifyFailed
        case .notResponding, nil: throw .notResponding
        }
    }
}
