/// A declaration that stays although nothing shipped uses it.
struct DeadException {
    /// The module's folder from the repository's top.
    let module: String
    /// The declaration's full name: `Session.Phase.idle`.
    let declaration: String
    /// Why it stays.
    let reason: String

    init(_ module: String, _ declaration: String, _ reason: String) {
        self.module = module
        self.declaration = declaration
        self.reason = reason
    }

    /// Whether it speaks of `declaration`.
    func covers(_ declaration: Declaration) -> Bool {
        declaration.fullName == self.declaration && Place(path: declaration.path)?.module == module
    }

    /// Tapline's exceptions. The list only gets shorter.
    static let tapline: [DeadException] =
        reserved
        + offered.sorted { $0.key < $1.key }.flatMap { module, offer in
            offer.names.map { DeadException(module, $0, offer.reason) }
        }

    /// What a format reserves, and what only the compiler sees.
    private static let reserved: [DeadException] =
        [
            "TapLine", "WatchCore", "PhoneLink", "Display", "FlashStore", "WatchData", "ComplicationState", "ItemList",
            "HandlerMessages", "FileStore",
        ].map {
            DeadException("Hardware/Watch", "\($0).inPlace", "it keeps the compiler from copying the struct")
        }
        + [
            DeadException("Sources/WatchLink", "MessageFlags.moreFragments", "PROTOCOL.md reserves the bit")
        ]

    /// By module, what a library offers to its users beyond what the shipped programs need, with what carries it out.
    private static let offered: [String: (reason: String, names: [String])] = [
        "Hardware/Watch": (
            "a handler in a package of its own is written with it",
            ["HandlerMessage.isNamed", "WatchCore.closeSheet", "WatchCore.refuseAnswer"]
        ),
        "Simulator/DeviceModel": (
            "a test pushes with it what the phone's budget would hold back",
            ["PhoneState.pushComplication", "SimulatedPhone.pushComplication"]
        ),
        "Simulator/CortexM": (
            "it is compared with another processor's before each instruction, by an optimised program",
            ["ProgramRegisters", "CortexM4.programRegisters"]
        ),
        "Sources/PhoneHost": (
            "an application shows the list and its watches with it",
            [
                "PhoneList.snapshots"
            ]
        ),
        "Sources/WatchLink": (
            "a board, or a peer in Swift, is written with it",
            ["SerialFrame.largestWireSize", "LinkMessage.encodeFrame"]
        ),
        "Sources/Wormhole": (
            "an application passes its messages with it",
            ["MessageHandle.finalFates", "MessageCopy.finalFate", "FileTransfer.finalFate"]
        ),
    ]
}
