@testable import WatchLink

/// Decodes any bytes as those of a noisy serial line. Passes the packets that they contain to the channels of both
/// ends.
func fuzzSerial(_ input: FuzzInput) {
    var decoder = SerialDecoder()
    var buffer = [UInt8](repeating: 0, count: 96)
    var ends = [SerialChannel(role: .watch), SerialChannel(role: .bridge)]
    var now = Instant.start
    ends[1].open(token: 1, maximumSDU: 64, at: now)
    for byte in input.all {
        var span = buffer.mutableSpan
        guard let count = decoder.take(byte, into: &span) else { continue }
        let packet = Array(buffer.prefix(count))
        now = now + .milliseconds(UInt32(byte))
        for index in ends.indices {
            if ends[index].receive(packet.span) == .datagram { ends[index].took() }
            _ = ends[index].send(at: now)
            for _ in 0..<4 {
                guard let answer = ends[index].next(at: now) else { break }
                var place = [UInt8](repeating: 0, count: 64)
                var span = place.mutableSpan
                let size = answer.write(into: &span)
                _ = ends[1 - index].receive(place.span.extracting(0..<size))
            }
        }
    }
}
