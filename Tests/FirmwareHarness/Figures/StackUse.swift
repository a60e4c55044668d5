import FirmwareWatch

/// The most bytes of the stacks that were in use while a watch with a phone did what it does.
enum StackUse {
    static func run(_ setting: HarnessSetting) throws {
        let machine = try setting.machine()
        _ = try Determinism.play(machine)
        machine.tell(.memory)
        let (stack, handlers) = try machine.nextReport { report -> (UInt32, UInt32)? in
            guard case .memory(let stack, let handlers) = report else { return nil }
            return (stack, handlers)
        }
        print("stack \(stack) handlers \(handlers)")
        try require((1..<2_432).contains(stack) && (1..<512).contains(handlers), "a stack is full")
    }
}
