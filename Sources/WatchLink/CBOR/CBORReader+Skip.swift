/// What is left to skip on one level of nesting.
private enum SkipLevel: BitwiseCopyable {
    /// This number of items of an array, a map (keys and values counted alike) or a tag.
    case items(UInt32)
    /// An array up to its break.
    case openArray
    /// A map up to its break, a key being next.
    case openMapKey
    /// A map up to its break, a value being next.
    case openMapValue
    /// The chunks of a byte string up to its break.
    case byteChunks
    /// The chunks of a text string up to its break.
    case textChunks
}

extension CBORReader {
    /// Skips one item with everything in it.
    ///
    /// Takes time in proportion to the bytes, uses no recursion, and stops with `.tooDeep` where arrays, maps and tags
    /// are nested deeper than `maximumDepth`. The item is well-formed, and not checked to be valid: text may not be
    /// UTF-8, and keys of maps in it may stand twice.
    @_lifetime(self: copy self)
    public mutating func skip() throws(CBORError) {
        var levels = InlineArray<17, SkipLevel>(repeating: .items(0))
        var depth = 0
        levels[0] = .items(1)
        while true {
            switch levels[depth] {
            case .items(0):
                if depth == 0 { return }
                depth &-= 1
                continue
            case .items(let count):
                levels[depth] = .items(count &- 1)
            case .openArray, .openMapKey, .byteChunks, .textChunks:
                if try takeBreak() {
                    depth &-= 1
                    continue
                }
            case .openMapValue:
                break
            }
            try advance(&levels[depth])
            if let inner = try skipHead() {
                guard depth < maximumDepth else { throw .tooDeep }
                depth &+= 1
                levels[depth] = inner
            }
        }
    }

    /// Notes on an open level that one more item of it is about to be read, where that item is allowed there.
    private func advance(_ level: inout SkipLevel) throws(CBORError) {
        switch level {
        case .items, .openArray: break
        case .openMapKey: level = .openMapValue
        case .openMapValue: level = .openMapKey
        case .byteChunks: if try peekKind() != .bytes { throw .malformed }
        case .textChunks: if try peekKind() != .text { throw .malformed }
        }
    }

    /// Skips one head and, of a string, its content; returns the level that it opens.
    @_lifetime(self: copy self)
    private mutating func skipHead() throws(CBORError) -> SkipLevel? {
        let kind = try peekKind()
        switch kind {
        case .unsigned, .negative, .boolean, .null, .undefined, .simple, .float:
            _ = try anyHead()
            return nil
        case .bytes, .text:
            offset &+= try length(kind, itemSize: 1)
            return nil
        case .array:
            return .items(UInt32(truncatingIfNeeded: try array()))
        case .map:
            return .items(UInt32(truncatingIfNeeded: try map() &* 2))
        case .tag:
            _ = try anyHead()
            return .items(1)
        case .indefiniteBytes, .indefiniteText, .indefiniteArray, .indefiniteMap:
            offset &+= 1
            return CBORReader.level(ofIndefinite: kind)
        case .breakStop:
            throw .malformed
        }
    }

    private static func level(ofIndefinite kind: CBORKind) -> SkipLevel {
        if kind == .indefiniteBytes { return .byteChunks }
        if kind == .indefiniteText { return .textChunks }
        return kind == .indefiniteArray ? .openArray : .openMapKey
    }
}
