import DeviceModel
import WatchLink

/// The faults as keys change them: each goes through a few sizes.
public enum FaultMenu {
    /// A fault, or all of them.
    public enum Entry: CaseIterable, Sendable {
        /// Connection events that are lost.
        case loss
        /// No link at all.
        case cut
        /// Datagrams that are late.
        case jitter
        /// A phone whose database is slow.
        case phone
        /// A flash chip that takes the longest.
        case flash
        /// A battery that is nearly empty.
        case battery
        /// Nothing wrong any more.
        case none
    }

    /// What goes on to the next size of `entry`.
    static func next(_ entry: Entry, after faults: WatchFaults) -> FaultChange {
        switch entry {
        case .loss: .loss(percent: following(faults.loss, in: [0, 10, 30, 60, 100]))
        case .cut:
            switch faults.air {
            case .open: .cut
            case .cut, .cutUntil: .open
            }
        case .jitter:
            .jitter(following(faults.jitter, in: [.zero, .milliseconds(20), .milliseconds(50), .milliseconds(200)]))
        case .phone: .phone(following(faults.phone, in: [.zero, .milliseconds(500), .seconds(2), .seconds(5)]))
        case .flash:
            switch faults.flash {
            case .typical: .flash(.maximum)
            case .maximum: .flash(.typical)
            }
        case .battery:
            switch faults.supply {
            case .sufficient: .battery(.low)
            case .low: .battery(.sufficient)
            }
        case .none: .none
        }
    }

    /// What the menu says.
    static func hints(_ faults: WatchFaults) -> [KeyMap.Hint] {
        Entry.allCases.map { KeyMap.Hint(keys: $0.key, meaning: $0.meaning(faults)) }
    }

    private static func following<Size: Comparable>(_ size: Size, in sizes: [Size]) -> Size {
        sizes.first { $0 > size } ?? sizes[0]
    }
}

extension FaultMenu.Entry {
    /// The entry of a key, or nil.
    init?(key: String) {
        guard let entry = Self.allCases.first(where: { $0.key == key }) else { return nil }
        self = entry
    }

    /// The key that changes it.
    var key: String {
        switch self {
        case .loss: "1"
        case .cut: "2"
        case .jitter: "3"
        case .phone: "4"
        case .flash: "5"
        case .battery: "6"
        case .none: "0"
        }
    }

    /// What it is, and its size.
    func meaning(_ faults: WatchFaults) -> String {
        switch self {
        case .loss: "link loss      \(faults.loss) %"
        case .cut:
            switch faults.air {
            case .open: "link           open"
            case .cut, .cutUntil: "link           cut"
            }
        case .jitter: "jitter         \(faults.jitter.count / 1_000) ms"
        case .phone: "phone is late  \(faults.phone.count / 1_000) ms"
        case .flash:
            switch faults.flash {
            case .typical: "flash times    typical"
            case .maximum: "flash times    maximum"
            }
        case .battery:
            switch faults.supply {
            case .sufficient: "battery        charged"
            case .low: "battery        low"
            }
        case .none: "nothing wrong"
        }
    }
}
