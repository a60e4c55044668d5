import BoardSupport
import CCortexM
import HostCalls

#if os(none)

/// The vector table: what the processor runs on a reset and on each exception. The linker script puts the top of the main stack
/// in front of it.
@section(".vectors") @used
let vectors: InlineArray<15, @convention(c) () -> Void> = [
    reset, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault,
]

/// Runs first after a reset. It prepares the memory, enables the floating-point unit and the stack guards, and runs `main` on a
/// stack of its own.
@c @used func reset() {
    StartUp.clear(from: address_of_bss_start(), to: address_of_bss_end())
    StartUp.clear(from: address_of_memory_start(), to: address_of_memory_end())
    StartUp.copy(from: address_of_data_image(), to: address_of_data_start(), end: address_of_data_end())
    StartUp.enableFloatingPoint()
    StackPaint.apply()
    MemoryGuard.enable()
    run_on_process_stack(address_of_stack_top(), run)
}

@c func run() {
    run_program()
}

/// Reports an exception. The lab itself stops at an instruction that traps, so only another machine comes here.
@c func fault() {
    _ = call_host(HostCall.exception.rawValue, 0, 0, 0)
}

#endif
