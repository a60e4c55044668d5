import WatchLink
import Wormhole

// A file arrives whole, or its sender is told why not. No incomplete file is visible.
extension DeliveryOracle {
    /// Returns a violation if a file in the directory of `end` is incomplete, or was not sent by the other end.
    static func partial(_ visible: [FileFolder.Visible], at end: LinkEnd, of intents: Intents) -> Violation? {
        for file in visible {
            let number = EndProgram.number(ofFile: file.name)
            guard let sent = intents.files.first(where: { $0.number == number && $0.from != end }) else {
                return Violation(.fileIsWhole, "no program has sent \(file.name), which is seen on the \(end)")
            }
            guard sent.bytes == file.bytes else {
                return Violation(
                    .fileIsWhole,
                    "\(file.name) is seen on the \(end), and is not what was sent: \(file.bytes.count) bytes of \(sent.bytes.count)"
                )
            }
        }
        return nil
    }

    func judgeFiles(_ evidence: Evidence) -> Violation? {
        let fates = lastFates
        for end in LinkEnd.allCases {
            let visible = evidence.visible[end] ?? []
            if let violation = DeliveryOracle.partial(visible, at: end, of: intents) { return violation }
            let counts = Dictionary(grouping: visible) { EndProgram.number(ofFile: $0.name) }
            for file in intents.files where file.from != end {
                let count = counts[file.number]?.count ?? 0
                if count > 1 {
                    return Violation(.fileIsWhole, "file \(file.number) is there \(count) times")
                }
                if let wrong = wrong(file, fates[file.number], isThere: count == 1) {
                    return Violation(.fileIsWhole, "file \(file.number) \(wrong)")
                }
            }
        }
        return nil
    }

    /// Returns why the fate of a file is wrong, or nil if it is right.
    private func wrong(_ file: Intents.File, _ fate: MessageFate?, isThere: Bool) -> String? {
        switch fate {
        case .applied: return isThere ? nil : "is applied, and is not there"
        case nil:
            // If the sender is killed when the transfer ends, no program learns the fate.
            return isThere || file.certainty != .taken || !file.excuses.isEmpty
                ? nil : "is not there, and its sender was not told"
        case .failed(.cancelled) where file.excuses.contains(.cancelledBySender): return nil
        case .failed(.fileRefused(.cancelled)) where file.excuses.contains(.cancelledByReceiver): return nil
        case .failed(.fileRefused(.noRoom)) where file.excuses.contains(.noRoom): return nil
        case .failed(.fileRefused(.failed)) where file.excuses.contains(.noRoom): return nil
        case .failed(let failure): return "has failed for nothing: \(failure)"
        case .queued, .sent, .delivered, .expired: return "has come to its end as \(fate.map { "\($0)" } ?? "")"
        }
    }

    private var lastFates: [Int: MessageFate] {
        var fates: [Int: MessageFate] = [:]
        let files = Set(intents.files.map(\.number))
        for case .ended(let number, let fate) in facts.map(\.fact) where files.contains(number) { fates[number] = fate }
        return fates
    }
}
