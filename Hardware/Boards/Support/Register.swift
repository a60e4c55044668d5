import _Volatile

/// A 32-bit word at a fixed address, such as a register of a peripheral. Each access is volatile.
package struct Register {
    private let mapped: VolatileMappedRegister<UInt32>

    package init(_ address: UInt) {
        mapped = VolatileMappedRegister(unsafeBitPattern: address)
    }

    package var value: UInt32 {
        get { mapped.load() }
        nonmutating set { mapped.store(newValue) }
    }
}

/// A byte in memory that an interrupt handler writes and the main program reads, or the reverse.
package struct SharedByte {
    private let mapped: VolatileMappedRegister<UInt8>

    package init(_ address: UInt) {
        mapped = VolatileMappedRegister(unsafeBitPattern: address)
    }

    package var value: UInt8 {
        get { mapped.load() }
        nonmutating set { mapped.store(newValue) }
    }
}
