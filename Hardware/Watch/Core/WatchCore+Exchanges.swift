import WatchLink

// Questions and answers on the link.
extension WatchCore where B: ~Copyable {
    /// Takes a question of the phone's.
    @inline(never)
    mutating func takeQuestion(_ header: InteractiveHeader, _ datagram: FixedArray<UInt8>, arrivedAt arrived: Instant) {
        let question = PhoneQuestion(
            number: header.number, wish: header.wish,
            until: arrived + Microseconds(UInt64(word: header.patience) &* 1_000))
        data.messages.closeLate(at: arrived)
        do throws(CBORError) {
            let body = try MessageBody(interactive: datagram.span)
            guard let slot = data.messages.index(of: body.name, .questionFromPhone) else {
                return owe(.nobody, to: question)
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

    /// Owes a reply to a question that no slot holds.
    private mutating func owe(_ status: ReplyStatus, to question: PhoneQuestion) {
        if !data.messages.refuse(ReplyHeader(number: question.number, status: status)) {
            link.close(.protocolFault(.windowExceeded), at: board.now)
        }
    }

    /// Takes a reply of the phone's.
    @inline(never)
    mutating func takeReply(_ header: ReplyHeader, _ datagram: FixedArray<UInt8>) {
        // Where nobody waits for it any more, it was late.
        guard let slot = data.messages.index(ofQuestion: header.number) else { return }
        let value = datagram.slice(min(ReplyHeader.size, datagram.count)..<datagram.count)
        guard header.status == .answered else { return data.messages.close(slot, .refused(header.status)) }
        guard value.count <= data.messages.slots[slot].capacity, WatchCore.isValue(value)
        else { return data.messages.close(slot, .refused(.tooLong)) }
        data.messages.close(slot, .answered)
        data.messages.put(value.span, in: slot)
    }

    /// Whether bytes are one data item, or none at all.
    private static func isValue(_ bytes: FixedArray<UInt8>) -> Bool {
        guard bytes.count > 0 else { return true }
        var reader = CBORReader(bytes.span)
        guard (try? reader.skip()) != nil else { return false }
        return reader.isAtEnd
    }

    /// Sends a value. Returns whether the radio took it, or there was none.
    @inline(never)
    mutating func sendValue(after revision: UInt32) -> Bool {
        guard let slot = data.messages.nextIssued(after: revision),
            case .issued(_, let own) = data.messages.slots[slot].state
        else {
            link.skipLatest()
            return true
        }
        return link.send(.value(slot: slot, revision: own), data.messages, on: &board)
    }

    /// The whole milliseconds until a time: an hour at most, and none where it is over.
    private mutating func milliseconds(until time: Instant) -> UInt32 {
        let now = board.now
        guard now < time else { return 0 }
        // 32 bits, because the processor has no division of 64.
        let left = (time - now).count
        return min(left.highWord == 0 ? left.lowWord / 1_000 : .max, 3_600_000)
    }

    /// Sends a question or a reply. Returns whether the radio took it.
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
            guard let number = numbered ?? link.nextQuestion() else {
                data.messages.close(slot, .outOfReach)
                return true
            }
            data.messages.slots[slot].state = .unsent(question, number: number)
            let header = InteractiveHeader(
                number: number, patience: milliseconds(until: question.until), wish: question.wish)
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
