import WatchLink

extension WatchCore where B: ~Copyable {
    /// Does one step of the link, such as receiving or sending a datagram. Returns false if there was nothing to do, or
    /// if the radio had no room.
    @inline(never)
    mutating func serviceLink<Handler: MessageDeclaring>(for handler: Handler.Type) -> Bool {
        let state = LinkState(
            positions: data.streamPositions, rowsCheck: rowsCheck, floorOrigin: data.outbox.acknowledgedOrigin,
            takesDatagrams: data.messages.hasRoomForArrival && store.takesMessages(for: data),
            owesExchange: data.messages.owesFrame,
            owesFileFrame: Handler.largestFile > 0 && files.owed != nil)
        switch link.step(state, data.messages, on: &board) {
        case .idle:
            return false
        case .done:
            break
        case .channelChanged, .closed:
            loseLink()
            display.invalidate(.title)
        case .opened:
            completeHandshake(for: handler)
        case .message(let header, let datagram, let arrived):
            take(header, datagram, arrivedAt: arrived)
            // During a flood of messages, upkeep has no other chance to run.
            _ = maintainJournal()
        case .acknowledged(let acknowledgement):
            forget(acknowledgement)
        case .ended(let reason):
            end(reason)
        case .sendQueued(let sequence):
            return send(sequence)
        case .sendLatest(let revision):
            return sendValue(after: revision)
        case .question(let header, let datagram, let arrived):
            takeQuestion(header, datagram, arrivedAt: arrived)
        case .reply(let header, let datagram):
            takeReply(header, datagram)
        case .sendExchange:
            return sendExchange()
        case .file(let datagram):
            if Handler.largestFile > 0 {
                takeFileFrame(datagram)
            } else {
                // A stage that waits for the phone takes no files. The transfer continues on the next link.
                link.session.close(.goingAway, at: board.now)
            }
        case .sendFileFrame:
            return Handler.largestFile > 0 && sendFileFrame()
        }
        return true
    }

    /// Serves only the link and the journal, for a stage that waits for the phone. Ends when `isDone` is true, when
    /// `length` has passed, when the phone is disconnected, or when there is no room for a message from the phone.
    mutating func serveLink(atMost length: Microseconds, until isDone: (borrowing WatchData) -> Bool) {
        let deadline = board.now + length
        // If the handler must first take a message, nothing more can arrive.
        while !isDone(data), link.indicator != .down, board.now < deadline, data.messages.hasRoomForArrival {
            if serviceLink(for: NoMessages.self) || maintainJournal() { continue }
            board.idle(until: min(deadline, link.deadline ?? deadline))
        }
    }

    /// Whether the phone has acknowledged everything that was done on the watch, and the watch has applied everything
    /// that was done on the phone before the phone connected. False if the watch could not store its last record.
    var isSynchronized: Bool {
        link.session.isSynchronized && taps.deferred.isEmpty && data.outbox.isEmpty && store.keeps
    }

    /// The checksum of the rows, which the phone compares with its own. Nil while queued messages, deferred stages or a
    /// held row can still change the rows on the watch or on the phone.
    private var rowsCheck: UInt32? {
        data.outbox.isEmpty && taps.deferred.isEmpty && !taps.holdsRow ? data.rowsCheck : nil
    }

    /// If the status sheet has shown the notice of a loss for long enough, records the notice as read.
    mutating func noteSeen(at time: Instant) {
        data.losses.noteRead(display.readNotice(at: time))
    }

    @inline(never)
    private mutating func completeHandshake(for handler: (some MessageDeclaring).Type) {
        guard let phone = link.session.peer, meet(phone: phone.identity, for: handler) else { return }
        linkNotice = .none
        let positions = link.session.positions
        complication.pace.latestExpected = phone.latestIssued
        var isChanged = data.resume(positions, queuedIssued: phone.queuedIssued)
        if case .lost(let messages) = phone.report, messages > 0 {
            // The loss must be in flash before the watch answers: after an answer, the phone no longer reports it.
            data.losses.insert(.ofPhone)
            isChanged = true
        }
        forget(Acknowledgement(queued: positions.queuedAcknowledged, latest: 0), knowsRejections: false)
        if isChanged { store.keep(.positions, of: &data, on: &board) }
        if let localTime = phone.localTime { board.setCalendar(LocalTime(seconds: localTime)) }
        display.invalidate(.title)
        display.invalidateStatus()
        display.setPlaceholder(data.placeholder, rows: data.items.count)
    }

