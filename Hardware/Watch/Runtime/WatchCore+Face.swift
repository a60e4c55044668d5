import WatchLink

extension WatchCore where B: ~Copyable {
    /// Works out what the complication says now, from what the watch already has. It always has something to say.
    mutating func updateComplication() {
        fullest = remaining == 0 ? 0 : max(fullest, remaining)
        complication = currentContent
    }

    private var currentContent: ComplicationContent {
        mutating get {
            if remaining > 0, let next = nextTitle {
                return .items(remaining: remaining, outOf: fullest, next: next)
            }
            guard let now = board.calendar else { return .placeholder }
            if let index = data.timeline.index(at: now), data.timeline[index].content == .text {
                return .text(data.timeline[index].text)
            }
            switch data.lastTrip {
            case .ended(let time): return .lastTrip(secondsAgo: time < now ? now.seconds - time.seconds : 0)
            case .never: return .date(now)
            }
        }
    }

    /// The title of the first row that is not struck.
    private var nextTitle: ItemTitle? {
        for row in 0..<data.items.count {
            switch data.items[row].state {
            case .waiting: return data.items[row].title
            case .struck: continue
            }
        }
        return nil
    }

    /// Draws the face.
    mutating func drawFace(_ state: FaceState) {
        updateComplication()
        let time: FaceTime
        let content: ComplicationContent
        switch (state, board.calendar) {
        case (_, nil):
            (time, content) = (.unset, complication)
        case (.now, let now?):
            (time, content) = (.current(now), complication)
        case (.travelling(let steps), let now?):
            if let entry = data.timeline.entry(Int(steps), stepsFrom: now) {
                time = .travelled(minutes: now.minutes(to: entry.date), time: LocalTime(seconds: entry.date))
                content = self.content(of: entry)
            } else {
                (time, content) = (.current(now), complication)
            }
        }
        FaceAppearance(time: time, complication: Complication(content)).draw(into: &framebuffer)
    }

    private func content(of entry: ComplicationEntry) -> ComplicationContent {
        switch entry.content {
        case .items: .items(remaining: entry.remaining, outOf: fullest, next: entry.text)
        case .text: .text(entry.text)
        }
    }

    /// Draws a sheet.
    @inline(never)
    mutating func drawSheet(_ sheet: Sheet) {
        switch sheet {
        case .status:
            let waiting = UInt32(truncatingIfNeeded: data.outbox.count)
            SheetAppearance.status(link: linkIndicator, waiting: waiting).draw(into: &framebuffer)
        case .fullTitle(let id):
            let title = data.items.row(of: id).map { data.items[$0].title } ?? ItemTitle()
            SheetAppearance.fullTitle(title).draw(into: &framebuffer)
        case .pairing(let digits, _):
            SheetAppearance.pairing(digits: digits).draw(into: &framebuffer)
        }
    }

    /// Makes the face stale when the minute it shows is over.
    mutating func noticeMinute() {
        guard case .face = screen, let now = board.calendar, now.seconds / 60 != shownMinute else { return }
        shownMinute = now.seconds / 60
        stale.insert(.everything)
    }

    /// When the face shows the wrong minute, if it is on the panel.
    var nextMinute: Instant? {
        mutating get {
            guard case .face = screen, let now = board.calendar else { return nil }
            return board.now + .seconds(60 - now.seconds % 60)
        }
    }
}

extension LocalTime {
    /// Whole minutes from this time to `other`, negative where that is earlier.
    fileprivate func minutes(to other: UInt32) -> Int32 {
        other >= seconds
            ? Int32(truncatingIfNeeded: (other - seconds) / 60) : -Int32(truncatingIfNeeded: (seconds - other) / 60)
    }
}
