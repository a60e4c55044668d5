/// The 32-bit loads and stores (A5.3.5 to A5.3.10).
extension Decoder {
    /// LDM, STM, PUSH and POP of all registers.
    static func longMultiple(_ first: UInt32, _ second: UInt32) -> Instruction {
        let order: MultipleAccess.Order
        switch bits(first, 7, 2) {
        case 0b01: order = .after
        case 0b10: order = .before
        case _: return .undefined
        }
        return .multiple(
            MultipleAccess(
                direction: isSet(first, 4) ? .load : .store, base: register(first, 0),
                registers: UInt16(truncatingIfNeeded: second), order: order,
                writeback: isSet(first, 5) ? .base : .none))
    }

    static func dualExclusiveTable(_ first: UInt32, _ second: UInt32) -> Instruction {
        let base = register(first, 0)
        let direction: TransferDirection = isSet(first, 4) ? .load : .store
        let (addsBefore, isAdded, writesBack) = (isSet(first, 8), isSet(first, 7), isSet(first, 5))
        if addsBefore || writesBack {
            let distance = Int32(bits(second, 0, 8) &* 4)
            return .dual(
                DualAccess(
                    direction: direction, first: register(second, 12), second: register(second, 8), base: base,
                    offset: isAdded ? distance : -distance,
                    indexing: addsBefore ? writesBack ? .before : .offset : .after))
        }
        guard isAdded else {
            let offset = Int32(bits(second, 0, 8) &* 4)
            return .exclusive(
                direction == .load
                    ? .load(.loadWord, register: register(second, 12), base: base, offset: offset)
                    : .store(
                        .storeWord, status: register(second, 8), register: register(second, 12), base: base,
                        offset: offset))
        }
        switch bits(second, 4, 4) {
        case 0, 1:
            guard direction == .load else { return .undefined }
            return .branch(
                .table(base: base, index: register(second, 0), entries: isSet(second, 4) ? .upper : .lower))
        case 4: return narrowExclusive(direction, .loadByte, .storeByte, first, second)
        case 5: return narrowExclusive(direction, .loadHalfword, .storeHalfword, first, second)
        case _: return .undefined
        }
    }

    private static func narrowExclusive(
        _ direction: TransferDirection, _ load: MemoryAccess.Kind, _ store: MemoryAccess.Kind, _ first: UInt32,
        _ second: UInt32
    ) -> Instruction {
        let (base, value) = (register(first, 0), register(second, 12))
        return switch direction {
        case .load: .exclusive(.load(load, register: value, base: base, offset: 0))
        case .store: .exclusive(.store(store, status: register(second, 0), register: value, base: base, offset: 0))
        }
    }

    /// One register. Loads of bytes and halfwords into register 15 are hints for a cache.
    static func single(_ first: UInt32, _ second: UInt32) -> Instruction {
        let (value, base) = (register(second, 12), register(first, 0))
        guard let kind = kind(first) else { return .undefined }
        let isHint = value == 15 && kind != .loadWord
        if isHint, isSet(first, 4) { return .system(.none) }
        func access(_ offset: MemoryAccess.Offset, _ indexing: Indexing = .offset) -> Instruction {
            .access(MemoryAccess(kind: kind, register: value, base: base, offset: offset, indexing: indexing))
        }
        let far = Int32(bits(second, 0, 12))
        if base == 15 { return isSet(first, 4) ? access(.constant(isSet(first, 7) ? far : -far)) : .undefined }
        if isSet(first, 7) { return access(.constant(far)) }
        let near = Int32(bits(second, 0, 8))
        guard isSet(second, 11) else {
            guard bits(second, 6, 6) == 0 else { return .undefined }
            return access(.register(register(second, 0), UInt8(truncatingIfNeeded: bits(second, 4, 2))))
        }
        let signed = isSet(second, 9) ? near : -near
        switch (isSet(second, 10), isSet(second, 8)) {
        case (true, true): return access(.constant(signed), .before)
        // Where bit 9 is set too, the access is one of an unprivileged program.
        case (true, false): return access(.constant(signed))
        case (false, true): return access(.constant(signed), .after)
        case (false, false): return .undefined
        }
    }

    private static func kind(_ first: UInt32) -> MemoryAccess.Kind? {
        switch (isSet(first, 4), bits(first, 5, 2), isSet(first, 8)) {
        case (false, 0, false): .storeByte
        case (false, 1, false): .storeHalfword
        case (false, 2, false): .storeWord
        case (true, 0, false): .loadByte
        case (true, 0, true): .loadSignedByte
        case (true, 1, false): .loadHalfword
        case (true, 1, true): .loadSignedHalfword
        case (true, 2, false): .loadWord
        case _: nil
        }
    }
}
