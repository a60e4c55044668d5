import WatchLink

/// Decodes any bytes as a frame or a message. Control frames, and messages other than lists and timelines, must be the
/// same after they are encoded and decoded again.
func fuzzMessages(_ input: FuzzInput) {
    var input = input
    // 0 is a control frame and 1 is a body. The application messages follow in the order of their raw values.
    let kind = input.byte() % 16
    let bytes = input.all
    switch ApplicationMessage(rawValue: kind &- 2) {
    case nil: kind == 1 ? readBody(bytes) : rewriteFrame(bytes)
    case .list, .past: readList(bytes)
    case .complication: readTimeline(bytes)
    case .check: rewrite(bytes) { (reader) throws(CBORError) in try CheckMessage(from: &reader) }
    case .reload: rewrite(bytes) { (reader) throws(CBORError) in try ReloadMessage(from: &reader) }
    case .title: rewrite(bytes) { (reader) throws(CBORError) in try TitleMessage(from: &reader) }
    case .add: rewrite(bytes) { (reader) throws(CBORError) in try AddMessage(from: &reader) }
    }
}

private func readBody(_ bytes: [UInt8]) {
    guard let header = try? MessageHeader(bytes.span), let body = try? MessageBody(bytes.span, header: header) else {
        return
    }
    _ = ApplicationMessage(name: body.name)
}

private func rewriteFrame(_ bytes: [UInt8]) {
    guard let frame = try? ControlFrame(bytes.span) else { return }
    let written = encoded { writer throws(CBORError) in try frame.encode(into: &writer) }
    precondition((try? ControlFrame(written.span)) == frame, "a control frame changes when it is written")
}

private func rewrite<Message: LinkMessage & Equatable>(
    _ bytes: [UInt8], _ read: (inout CBORReader) throws(CBORError) -> Message
) {
    var reader = CBORReader(bytes.span)
    guard let message = try? read(&reader) else { return }
    let written = encoded { writer throws(CBORError) in try message.encode(into: &writer) }
    var again = CBORReader(written.span)
    guard let second = try? read(&again) else { preconditionFailure("a message that was written cannot be read") }
    // A list name that is cut when it is read is written without the mark of a cut name. From then on it counts as
    // whole.
    let rewritten = encoded { writer throws(CBORError) in try second.encode(into: &writer) }
    precondition(written == rewritten, "a message changes when it is written")
    precondition(second == message || isCut(message), "a message changes when it is written")
}

private func isCut(_ message: some LinkMessage) -> Bool {
    (message as? TitleMessage)?.listName.completeness == .cut
}

private func readList(_ bytes: [UInt8]) {
    guard var reader = try? ListMessageReader(CBORReader(bytes.span)) else { return }
    var count: UInt32 = 0
    while reader.next() != nil { count += 1 }
    precondition(count == reader.message.changeCount, "a list message has another number of changes")
}

private func readTimeline(_ bytes: [UInt8]) {
    guard var reader = try? ComplicationMessageReader(CBORReader(bytes.span)) else { return }
    while reader.next() != nil {}
}