    private mutating func loseLink() {
        data.messages.loseExchanges()
        files.loseLink()
        if complication.pace.endGathering(at: board.now) { display.invalidateFace() }
    }

    private mutating func end(_ reason: CloseReason) {
        loseLink()
        display.invalidate(.title)
        switch reason {
        case .historyLost, .goingAway:
            // The phone has acknowledged messages that were never issued, or this watch numbers its messages anew.
            beginEpoch()
        case .peerLeft(let goodbye):
            if goodbye.reason == .replaced { linkNotice = .replaced }
        case .refused, .replaced, .otherPhone, .otherVersion, .protocolFault, .silent, .noHello, .transportTooSmall:
            break
        }
        display.invalidateStatus()
    }

    @inline(never)
    private mutating func take(_ header: MessageHeader, _ datagram: FixedArray<UInt8>, arrivedAt arrived: Instant) {
        data.noteApplied(header)
        let outcome = apply(header, datagram)
        if hasArrivedInFull, complication.pace.endGathering(at: board.now) { display.invalidateFace() }
        if !display.isDrawn || !display.isShown, header.delivery == .queued { awaitArrival(since: arrived) }
        // A rejected or withdrawn message has no record of its own, but is acknowledged like an applied message.
        if header.delivery == .queued, outcome != .applied || !header.hasValue {
            store.keep(.positions, of: &data, on: &board)
        }
        display.setPlaceholder(data.placeholder, rows: data.items.count)
        link.applied(header, outcome, arrivedAt: arrived, now: board.now)
    }

    private mutating func apply(_ header: MessageHeader, _ datagram: FixedArray<UInt8>) -> ApplyOutcome {
        do throws(CBORError) {
            let body = try MessageBody(datagram.span, header: header)
            guard let name = FeedName(body.name), name.delivery == header.delivery else {
                if header.hasValue, header.delivery == .queued, FeedName(body.name) == .complication {
                    return takePush(MessageCharge(FrameKind(rawValue: datagram[0])))
                }
                return takeForHandler(header, body, datagram)
            }
            let item = taps.heldItem
            if header.hasValue, !(try data.hasRoom(for: name, body.payload, holding: item)) {
                return .rejected(.noRoom)
            }
            let rows = display.checkOfRows(data)
            data.items.firstInView = display.firstListRow
            let time = board.calendar
            let before = complication.content(at: time, data.timeline, lastCheckOff: data.lastCheckOff)
            let effect = header.hasValue ? try data.apply(name, body.payload, holding: item) : data.clear(name)
            switch effect {
            case .list, .title, .complication, .past:
                let payload = datagram.slice(datagram.count - body.payload.count..<datagram.count)
                store.keep(.received(name, sequence: header.sequence, payload), of: &data, on: &board)
                show(effect, rowsBefore: rows)
                updateComplication(from: before, at: time)
            case .passing: break
            case .passed: store.keep(.positions, of: &data, on: &board)
            }
            return .applied
        } catch {
            return .rejected(.malformed)
        }
    }

    private mutating func show(_ effect: DataEffect, rowsBefore: UInt32?) {
        display.followRows(data.items)
        switch effect {
        case .list where rowsBefore != nil && rowsBefore == display.checkOfRows(data):
            // Redrawing all rows would make a tap wait: on the memory LCD, 16 ms to draw six rows and 18 ms to send them.
            display.drawCount(data, link.indicator)
            // While a row is held, the scroll indicator stays as it is until the row is removed.
            if !taps.holdsRow { display.drawIndicator(data, link.indicator) }
        case .list: display.invalidate(.listScreen)
        case .title: display.invalidate(.title)
        // During time travel, the face shows an entry of the time line. `UpdatePace` does not delay that.
        case .complication: display.invalidateFace()
        case .past, .passing, .passed: break
        }
        display.invalidateSheet()
    }

