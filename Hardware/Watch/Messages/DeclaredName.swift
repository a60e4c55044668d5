/// A name that a handler declares, for whoever tries the handler with messages.
package struct DeclaredName: BitwiseCopyable {
    /// The name.
    package let name: StaticString
    /// The delivery, and the side that sends.
    package let use: MessageUse
    /// The most bytes of a value.
    package let size: Int

    /// The names of a handler in the order of its declaration, in memory of `arena`.
    package static func all<Handler: MessageDeclaring>(
        of handler: Handler.Type, arena: inout MemoryArena
    ) -> FixedArray<DeclaredName> {
        let slots = arena.take(MessageNames.need(of: Handler.declare).names, of: MessageSlot.unused)
        MessageNames.fill(slots, from: Handler.declare)
        let names = arena.take(slots.count, of: DeclaredName(name: "", use: .valueToPhone, size: 0))
        for index in slots.indices {
            names[index] = DeclaredName(
                name: slots[index].name, use: slots[index].use, size: Int(slots[index].capacity))
        }
        return names
    }
}
