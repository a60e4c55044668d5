import WatchLink

/// The faults that a script or a key can change, in the order in which the side panel shows them.
package enum Fault: CaseIterable, Sendable {
    case cut
    case loss
    case jitter
    case phone
    case flash
    case battery
    case none

    var declaration: FaultDeclaration {
        switch self {
        case .cut: .cut
        case .loss: .loss
        case .jitter: .jitter
        case .phone: .phone
        case .flash: .flash
        case .battery: .battery
        case .none: .none
        }
    }
}

extension FaultDeclaration {
    fileprivate static let loss = FaultDeclaration(
        key: "1", label: "link loss",
        forms: [Form(word: "loss", argument: .number(name: "PERCENT", 0...100) { .loss(percent: Int($0)) })],
        effect: "PERCENT of the packets are lost and sent again; at 100 the link dies",
        size: { "\($0.percentLost) %" },
        next: { .loss(percent: following($0.percentLost, in: [0, 10, 30, 60, 100])) },
        notice: { $0.loss > 0 ? "loss \($0.percentLost) %" : nil })

    fileprivate static let cut = FaultDeclaration(
        key: "2", label: "link",
        forms: [
            Form(word: "cut", argument: .optionalDuration(example: "5s", without: .cut) { .cutFor($0) }),
            Form(word: "open", argument: .none(.open)),
        ],
        effect: "no link, until `fault open` or for the given time",
        size: { faults in
            switch faults.link {
            case .open: "open"
            case .cut, .cutUntil: "cut"
            }
        },
        next: { faults in
            switch faults.link {
            case .open: .cut
            case .cut, .cutUntil: .open
            }
        },
        notice: { faults in
            switch faults.link {
            case .open: nil
            case .cut: "link cut"
            case .cutUntil: "link cut briefly"
            }
        })

    fileprivate static let jitter = FaultDeclaration(
        key: "3", label: "jitter",
        forms: [Form(word: "jitter", argument: .number(name: "MS", 0...10_000) { .jitter(.milliseconds($0)) })],
        effect: "each datagram arrives up to MS milliseconds late",
        size: { "\($0.jitter.count / 1_000) ms" },
        next: {
            .jitter(following($0.jitter, in: [.zero, .milliseconds(20), .milliseconds(50), .milliseconds(200)]))
        },
        notice: { $0.jitter > .zero ? "jitter \($0.jitter.count / 1_000) ms" : nil })

    fileprivate static let phone = FaultDeclaration(
        key: "4", label: "phone delay",
        forms: [Form(word: "phone", argument: .number(name: "MS", 0...60_000) { .phone(.milliseconds($0)) })],
        effect: "the phone answers each message MS milliseconds late",
        size: { "\($0.phone.count / 1_000) ms" },
        next: { .phone(following($0.phone, in: [.zero, .milliseconds(500), .seconds(2), .seconds(5)])) },
        notice: { $0.phone > .zero ? "phone delay \($0.phone.count / 1_000) ms" : nil })

    fileprivate static let flash = FaultDeclaration(
        key: "5", label: "flash times",
        forms: [
            Form(
                word: "flash",
                argument: .choice([("typical", .flash(.typical)), ("maximum", .flash(.maximum))]))
        ],
        effect: "`maximum`: every flash operation takes the longest time in the chip's datasheet",
        size: { faults in
            switch faults.flash {
            case .typical: "typical"
            case .maximum: "maximum"
            }
        },
        next: { faults in
            switch faults.flash {
            case .typical: .flash(.maximum)
            case .maximum: .flash(.typical)
            }
        },
        notice: { faults in
            switch faults.flash {
            case .typical: nil
            case .maximum: "slowest flash"
            }
        })

    fileprivate static let battery = FaultDeclaration(
        key: "6", label: "battery",
        forms: [
            Form(
                word: "battery",
                argument: .choice([("charged", .battery(.sufficient)), ("low", .battery(.low))]))
        ],
        effect: "`low`: no haptic is played, and every flash operation takes its longest time",
        size: { faults in
            switch faults.supply {
            case .sufficient: "charged"
            case .low: "low"
            }
        },
        next: { faults in
            switch faults.supply {
            case .sufficient: .battery(.low)
            case .low: .battery(.sufficient)
            }
        },
        notice: { faults in
            switch faults.supply {
            case .sufficient: nil
            case .low: "battery low"
            }
        })

    fileprivate static let none = FaultDeclaration(
        key: "0", label: "no faults", forms: [Form(word: "none", argument: .none(.none))],
        effect: "ends every fault", size: { _ in "" }, next: { _ in .none }, notice: { _ in nil })
}

/// The smallest of `sizes` above `size`, or the first again.
private func following<Size: Comparable>(_ size: Size, in sizes: [Size]) -> Size {
    sizes.first { $0 > size } ?? sizes[0]
}
