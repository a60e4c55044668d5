import Foundation

extension CalendarObject {
    /// A new to-do.
    ///
    /// - Parameters:
    ///   - uid: names it; letters, digits and dashes.
    ///   - now: the time of this edit.
    package init(uid: String, title: String, state: TodoState, detail: TodoDetail, created: Date, now: Date)
        throws(Unfit)
    {
        try self.init(
            """
            BEGIN:VCALENDAR
            VERSION:2.0
            PRODID:-//Tapline//Phone//EN
            BEGIN:VTODO
            UID:\(uid)
            DTSTAMP:\(CalendarTime.writing(now))
            CREATED:\(CalendarTime.writing(created))
            SUMMARY:x
            STATUS:NEEDS-ACTION
            END:VTODO
            END:VCALENDAR
            """)
        edit(title: title, state: state, detail: detail.changes(since: TodoDetail()), now: now)
    }

    /// Gives the to-do the title, the state, and the amount and note of a row; nil, or none, where the row has not changed it.
    ///
    /// Nothing else changes but the times of this edit. LAST-MODIFIED is later than it was, in its whole seconds, and never before
    /// COMPLETED, so that an older copy can be told from a later edit though clocks differ.
    package mutating func edit(title: String?, state: TodoState?, detail: [TodoDetail.Change], now: Date) {
        if let title { set("SUMMARY", to: EscapedText.writing(title)) }
        describe(detail)
        switch state {
        case .completed(let time):
            set("STATUS", to: "COMPLETED")
            set("PERCENT-COMPLETE", to: "100")
            // Parameters of an earlier time would be wrong.
            remove("COMPLETED")
            set("COMPLETED", to: CalendarTime.writing(time))
        case .open:
            set("STATUS", to: "NEEDS-ACTION")
            remove("PERCENT-COMPLETE")
            remove("COMPLETED")
        case nil: break
        }
        let latest =
            [now, self.state.completedAt, lastModified?.addingTimeInterval(1)].compactMap(\.self).max() ?? now
        set("LAST-MODIFIED", to: CalendarTime.writing(latest))
        set("DTSTAMP", to: CalendarTime.writing(latest))
    }
}
