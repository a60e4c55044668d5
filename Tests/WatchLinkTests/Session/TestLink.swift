import Foundation
import Testing
import WatchLink

/// A watch, a phone, and the link between them. Their clock moves only when a test advances it.
final class TestLink {
    let watch: Device
    let phone: Device
    private(set) var now = Instant.start
    private(set) var isUp = false
    private(set) var toPhone: [[UInt8]] = []
    private(set) var toWatch: [[UInt8]] = []
    private(set) var delivered: [(to: LinkRole, bytes: [UInt8])] = []
    /// The maximum number of datagrams on their way in one direction. With that many, the transport is busy.
    var capacity = Int.max

    init(watch: Device = Device(.watch, epoch: 7), phone: Device = Device(.phone, epoch: 9)) {
        self.watch = watch
        self.phone = phone
    }

    func connect(maximumSDU: Int = 512) {
        isUp = true
        (toPhone, toWatch) = ([], [])
        phone.connect(at: now, maximumSDU: maximumSDU)
        watch.connect(at: now, maximumSDU: maximumSDU)
    }

    func cut() {
        isUp = false
        (toPhone, toWatch) = ([], [])
        watch.disconnect(at: now)
        phone.disconnect(at: now)
    }

    func advance(_ length: Microseconds) {
        now = now + length
    }

    func device(_ role: LinkRole) -> Device { role == .watch ? watch : phone }

    private func underWay(from role: LinkRole) -> Int { role == .watch ? toPhone.count : toWatch.count }

    private func put(_ bytes: [UInt8], from role: LinkRole) {
        if role == .watch { toPhone.append(bytes) } else { toWatch.append(bytes) }
    }

    /// Performs a device's next action. Returns false if the device has nothing to do or the transport is busy.
    func act(_ role: LinkRole) -> Bool {
        let device = device(role)
        let action = device.session.next(at: now)
        switch action {
        case .wait: return false
        case .close:
            cut()
            return true
        case .transmit(let request):
            let frame = device.session.frame(for: request)
            guard underWay(from: role) < capacity else { return false }
            let encoded = try? written(Int(LinkLimits.smallestSDU)) { (w) throws(CBORError) in
                try frame.encode(into: &w)
            }
            guard let encoded else {
                Issue.record("a control frame does not fit")
                return false
            }
            put(encoded, from: role)
            device.session.sent(control: frame, at: now)
        case .sendQueued, .sendLatest:
            guard underWay(from: role) < capacity else { return false }
            guard let (header, bytes) = device.frame(action) else {
                Issue.record("asked for a message that is not there: \(action)")
                return false
            }
            put(bytes, from: role)
            device.session.sent(header.delivery, sequence: header.sequence, at: now)
        }
        return true
    }

    @discardableResult
    func deliver(to role: LinkRole) -> Bool {
        let waiting = role == .watch ? toWatch : toPhone
        guard let first = waiting.first else { return false }
        if role == .watch { toWatch.removeFirst() } else { toPhone.removeFirst() }
        delivered.append((role, first))
        device(role).receive(first, at: now)
        return true
    }

    /// Performs the actions of both devices and delivers all datagrams, until nothing is left to do. The clock does not
    /// move.
    func settle() {
        for _ in 0..<100_000 {
            let acted = [act(.watch), act(.phone)].contains(true)
            let heard = [deliver(to: .phone), deliver(to: .watch)].contains(true)
            if !acted && !heard { return }
        }
        Issue.record("the two never come to rest")
    }

    func run(_ length: Microseconds) {
        let end = now + length
        settle()
        while now < end {
            advance(min(.milliseconds(100), end - now))
            settle()
        }
    }

    static func open(watch watchTakes: LinkKinds, phone phoneTakes: LinkKinds) -> TestLink {
        let link = TestLink(
            watch: Device(.watch, epoch: 7, limits: .taking(watchTakes)),
            phone: Device(.phone, epoch: 9, limits: .taking(phoneTakes)))
        link.connect()
        link.settle()
        return link
    }

    static func open(capacity: Int = .max) -> TestLink {
        let link = TestLink()
        link.capacity = capacity
        link.connect()
        link.settle()
        return link
    }
}

extension SessionEvent {
    var hello: PeerHello? {
        switch self {
        case .helloArrived(let hello), .opened(let hello): hello
        case .none, .message, .duplicate, .interactive, .reply, .file, .acknowledged, .closed: nil
        }
    }
}

extension ControlFrame {
    var hello: Hello? { if case .hello(let hello) = self { hello } else { nil } }

    var acknowledgement: Acknowledgement? {
        if case .acknowledgement(let acknowledgement) = self { acknowledgement } else { nil }
    }
}

extension LinkLimits {
    static func taking(_ kinds: LinkKinds) -> LinkLimits {
        var limits = LinkLimits(largestSDU: 512, largestMessage: 100)
        limits.kinds = kinds
        return limits
    }
}

extension Session {
    mutating func dueFrame(at now: Instant) -> ControlFrame? {
        guard case .transmit(let request) = next(at: now) else { return nil }
        return frame(for: request)
    }
}

func written(_ capacity: Int = 8192, _ body: (inout CBORWriter) throws(CBORError) -> Void) throws(CBORError) -> [UInt8]
{
    var buffer = [UInt8](repeating: 0xEE, count: capacity)
    var count = 0
    do {
        var writer = CBORWriter(buffer.mutableSpan)
        try body(&writer)
        count = writer.count
    }
    return Array(buffer.prefix(count))
}

func bytes(hex: some StringProtocol) -> [UInt8]? {
    let digits = hex.filter { !$0.isWhitespace }
    guard digits.count.isMultiple(of: 2) else { return nil }
    var result: [UInt8] = []
    var rest = Substring(digits)
    while !rest.isEmpty {
        guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
        result.append(byte)
        rest = rest.dropFirst(2)
    }
    return result
}

func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String(format: "%02x", $0) }.joined()
}

func string(_ utf8: Span<UInt8>) -> String {
    String(decoding: utf8.indices.map { utf8[$0] }, as: UTF8.self)
}

extension ItemTitle {
    init(_ text: String) {
        self.init(utf8: Array(text.utf8).span)
    }
}

enum Repository {
    static var root: URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
    }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}
