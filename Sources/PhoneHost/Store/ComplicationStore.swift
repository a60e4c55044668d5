import Foundation
import GRDB
import WatchLink
import Wormhole

struct LatestPublication {
    /// True if the phone has published a changed value or queued a push, so there may be something to send to every
    /// watch.
    var isNew: Bool
    /// When the phone must next update the published values (`Delivery.latest`) even if the database does not change,
    /// in local seconds since 1970; nil for never.
    let nextUpdate: UInt32?
}

/// Publishes the time line of the watch face's complication. Call these functions inside a transaction.
enum ComplicationStore {
    /// Publishes a changed time line at once. If the only change is new entries at the end, publishes the time line at
    /// most once in ten minutes.
    ///
    /// If the face now shows a note whose push is not queued yet, queues the push.
    static func publish(
        _ db: Database, _ latest: LatestFeed, _ dependencies: PhoneDependencies
    ) throws -> LatestPublication {
        let now = dependencies.localSeconds(dependencies.now())
        let plan = latest.plan(from: now)
        let payload = try LatestStore.published(db, .complication)
        let published = payload.flatMap { try? ComplicationTimeline(payload: $0) }
        var pause = try pauseLeft(db, at: dependencies.now())
        var timeline = published ?? ComplicationTimeline(plan.entries)
        switch timeline.update(to: plan, at: now) {
        case .unchanged: break
        case .reload(let reloaded): timeline = reloaded
        case .extend(let longer):
            guard pause == 0 else { break }
            timeline = longer
            pause = ComplicationTimeline.extensionPause
            try db.execute(
                cached: "UPDATE host SET lineExtendedAt = ?", arguments: [dependencies.now().storedMilliseconds])
        }
        var isNew = try LatestStore.publish(db, try ComplicationFeed(timeline).message(), over: payload)
        let wanted = latest.notes.isEmpty ? [] : try NoteTable.wantingPush(db)
        if case .note(let number) = plan.step(at: now)?.span.source, wanted.contains(number) {
            try NoteTable.pushed(db, number)
            if try queuePush(db, dependencies) { isNew = true }
        }
        let push = plan.steps.first { step in
            guard step.date > now, case .note(let number) = step.span.source else { return false }
            return wanted.contains(number)
        }
        // Tomorrow, further usual trips may come within the time that the plan covers.
        let (tomorrow, overflow) = now.addingReportingOverflow(86_400)
        let later = latest.usualTrips.isEmpty || overflow ? nil : tomorrow
        let mayExtend = timeline.nextUpdate(at: plan, now: now).map { max($0, now + min(pause, .max - now)) }
        let looks = [push?.date, later, mayExtend]
        return LatestPublication(isNew: isNew, nextUpdate: looks.compactMap(\.self).min())
    }

    /// Queues a push for each watch that has none in its queue. A push within the daily budget makes the face show the
    /// watch's newest values at once. Returns whether this call queued any push.
    static func queuePush(_ db: Database, _ dependencies: PhoneDependencies) throws -> Bool {
        let message = try ComplicationFeed.push()
        let push = OutboundMessage(name: MessageName(message.name), payload: message.payload)
        let payment = ComplicationPayment(
            day: dependencies.localDay, daily: WormholeConfiguration(role: .phone).complicationsADay)
        var queued = false
        for watch in try Int64.fetchAll(db, cached: "SELECT identity FROM watch ORDER BY identity") {
            let peer = PeerIdentity(column: watch)
            guard try !waits(db, push.name, for: peer, payment) else { continue }
            do {
                _ = try QueueTable.append(
                    db, push, to: peer, paying: payment, atMost: FeedStore.mostWaitingOfPrograms)
                queued = true
            } catch WormholeError.queueFull {
                // The watch has been away for long. When it returns, it shows its newest values even without a push.
            }
        }
        return queued
    }

    /// Whether a push is already in this watch's queue. Ignores pushes that were not charged to a daily budget, unless
    /// the watch's budget for this day is used up.
    private static func waits(
        _ db: Database, _ name: MessageName, for peer: PeerIdentity, _ payment: ComplicationPayment
    ) throws -> Bool {
        let left = try BudgetTable.budget(db, of: peer).remaining(on: payment.day, of: payment.daily)
        return try StoredRow.one(
            db, of: "message",
            sql: """
                SELECT number FROM message WHERE peer = ? AND sequence IS NOT NULL AND fate = 'queued' AND name = ?
                AND (delivery = 'complication' OR ? = 0) LIMIT 1
                """, arguments: [peer.column, name.text, left]) != nil
    }

    /// Returns the seconds until the phone may extend the time line again. Returns 0 if the phone may extend it now, or
    /// if the clock was set back since the last extension.
    private static func pauseLeft(_ db: Database, at now: Date) throws -> UInt32 {
        let last: Date? = try StoredRow.one(db, of: "host", sql: "SELECT lineExtendedAt FROM host")?["lineExtendedAt"]
        guard let passed = last.map(now.timeIntervalSince), passed >= 0 else { return 0 }
        return UInt32(max(0, Double(ComplicationTimeline.extensionPause) - passed).rounded(.up))
    }
}

extension LatestFeed {
    init(_ db: Database, _ present: FeedStore.PresentList, _ dependencies: PhoneDependencies) throws {
        let now = dependencies.now()
        let changed: Date? = try StoredRow.one(
            db, of: "list", sql: "SELECT changedAt FROM list WHERE number = ?", arguments: [present.list.number])?[
                "changedAt"]
        self.init(
            listName: present.list.name, remaining: present.window.total, next: present.first,
            // The clock may have been ahead when the change was stored. If so, the change counts as made now.
            changed: changed.map { dependencies.localSeconds(min($0, now)) } ?? 0,
            lastTrip: try History.lastCheckOff(db, of: present.list, now: now).map(dependencies.localSeconds),
            usualTrips: present.window.total > 0
                ? UsualTrips() : try UsualTrips(db, of: present.list, at: now, dependencies),
            notes: try NoteTable.present(db, at: now).map { ComplicationNote($0, dependencies) })
    }
}

extension UsualTrips {
    fileprivate init(_ db: Database, of list: ListRecord, at now: Date, _ dependencies: PhoneDependencies) throws {
        let weeks = TimeInterval(UsualTrips.weeks * UsualTrips.week)
        let checkOffs = try History.checkOffs(db, of: list, since: now.addingTimeInterval(-weeks))
        self.init(checkOffs: checkOffs.map(dependencies.localSeconds), now: dependencies.localSeconds(now))
    }
}
