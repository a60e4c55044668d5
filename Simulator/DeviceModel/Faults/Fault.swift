import WatchLink

extension Fault {
    /// All entries of the terminal's fault menu, in the order in which the side panel lists the active faults.
    package static let all = [cut, loss, jitter, phone, flash, battery, none]

    /// All entries of the terminal's fault menu, in the order of their keys. `none`, which ends every fault, is last.
    package static let byKey = all.sorted { ($0.key == "0" ? 1 : 0, $0.key) < ($1.key == "0" ? 1 : 0, $1.key) }

    package static var synopses: [String] { forms.map(\.synopsis) }

    static var forms: [Form] { byKey.flatMap(\.forms) }

    static var allowed: String {
        "fault \(synopses.dropLast().joined(separator: ", ")) or \(synopses[synopses.count - 1])"
    }

    package static let loss = Fault(
        key: "1", label: "link loss",
        forms: [Form(word: "loss", argument: .number(name: "PERCENT", 0...100) { .loss(percent: Int($0)) })],
        effect: "PERCENT of the packets are lost and sent again; at 100 the link dies",
        size: { "\($0.percentLost) %" },
        next: { .loss(percent: following($0.percentLost, in: [0, 10, 30, 60, 100])) },
        notice: { $0.loss > 0 ? "loss \($0.percentLost) %" : nil })

    package static let cut = Fault(
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

    package static let jitter = Fault(
        key: "3", label: "jitter",
        forms: [Form(word: "jitter", argument: .number(name: "MS", 0...10_000) { .jitter(.milliseconds($0)) })],
        effect: "each datagram arrives up to MS milliseconds late",
        size: { "\($0.jitter.count / 1_000) ms" },
        next: {
            .jitter(following($0.jitter, in: [.zero, .milliseconds(20), .milliseconds(50), .milliseconds(200)]))
        },
        notice: { $0.jitter > .zero ? "jitter \($0.jitter.count / 1_000) ms" : nil })

    package static let phone = Fault(
        key: "4", label: "phone delay",
        forms: [Form(word: "phone", argument: .number(name: "MS", 0...60_000) { .phone(.milliseconds($0)) })],
        effect: "the phone answers each message MS milliseconds late",
        size: { "\($0.phone.count / 1_000) ms" },
        next: { .phone(following($0.phone, in: [.zero, .milliseconds(500), .seconds(2), .seconds(5)])) },
        notice: { $0.phone > .zero ? "phone delay \($0.phone.count / 1_000) ms" : nil })

    package static let flash = choice(
        key: "5", label: "flash times", word: "flash",
        effect: "`maximum`: every flash operation takes the longest time in the chip's datasheet", worst: .maximum,
        notice: "slowest flash", value: { $0.flash }, change: { .flash($0) })

    package static let battery = choice(
        key: "6", label: "battery", word: "battery",
        effect: "`low`: no haptic is played, which the face shows, and every flash operation takes its longest time",
        worst: .low,
        notice: "battery low", value: { $0.supply }, change: { .battery($0) })

    /// Makes a fault whose value is either `worst` or the normal value.
    private static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
        key: String, label: String, word: String, effect: String, worst: Value, notice: String,
        value: @escaping @Sendable (WatchFaults) -> Value, change: @escaping @Sendable (Value) -> FaultChange
    ) -> Fault {
        Fault(
            key: key, label: label,
            forms: [Form(word: word, argument: .choice(Value.allCases.map { ($0.rawValue, change($0)) }))],
            effect: effect, size: { value($0).rawValue },
            next: { faults in change(Value.allCases.first { $0.rawValue != value(faults).rawValue } ?? worst) },
            notice: { value($0).rawValue == worst.rawValue ? notice : nil })
    }

    package static let none = Fault(
        key: "0", label: "no faults", forms: [Form(word: "none", argument: .none(.none))],
        effect: "ends every fault", size: { _ in "" }, next: { _ in .none }, notice: { _ in nil })
}

/// Returns the smallest of `sizes` that is larger than `size`, or the first if none is larger. `sizes` must ascend.
private func following<Size: Comparable>(_ size: Size, in sizes: [Size]) -> Size {
    sizes.first { $0 > size } ?? sizes[0]
}

/// One kind of fault, with its key and label in the terminal's menu, its script commands, and its texts for the help and the
/// documentation.
package struct Fault: Sendable, Equatable {
    enum Argument: Sendable {
        case none(FaultChange)
        case number(name: String, ClosedRange<UInt32>, @Sendable (UInt32) -> FaultChange)
        case optionalDuration(example: String, without: FaultChange, @Sendable (Microseconds) -> FaultChange)
        case choice([(word: String, change: FaultChange)])
    }

    struct Form: Sendable {
        var word: String
        var argument: Argument
    }

    /// The key that selects the fault in the terminal's menu.
    package var key: String
    /// The fault's name in the terminal's menu, at most 14 characters.
    var label: String
    var forms: [Form]
    var effect: String
    /// Returns the fault's present value as text, such as `30 %` or `cut`. Empty for `none`.
    var size: @Sendable (WatchFaults) -> String
    package var next: @Sendable (WatchFaults) -> FaultChange
    /// Returns the words for the fault in the side panel. Nil if the fault is not active.
    var notice: @Sendable (WatchFaults) -> String?

    package static func == (one: Fault, other: Fault) -> Bool { one.key == other.key }

    package func meaning(_ faults: WatchFaults) -> String {
        let size = size(faults)
        guard !size.isEmpty else { return label }
        return label + String(repeating: " ", count: 15 - label.count) + size
    }
}

extension Fault.Form {
    /// The syntax after the word `fault` in a script, such as `loss PERCENT`.
    var synopsis: String {
        switch argument {
        case .none: word
        case .number(let name, _, _): "\(word) \(name)"
        case .optionalDuration: "\(word) [DURATION]"
        case .choice(let choices): "\(word) \(choices.map(\.word).joined(separator: "|"))"
        }
    }

    var allowed: String {
        switch argument {
        case .none: "fault \(word) alone"
        case .number(let name, let range, _):
            "fault \(word) \(name) with \(name) \(range.lowerBound) to \(range.upperBound)"
        case .optionalDuration(let example, _, _): "fault \(word), or fault \(word) DURATION such as \(example)"
        case .choice(let choices): choices.map { "fault \(word) \($0.word)" }.joined(separator: " or ")
        }
    }
}
