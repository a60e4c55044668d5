// Cortex-M4 instructions that Swift cannot express, and addresses that the linker script names.
//
// Every function is inlined into Swift. On a host the instructions are empty, so that Swift code that uses them can be compiled.
// That code never runs on a host.
#ifndef TAPLINE_CORTEX_M_H
#define TAPLINE_CORTEX_M_H

#include <stdint.h>

#if defined(__arm__)

// Sleeps until an interrupt is pending, also if it is masked (ARMv7-M Architecture Reference Manual, B1.5.19).
static inline void wait_for_interrupt(void) { __asm volatile("dsb\n\twfi" ::: "memory"); }

// Masks all interrupts except faults (CPSID i).
static inline void mask_interrupts(void) { __asm volatile("cpsid i" ::: "memory"); }

// Unmasks interrupts. A pending one is taken before the next instruction (CPSIE i, ISB).
static inline void unmask_interrupts(void) { __asm volatile("cpsie i\n\tisb" ::: "memory"); }

// Completes all memory accesses and refetches instructions, as needed after a change of the MPU or the vector table (B3.5.2).
static inline void synchronize(void) { __asm volatile("dsb\n\tisb" ::: "memory"); }

// The stack pointer of thread mode. At an exception, it points to the exception frame (B1.5.6).
static inline uint32_t process_stack_pointer(void) {
    uint32_t value;
    __asm volatile("mrs %0, psp" : "=r"(value));
    return value;
}

// Gives thread mode a stack of its own, which ends at `top`, and calls `run`, which never returns. The main stack is left to
// exceptions.
__attribute__((noreturn)) static inline void run_on_process_stack(uint32_t top, void (*run)(void)) {
    __asm volatile(
        "msr psp, %0\n\t"
        "movs r2, #2\n\t"
        "msr control, r2\n\t"
        "isb\n\t"
        "bx %1" ::"r"(top), "r"(run) : "r2", "memory");
    __builtin_unreachable();
}

// Calls the machine that executes the program, with a breakpoint like that of semihosting (0xAB), but another number. The
// call's number and arguments are in registers 0 to 3, and the answer is in registers 0 (low word) and 1.
__attribute__((always_inline)) static inline uint64_t call_host(
    uint32_t number, uint32_t first, uint32_t second, uint32_t third) {
    register uint32_t r0 __asm("r0") = number;
    register uint32_t r1 __asm("r1") = first;
    register uint32_t r2 __asm("r2") = second;
    register uint32_t r3 __asm("r3") = third;
    __asm volatile("bkpt #0x54" : "+r"(r0), "+r"(r1) : "r"(r2), "r"(r3) : "memory");
    return (uint64_t)r1 << 32 | r0;
}

// Runs the program. SwiftPM gives the entry of an executable the name main.
static inline void run_program(void) {
    extern int main(void);
    main();
}

#else

static inline void wait_for_interrupt(void) {}
static inline void mask_interrupts(void) {}
static inline void unmask_interrupts(void) {}
static inline void synchronize(void) {}
static inline uint32_t process_stack_pointer(void) { return 0; }
static inline uint64_t call_host(uint32_t number, uint32_t first, uint32_t second, uint32_t third) {
    (void)number, (void)first, (void)second, (void)third;
    return 0;
}
static inline void run_program(void) {}
__attribute__((noreturn)) static inline void run_on_process_stack(uint32_t top, void (*run)(void)) {
    (void)top;
    run();
    __builtin_unreachable();
}

#endif

// Addresses that the linker script defines; 0 on a host, which has no linker script.
#if defined(__arm__)
#define LINKER_ADDRESS(name)                                           \
    extern uint8_t linker_##name[];                                    \
    static inline uint32_t address_of_##name(void) { return (uint32_t)(uintptr_t)linker_##name; }
#else
#define LINKER_ADDRESS(name)                                           \
    static inline uint32_t address_of_##name(void) { return 0; }
#endif

LINKER_ADDRESS(data_start)
LINKER_ADDRESS(data_end)
LINKER_ADDRESS(data_image)
LINKER_ADDRESS(bss_start)
LINKER_ADDRESS(bss_end)
LINKER_ADDRESS(handler_stack_guard)
LINKER_ADDRESS(handler_stack_bottom)
LINKER_ADDRESS(handler_stack_top)
LINKER_ADDRESS(stack_guard)
LINKER_ADDRESS(stack_bottom)
LINKER_ADDRESS(stack_top)
LINKER_ADDRESS(radio_ring)
LINKER_ADDRESS(bench_ring)
LINKER_ADDRESS(shared_start)
LINKER_ADDRESS(memory_start)
LINKER_ADDRESS(memory_end)

#undef LINKER_ADDRESS

#endif
