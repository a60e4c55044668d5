#if os(none)
import CCortexM

/// The first instruction: memory as the program expects it, guards below the stacks, and on into `main` on a stack of its
/// own.
@c @used func reset() {
    clear(from: address_of_bss_start(), to: address_of_bss_end())
    clear(from: address_of_radio_ring(), to: address_of_memory_end())
    copy(from: address_of_data_image(), to: address_of_data_start(), end: address_of_data_end())
    StackPaint.apply()
    MemoryGuard.enable()
    // Memory, bus and usage faults have handlers of their own (B3.2.13).
    Register(0xE000_ED24).value = 7 &<< 16
    UART.console.enableSending()
    run_on_process_stack(address_of_stack_top(), runFirmware)
}

// Volatile stores: the compiler would turn a plain loop into a call of memset.
private func clear(from start: UInt32, to end: UInt32) {
    var address = start
    while address < end {
        Register(UInt(address)).value = 0
        address += 4
    }
}

private func copy(from image: UInt32, to start: UInt32, end: UInt32) {
    var offset: UInt32 = 0
    while start + offset < end {
        Register(UInt(start + offset)).value = Register(UInt(image + offset)).value
        offset += 4
    }
}

#endif
