import WatchLink

@testable import Wormhole

/// A watch that the test plays, frame by frame, on a channel to the phone.
struct RawWatch: Sendable {
    let channel: any DatagramTransport

    init(_ connector: any TransportConnector, takes kinds: LinkKinds = .all) async throws {
        channel = try await connector.connect()
        var limits = LinkLimits(largestSDU: UInt32(channel.largestDatagram))
        limits.kinds = kinds
        let hello = Hello(role: .watch, identity: 77, epoch: 5, limits: limits)
        try await channel.send(datagram(.hello(hello)))
        while let datagram = try? await channel.receive(), datagram[0] != FrameKind.hello.rawValue {}
    }

    func say(_ number: UInt32, _ step: FileStep, _ rest: [UInt8] = []) async throws {
        let header = try LinkMachine.datagram(FileHeader(number: number, step: step))
        try await channel.send(header + rest)
    }

    /// Offers a file. `length` and `hash` can replace the true ones of `content`.
    func offer(
        _ number: UInt32, _ content: [UInt8], as label: String = "file", transfer: UInt64 = 9, length: Int? = nil,
        hash: [UInt8]? = nil
    ) async throws {
        let (label, hash, nothing) = (Array(label.utf8), hash ?? sha256(content), [UInt8]())
        let map = try LinkMachine.datagram(size: 1_000) { writer throws(CBORError) in
            try FileOffer(
                label: label.span, length: UInt64(length ?? content.count), hash: hash.span, metadata: nothing.span,
                transfer: transfer
            ).encode(into: &writer)
        }
        try await say(number, .offer, map)
    }

    /// Pings the phone, and waits for the pong. By then, the phone has taken all earlier frames. Returns the file
    /// frames that arrived before the pong.
    func settle(_ number: UInt32) async throws -> [FileHeader] {
        var headers: [FileHeader] = []
        try await channel.send(datagram(.ping(number)))
        while let datagram = try? await channel.receive() {
            if let header = try? FileHeader(datagram.span) { headers.append(header) }
            if case .pong(number)? = try? ControlFrame(datagram.span) { break }
        }
        return headers
    }

    /// Skips other frames, and returns the phone's next file frame; nil if the link ends first.
    func next() async -> (header: FileHeader, rest: [UInt8])? {
        while let datagram = try? await channel.receive() {
            guard let header = try? FileHeader(datagram.span) else { continue }
            return (header, Array(datagram.dropFirst(FileHeader.size)))
        }
        return nil
    }

    /// Waits for the phone's goodbye, and returns its fault; nil if the goodbye has none or the link ends without one.
    func fault() async -> ProtocolFault? {
        while let datagram = try? await channel.receive() {
            if case .goodbye(let goodbye)? = try? ControlFrame(datagram.span) { return goodbye.fault }
        }
        return nil
    }
}
