import CCortexM

/// How much of the stacks was ever used: they are painted before the program starts, and the paint that is left is counted.
package enum StackPaint {
    private static var paint: UInt32 { 0x5AC5_5AC5 }

    /// Paints both stacks. The caller runs on the handlers' one: that is painted below a margin for what is in use.
    package static func apply() {
        cover(from: address_of_handler_stack_bottom(), to: address_of_handler_stack_top() &- 256)
        cover(from: address_of_stack_bottom(), to: address_of_stack_top())
    }

    /// The most bytes of the main program's stack that were ever in use.
    package static var peak: UInt32 { used(from: address_of_stack_bottom(), to: address_of_stack_top()) }

    /// The most bytes of the exception handlers' stack that were ever in use. The start-up itself counts as 256 bytes.
    package static var handlerPeak: UInt32 {
        used(from: address_of_handler_stack_bottom(), to: address_of_handler_stack_top())
    }

    private static func cover(from bottom: UInt32, to top: UInt32) {
        var address = bottom
        while address < top {
            Register(UInt(address)).value = paint
            address += 4
        }
    }

    private static func used(from bottom: UInt32, to top: UInt32) -> UInt32 {
        var address = bottom
        while address < top, Register(UInt(address)).value == paint { address += 4 }
        return top &- address
    }
}
