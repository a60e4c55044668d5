#if os(none)
import BoardSupport
import CCortexM
import MPS2Board

/// The vector table: what the processor runs on a reset, a fault and an interrupt. The linker script puts the top of the main
/// stack in front of it.
@section(".vectors") @used
let vectors: InlineArray<47, @convention(c) () -> Void> = [
    reset, unexpected, hardFault, memoryFault, busFault, usageFault, unexpected, unexpected,
    unexpected, unexpected, unexpected, unexpected, unexpected, unexpected, unexpected,
    // Interrupts 0 to 7
    unexpected, unexpected, radioReceived, unexpected, unexpected, unexpected, unexpected, unexpected,
    // Interrupts 8 to 15
    unexpected, alarmFired, unexpected, unexpected, unexpected, unexpected, unexpected, unexpected,
    // Interrupts 16 to 23
    unexpected, unexpected, benchReceived, unexpected, unexpected, unexpected, unexpected, unexpected,
    // Interrupts 24 to 31
    unexpected, unexpected, unexpected, unexpected, unexpected, unexpected, unexpected, unexpected,
]

@c func radioReceived() {
    ReceiveRing.radio.fill()
}

@c func benchReceived() {
    ReceiveRing.bench.fill()
}

@c func alarmFired() {
    Timer.alarm.silence()
}

@c func unexpected() {
    ProcessorFault.report("unexpected interrupt")
}

@c func hardFault() {
    ProcessorFault.report("hard fault")
}

@c func memoryFault() {
    ProcessorFault.report(MemoryGuard.isHit ? "stack overflow" : "memory fault")
}

@c func busFault() {
    ProcessorFault.report("bus fault")
}

@c func usageFault() {
    ProcessorFault.report("usage fault")
}

/// Runs first after a reset. It prepares the memory, enables the stack guards, and runs `main` on a stack of its own.
@c @used func reset() {
    StartUp.clear(from: address_of_bss_start(), to: address_of_bss_end())
    StartUp.clear(from: address_of_radio_ring(), to: address_of_memory_end())
    StartUp.copy(from: address_of_data_image(), to: address_of_data_start(), end: address_of_data_end())
    StartUp.enableFloatingPoint()
    StackPaint.apply()
    MemoryGuard.enable()
    // Enables the memory, bus and usage faults, which have handlers of their own (B3.2.13).
    Register(0xE000_ED24).value = 7 &<< 16
    UART.console.enableSending()
    run_on_process_stack(address_of_stack_top(), run)
}

@c func run() {
    run_program()
}

#endif
