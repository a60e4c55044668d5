import _Volatile

/// A 32-bit register of a peripheral.
struct Register {
    private let mapped: VolatileMappedRegister<UInt32>

    init(_ address: UInt) {
        mapped = VolatileMappedRegister(unsafeBitPattern: address)
    }

    var value: UInt32 {
        get { mapped.load() }
        nonmutating set { mapped.store(newValue) }
    }
}

/// A byte of memory that an interrupt handler writes and the main program reads, or the other way round.
struct SharedByte {
    private let mapped: VolatileMappedRegister<UInt8>

    init(_ address: UInt) {
        mapped = VolatileMappedRegister(unsafeBitPattern: address)
    }

    var value: UInt8 {
        get { mapped.load() }
        nonmutating set { mapped.store(newValue) }
    }
}
