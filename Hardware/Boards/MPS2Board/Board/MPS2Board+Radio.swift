import Watch
import WatchLink

extension MPS2Board: Radio {
    var radioState: RadioState {
        @inline(never) mutating get {
            radio.service(at: now)
            return radio.state
        }
    }

    @inline(never)
    mutating func sendDatagram(_ bytes: Span<UInt8>) -> RadioOutcome {
        radio.send(bytes, at: now)
    }

    @inline(never)
    mutating func receiveDatagram(into buffer: inout MutableSpan<UInt8>) -> Int? {
        radio.receive(into: &buffer, at: now)
    }

    @inline(never)
    mutating func answerPairing(_ answer: PairingAnswer) {
        keep(.pairing(answer))
    }

    @inline(never)
    mutating func disconnectRadio() {
        radio.close(at: now)
    }
}
