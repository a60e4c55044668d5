#if os(none)
import BoardSupport
import CCortexM
import NRF52

/// The functions that the processor runs on a reset, a fault or an interrupt. They follow the first word of the vector table.
/// The linker script writes that word, which is the address of the main stack's top.
@section(".vectors") @used
let vectors: InlineArray<54, @convention(c) () -> Void> = [
    reset, unexpected, hardFault, memoryFault, busFault, usageFault, unexpected, unexpected,
    unexpected, unexpected, unexpected, unexpected, unexpected, unexpected, unexpected,
    // Interrupts 0 to 7
    crystalStarted, unexpected, serialMoved, spiEnded, twiStopped, unexpected, pinsChanged, unexpected,
    // 8 to 15
    unexpected, unexpected, unexpected, unexpected, unexpected, unexpected, unexpected, unexpected,
    // 16 to 23
    unexpected, clockReached, unexpected, unexpected, unexpected, unexpected, unexpected, unexpected,
    // 24 to 31
    unexpected, unexpected, unexpected, unexpected, unexpected, unexpected, unexpected, unexpected,
    // 32 to 38
    unexpected, unexpected, unexpected, unexpected, unexpected, unexpected, unexpected,
]

@c func crystalStarted() {
    Part.handleClock()
}

@c func serialMoved() {
    SerialPort.handle()
}

@c func spiEnded() {
    SPIBus.handle()
}

@c func twiStopped() {
    TouchController.handle()
}

@c func pinsChanged() {
    PinChanges.handle()
}

@c func clockReached() {
    RealTimeClock.handle()
}

@c func unexpected() {
    FaultReport.report("unexpected interrupt")
}

@c func hardFault() {
    FaultReport.report("hard fault")
}

@c func memoryFault() {
    FaultReport.report(MemoryGuard.isHit ? "stack overflow" : "memory fault")
}

@c func busFault() {
    FaultReport.report("bus fault")
}

@c func usageFault() {
    FaultReport.report("usage fault")
}

/// Runs first after a reset. Prepares the memory, enables the stack guards, and runs the program on the process stack.
@c @used func reset() {
    StartUp.clear(from: address_of_bss_start(), to: address_of_bss_end())
    StartUp.clear(from: address_of_shared_start(), to: address_of_memory_end())
    StartUp.copy(from: address_of_data_image(), to: address_of_data_start(), end: address_of_data_end())
    StartUp.enableFloatingPoint()
    StackPaint.apply()
    MemoryGuard.enable()
    // Memory, bus and usage faults have handlers of their own (ARMv7-M, B3.2.13).
    Register(0xE000_ED24).value = 7 &<< 16
    run_on_process_stack(address_of_stack_top(), run)
}

@c func run() {
    run_program()
}

#endif
