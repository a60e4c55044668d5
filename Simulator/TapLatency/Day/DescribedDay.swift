import WatchLink

/// A day of a watch's wearer, as far as the model knows of it: what happens, and how often. The watch is connected all day.
package struct DescribedDay: Sendable, Codable, Equatable {
    /// How often the wearer opens the list to look at it.
    package var looks: Int
    /// How often the wearer opens the list and checks an item off.
    package var taps: Int
    /// How often an item changes on the phone.
    package var changes: Int

    /// A day on which a wearer uses the watch now and then: every twelve minutes of sixteen hours, half as often for a tap, and
    /// somebody who edits the list on the phone. Assumed, all three.
    package static let usual = DescribedDay(looks: 80, taps: 40, changes: 30)

    /// How far apart happenings are: as long as it takes until the connection is at rest again, and longer.
    static let apart = Microseconds.seconds(30)
    /// As many as a day has room for.
    static let most = 24 * 60 * 2

    package init(looks: Int, taps: Int, changes: Int) {
        self.looks = looks
        self.taps = taps
        self.changes = changes
    }

    /// - Throws: `.day` where no day has room for that.
    func check() throws(TapLatencyError) {
        let counts = [looks, taps, changes]
        guard counts.allSatisfy({ (0...DescribedDay.most).contains($0) }), counts.reduce(0, +) <= DescribedDay.most
        else { throw .day(looks: looks, taps: taps, changes: changes) }
    }

    /// How often something happens.
    func count(of happening: DayHappening) -> Int {
        switch happening {
        case .look: looks
        case .tap: taps
        case .change: changes
        }
    }
}

/// What happens on a day, from a face with a connection at rest to the same again.
package enum DayHappening: String, Sendable, CaseIterable {
    /// The wearer opens the list, reads it for five seconds and goes back to the face.
    case look
    /// The wearer opens the list, taps a row a second later, and goes back to the face four seconds after the watch has handled that.
    case tap
    /// The phone's owner renames an item of the list.
    case change
}