    private mutating func awaitArrival(since arrived: Instant) {
        if awaited == nil { awaited = (.arrival, since: arrived) }
    }

    /// Updates the complication after a change by the phone. The face has shown the content `before`, and shows the new
    /// content as soon as `UpdatePace` allows.
    @inline(never)
    private mutating func updateComplication(from before: ComplicationContent, at time: LocalTime?) {
        complication.update(remaining: data.remaining, next: data.items.firstWaitingTitle)
        let after = complication.newest(at: time, data.timeline, lastCheckOff: data.lastCheckOff)
        guard after.check != before.check else { return }
        if complication.pace.changed(from: before, isWhole: hasArrivedInFull, at: board.now) {
            display.invalidateFace()
        }
    }

    private var hasArrivedInFull: Bool {
        data.positions.isListComplete && data.positions.latestApplied >= complication.pace.latestExpected
    }

    /// Applies the phone's push of the complication. If the push is charged to the phone's daily budget, the face shows
    /// the newest content at once, even if `UpdatePace` was delaying it. Otherwise the push changes nothing on the
    /// face.
    private mutating func takePush(_ charge: MessageCharge) -> ApplyOutcome {
        switch charge {
        case .nothing: break
        case .complication:
            complication.pace.release()
            display.invalidateFace()
        }
        store.keep(.positions, of: &data, on: &board)
        return .applied
    }

    @inline(never)
    private mutating func forget(_ acknowledgement: Acknowledgement, knowsRejections: Bool = true) {
        let now = board.now
        data.messages.settle(
            above: data.outbox.acknowledgedSequence, acknowledgement, knowsRejections: knowsRejections)
        let waiting = data.outbox.count
        while let entry = data.outbox.popAcknowledged(upTo: acknowledgement.queued) {
            guard let tap = entry.tap, let sentAt = entry.sentAt else { continue }
            let committed = Self.commitTime(
                sentAt: sentAt, acknowledgedAt: now, heldFor: UInt64(word: acknowledgement.heldFor))
            board.trace(.mark(.committed, tap: tap, at: committed))
            board.trace(.mark(.acknowledged, tap: tap, at: now))
        }
        if data.outbox.count < waiting { display.invalidateStatus() }
    }

    /// Estimates when the phone stored a message, on the assumption that the radio takes equally long in both
    /// directions. `heldFor` is in microseconds.
    private static func commitTime(sentAt: Instant, acknowledgedAt: Instant, heldFor: UInt64) -> Instant {
        let total = (acknowledgedAt - sentAt).count
        let held = min(heldFor, total)
        return sentAt + Microseconds((total &- held) / 2 &+ held)
    }

    /// Writes a message to flash, then queues the message for the phone. If the message could not be written, queues
    /// nothing and returns false.
    @inline(never)
    mutating func issue(_ message: OutboxMessage, tap: TapNumber? = nil) -> Bool {
        guard let sequence = store.issue(message, tap: tap, of: &data, on: &board) else { return false }
        link.session.issued(queuedUpTo: sequence)
        display.invalidateStatus()
        if let tap { mark(.durable, tap: tap) }
        return true
    }

    @inline(never)
    private mutating func send(_ sequence: UInt32) -> Bool {
        let message = data.outbox.message(sequence)
        guard let sent = link.send(message, sequence: sequence, epoch: data.epoch, data.messages, on: &board) else {
            return false
        }
        if let tap = data.outbox.markSent(sequence, at: sent) { board.trace(.mark(.sent, tap: tap, at: sent)) }
        return true
    }
}

