import HostCalls
import Watch
import WatchLink

extension LabBoard: Radio {
    var radioState: RadioState {
        @inline(never) get {
            guard Host.fill(block, .radioState) != 0 else { return .down }
            return .up(connection: block[0], maximumSDU: Int(block[1]))
        }
    }

    @inline(never)
    func sendDatagram(_ bytes: Span<UInt8>) -> RadioOutcome {
        let answer = bytes.withUnsafeBufferPointer { bytes in
            bytes.baseAddress.map { Host.call(.sendDatagram, Host.word($0), UInt32(truncatingIfNeeded: bytes.count)) }
        }
        switch answer {
        case 0: return .sent
        case 1: return .busy
        case _: return .refused
        }
    }

    @inline(never)
    func receiveDatagram(into buffer: inout MutableSpan<UInt8>) -> Int? {
        let answer = buffer.withUnsafeMutableBufferPointer { bytes in
            bytes.baseAddress.map {
                Host.call(.receiveDatagram, Host.word($0), UInt32(truncatingIfNeeded: bytes.count))
            }
        }
        guard let answer, answer != HostCall.nothing else { return nil }
        return Int(answer)
    }

    func answerPairing(_ answer: PairingAnswer) {
        Host.call(.answerPairing, UInt32(answer.rawValue))
    }

    func disconnectRadio() {
        Host.call(.disconnectRadio)
    }
}
