#if os(none)
import BoardSupport
import CCortexM
import MPS2Board

/// The first instruction: memory as the program expects it, guards below the stacks, and on into `main` on a stack of its
/// own.
@c @used func reset() {
    StartUp.clear(from: address_of_bss_start(), to: address_of_bss_end())
    StartUp.clear(from: address_of_radio_ring(), to: address_of_memory_end())
    StartUp.copy(from: address_of_data_image(), to: address_of_data_start(), end: address_of_data_end())
    StartUp.enableFloatingPoint()
    StackPaint.apply()
    MemoryGuard.enable()
    // Memory, bus and usage faults have handlers of their own (B3.2.13).
    Register(0xE000_ED24).value = 7 &<< 16
    UART.console.enableSending()
    run_on_process_stack(address_of_stack_top(), run)
}

@c func run() {
    run_program()
}

#endif
