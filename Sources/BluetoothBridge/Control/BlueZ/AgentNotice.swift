import WatchLink

/// What a program of Tapline says on the bus before it makes its agent the default one.
///
/// bluetoothd has one default agent, which it asks about the devices of all adapters, and it tells nobody when there is
/// another one. All that the others see is that their adapters became pairable. So two watches on one machine say it.
struct AgentNotice: Hashable, Sendable {
    private static let interface = "org.tapline.DefaultAgent1"
    private static let member = "Requesting"

    /// A number of the program that says so.
    var notifier: UInt64
    /// What its agent can do.
    var capability: PairingAgent.Capability

    /// The match of everybody's notices.
    static var match: BusMatch { BusMatch(interface: interface, member: member) }

    /// The signal that says so.
    var signal: BusSignal {
        BusSignal(
            path: PairingAgent.path, interface: AgentNotice.interface, member: AgentNotice.member,
            body: [.uint64(notifier), .string(capability.rawValue)])
    }
}

extension AgentNotice {
    /// The notice in a signal of the match; nil where it has none.
    init?(_ signal: BusSignal) {
        guard signal.body.count == 2, case .uint64(let notifier) = signal.body[0],
            let capability = signal.body[1].text.flatMap(PairingAgent.Capability.init)
        else { return nil }
        self.init(notifier: notifier, capability: capability)
    }
}

/// The notices of other programs that still count.
struct HeardNotices: Equatable, Sendable {
    /// How long a notice explains why an adapter has become pairable.
    static let lifetime = Microseconds.seconds(10)

    /// A notice and who said it.
    struct Heard: Equatable, Sendable {
        /// The unique name on the bus. Whether that is a program of this user, only the bus knows.
        var sender: String
        var time: Instant
    }

    /// The newest that nothing was explained with yet.
    private var unused: Heard?
    /// The newest by which the default agent can show nothing.
    private(set) var lastDeclining: Heard?

    /// Takes in a notice.
    mutating func hear(_ notice: AgentNotice, from sender: String, at now: Instant) {
        let heard = Heard(sender: sender, time: now)
        unused = heard
        switch notice.capability {
        case .displayYesNo: break
        case .nothing: lastDeclining = heard
        }
    }

    /// Who said that there is another default agent; nil where nobody did of late. It explains one change.
    mutating func explain(at now: Instant) -> String? {
        defer { unused = nil }
        guard let heard = unused, now < heard.time + HeardNotices.lifetime else { return nil }
        return heard.sender
    }
}