extension WatchCore where B: ~Copyable {
    @inline(never)
    mutating func takeQuestion(_ header: InteractiveHeader, _ datagram: FixedArray<UInt8>, arrivedAt arrived: Instant) {
        let question = PhoneQuestion(
            number: header.number, wish: header.wish,
            until: arrived + Microseconds(UInt64(word: header.timeout) &* 1_000))
        data.messages.closeLate(at: arrived)
        do throws(CBORError) {
            let body = try MessageBody(interactive: datagram.span)
            guard let slot = data.messages.index(of: body.name, .questionFromPhone) else {
                return owe(.noListener, to: question)
            }
            guard body.payload.count <= data.messages.slots[slot].capacity else { return owe(.failed, to: question) }
            switch data.messages.slots[slot].state {
            case .asked, .answered: return owe(.busy, to: question)
            case .empty, .received, .issued, .unsent, .open, .closed: break
            }
            data.messages.put(body.payload, in: slot)
            data.messages.slots[slot].state = .asked(question, .unseen)
        } catch {
            owe(.malformed, to: question)
        }
    }

    private mutating func owe(_ status: ReplyStatus, to question: PhoneQuestion) {
        if !data.messages.refuse(ReplyHeader(number: question.number, status: status)) {
            link.session.close(.protocolFault(.windowExceeded), at: board.now)
        }
    }

    @inline(never)
    mutating func takeReply(_ header: ReplyHeader, _ datagram: FixedArray<UInt8>) {
        // The reply came too late: no question waits for it.
        guard let slot = data.messages.index(ofQuestion: header.number) else { return }
        let value = datagram.slice(min(ReplyHeader.size, datagram.count)..<datagram.count)
        guard header.status == .answered else { return data.messages.close(slot, .refused(header.status)) }
        guard value.count <= data.messages.slots[slot].capacity, WatchCore.isValue(value)
        else { return data.messages.close(slot, .refused(.tooLong)) }
        data.messages.close(slot, .answered)
        data.messages.put(value.span, in: slot)
    }

    private static func isValue(_ bytes: FixedArray<UInt8>) -> Bool {
        guard bytes.count > 0 else { return true }
        var reader = CBORReader(bytes.span)
        guard (try? reader.skip()) != nil else { return false }
        return reader.isAtEnd
    }

    /// Sends the watch's latest value (`LinkDelivery.latest`) with the lowest revision above `revision`. Does nothing if there
    /// is none. Returns false if the radio had no room.
    @inline(never)
    mutating func sendValue(after revision: UInt32) -> Bool {
        guard let slot = data.messages.nextIssued(after: revision),
            case .issued(_, let own) = data.messages.slots[slot].state
        else {
            link.skipLatest()
            return true
        }
        guard link.send(.value(slot: slot, revision: own), data.messages, on: &board) else { return false }
        link.session.sent(.latest, sequence: own, at: board.now)
        return true
    }

    /// Returns the time from now until `time` in milliseconds: 0 if `time` has passed, and at most an hour.
    private mutating func milliseconds(until time: Instant) -> UInt32 {
        let now = board.now
        guard now < time else { return 0 }
        // Divides 32 bits, because the processor has no 64-bit division.
        let left = (time - now).count
        return min(left.highWord == 0 ? left.lowWord / 1_000 : .max, 3_600_000)
    }

    @inline(never)
    mutating func sendExchange() -> Bool {
        guard let slot = data.messages.owedFrame else {
            guard let header = data.messages.nextRefusal else { return false }
            guard link.send(.refusal(header), data.messages, on: &board) else { return false }
            data.messages.dropRefusal()
            return true
        }
        switch data.messages.slots[slot].state {
        case .unsent(let question, let numbered):
            guard let number = numbered ?? link.session.ask() else {
                data.messages.close(slot, .outOfReach)
                return true
            }
            data.messages.slots[slot].state = .unsent(question, number: number)
            let header = InteractiveHeader(
                number: number, timeout: milliseconds(until: question.until), wish: question.wish)
            guard link.send(.question(slot: slot, header), data.messages, on: &board) else { return false }
            data.messages.slots[slot].state = .open(question, number: number)
        case .answered(let question, let status):
            let header = ReplyHeader(number: question.number, status: status)
            guard link.send(.reply(slot: slot, header), data.messages, on: &board) else { return false }
            data.messages.slots[slot].state = .empty
        case .empty, .received, .issued, .open, .closed, .asked: break
        }
        return true
    }
}
