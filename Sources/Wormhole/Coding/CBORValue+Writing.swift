import WatchLink

extension CBORValue {
    /// The deepest nesting of arrays, maps and tags that is written or read; the protocol's readers follow no deeper.
    static let deepestNesting = CBORReader.deepestNesting

    /// The item in its deterministic encoding.
    ///
    /// - Throws: `.coding` with `.tooDeep`, or with `.tooLarge` for more than `largestSize` bytes.
    func encoded(largestSize: Int) throws(WormholeError) -> [UInt8] {
        guard isNested(within: CBORValue.deepestNesting) else {
            throw .coding(.tooDeep(limit: CBORValue.deepestNesting))
        }
        var size = min(256, largestSize)
        while true {
            var buffer = [UInt8](repeating: 0, count: size)
            do throws(CBORError) {
                var writer = CBORWriter(buffer.mutableSpan)
                try write(into: &writer)
                let count = writer.count
                buffer.removeSubrange(count...)
                return buffer
            } catch {
                // What a value holds can all be written; room is all that it may lack.
                guard error == .outOfSpace, size < largestSize else { throw .coding(.tooLarge(limit: largestSize)) }
                size = min(size * 4, largestSize)
            }
        }
    }

    private func isNested(within depth: Int) -> Bool {
        switch self {
        case .array(let items): depth > 0 && items.allSatisfy { $0.isNested(within: depth - 1) }
        case .map(let pairs): depth > 0 && pairs.values.allSatisfy { $0.isNested(within: depth - 1) }
        case .tag(_, let content): depth > 0 && content.isNested(within: depth - 1)
        case .unsigned, .negative, .bytes, .text, .yes, .no, .null, .undefined, .simple, .float: true
        }
    }

    @_lifetime(writer: copy writer)
    private func write(into writer: inout CBORWriter) throws(CBORError) {
        switch self {
        case .unsigned(let number): try writer.unsigned(number)
        case .negative(let argument): try writer.negative(argument)
        case .bytes(let bytes): try writer.bytes(bytes.span)
        case .text(let text): try writer.text(Array(text.utf8).span)
        case .array(let items):
            try writer.array(count: items.count)
            for item in items { try item.write(into: &writer) }
        case .map(let pairs):
            try writer.map(count: pairs.count)
            for (key, value) in pairs.sorted(by: { $0.key.precedes($1.key) }) {
                try key.asValue.write(into: &writer)
                try value.write(into: &writer)
            }
        case .tag(let number, let content):
            try writer.tag(number)
            try content.write(into: &writer)
        case .yes: try writer.boolean(true)
        case .no: try writer.boolean(false)
        case .null: try writer.null()
        case .undefined: try writer.undefined()
        case .simple(let number): try writer.simple(number)
        case .float(let number): try writer.float(number)
        }
    }
}

extension CBORKey {
    fileprivate var asValue: CBORValue {
        switch self {
        case .integer(let number): CBORValue(number)
        case .text(let text): .text(text)
        }
    }
}
