import BluetoothBridge

/// Which watch a person pairs with, of those that are known and those that are nearby: the lines to print, the question,
/// and what an answer means. Nothing is chosen without an answer, because anybody can use a watch's name.
struct WatchChoice {
    /// Watches with keys.
    private let known: [BluetoothDevice]
    /// Watches without, in the order of their numbers.
    let candidates: [BluetoothDevice]

    /// A choice among watches.
    init(among watches: some Sequence<BluetoothDevice>) {
        let sorted = watches.sorted { $0.peer.address.description < $1.peer.address.description }
        known = sorted.filter(\.isBonded)
        candidates = sorted.filter { !$0.isBonded }
    }

    /// The number of watches with keys.
    var knownCount: Int { known.count }

    /// One line for each watch, those with keys first, and a warning where a name is used more than once.
    var lines: [String] {
        let old = known.map { watch in
            "\(watch.peer.address)  \(watch.shownName)  paired" + (watch.connection == .none ? "" : ", connected")
        }
        let new = candidates.enumerated().map { number, watch in
            let signal = watch.signalStrength.map { "\($0) dBm" } ?? "no signal"
            return "\(watch.peer.address)  \(watch.shownName)  \(signal)  new"
                + (candidates.count > 1 ? ": \(number + 1)" : "")
        }
        return old + new + repeatedNames.map { "Several watches are called \($0): compare the addresses" }
    }

    /// The names of candidates that another watch has as well, in order.
    private var repeatedNames: [String] {
        let counts = Dictionary(grouping: known + candidates, by: \.name).mapValues(\.count)
        return Set(candidates.compactMap(\.name)).filter { counts[$0, default: 0] > 1 }.sorted()
    }

    /// The question to the person.
    var question: String {
        switch candidates.count {
        case 1: "Pair with \(candidates[0].shownName), \(candidates[0].peer.address)? [y/n] "
        case let count: "Pair with which? [1-\(count), n] "
        }
    }

    /// The watch that an answer means; nil for none.
    func watch(for answer: String?) -> BluetoothDevice? {
        let answer = answer?.trimmingPrefix { $0.isWhitespace }.lowercased() ?? ""
        if candidates.count == 1 { return ["y", "yes"].contains(answer) ? candidates[0] : nil }
        guard let number = Int(answer), candidates.indices.contains(number - 1) else { return nil }
        return candidates[number - 1]
    }
}

extension BluetoothDevice {
    /// Its name, or a note that it has none.
    var shownName: String { name ?? "(no name)" }
}
