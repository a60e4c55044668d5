/// What is left to skip on a level of nesting.
private enum SkipLevel: BitwiseCopyable {
    /// This number of items of an array, a map (keys and values counted) or a tag.
    case items(UInt32)
    /// An array up to its break.
    case openArray
    /// A map up to its break; a key is next.
    case openMapKey
    /// A map up to its break; a value is next.
    case openMapValue
    /// The chunks of a byte string up to its break.
    case byteChunks
    /// The chunks of a text string up to its break.
    case textChunks
}

extension CBORReader {
    /// Skips an item with everything in it, in time proportional to its bytes and without recursion.
    ///
    /// Checks that the item is well-formed but not that it is valid: text may not be UTF-8, and maps may repeat keys.
    ///
    /// - Throws: `.tooDeep` where arrays, maps and tags are nested deeper than `maximumDepth`.
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

    /// Updates an open level before its next item is read, and throws where that item is not allowed there.
    private func advance(_ level: inout SkipLevel) throws(CBORError) {
        switch level {
        case .items, .openArray: break
        case .openMapKey: level = .openMapValue
        case .openMapValue: level = .openMapKey
        case .byteChunks: if try peekKind() != .bytes { throw .malformed }
        case .textChunks: if try peekKind() != .text { throw .malformed }
        }
    }

    /// Skips a head and the content of a string; returns the level that the head opens.
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
            if kind == .indefiniteBytes { return .byteChunks }
            if kind == .indefiniteText { return .textChunks }
            return kind == .indefiniteArray ? .openArray : .openMapKey
        case .breakStop:
            throw .malformed
        }
    }
}
