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
        kept
        + testedOnly.sorted { $0.key < $1.key }.flatMap { module, names in
            names.map { DeadException(module, $0, "only tests use it") }
        }

    /// What stays, each for a reason of its own.
    private static let kept: [DeadException] =
        ["TapLine", "WatchCore", "PhoneLink", "Display", "FlashStore", "WatchData", "ComplicationState"].map {
            DeadException("Hardware/Watch", "\($0).inPlace", "it keeps the compiler from copying the struct")
        }
        + [
            DeadException("Hardware/Watch", "RecordKind.bond", "the journal's format reserves the byte"),
            DeadException("Sources/WatchLink", "MessageFlags.moreFragments", "PROTOCOL.md reserves the bit"),
            DeadException("Sources/WatchLink", "MessageFlags.replyWanted", "PROTOCOL.md reserves the bit"),
            DeadException("Sources/WatchLink", "ProtocolFault.windowExceeded", "PROTOCOL.md reserves the code"),
        ]
        + bridge.map { DeadException("Sources/Wormhole", $0, "an application passes its messages with it") }
        + control.map { DeadException("Sources/BluetoothBridge", $0, "an application follows its adapters with it") }

    /// The public face of the bridge, with what carries it out.
    private static let bridge = [
        "Wormhole.clearAll", "MessageHandle.finalFates", "MessageCopy.finalFate", "PeerReachability.isReachable",
        "Passing.clearAll", "Persisting.namesWithValue", "MessageStore", "OpenFile", "StoreDurability", "StoreLog",
        "StoreState.hasApplied", "StoreState.hasValueUnderWay", "UnixConnector",
    ]

    /// What the control of adapters offers beyond what the shipped programs need.
    private static let control = [
        "BlueZControl.daemonStates", "BlueZControl.deviceStates", "BluetoothControl.daemonStates",
        "BluetoothControl.deviceStates", "BluetoothControl.discoverWatches",
    ]

    /// By module, what only tests use, until it goes or moves to a module of doubles.
    private static let testedOnly: [String: [String]] = [
        "Hardware/Watch": [
            "FaceAppearance.isComplication", "TitleBar.drawRemaining", "Framebuffer.isDirty",
            "Framebuffer.dirtyLineCount", "Framebuffer.invert", "GlyphCoverage.glyphCount",
        ],
        "Simulator/DeviceModel": [
            "MemoryFlash.resetCounts", "MemoryFlash.failPower", "MemoryFlash.restorePower", "MemoryFlash.failOnce",
            "MemoryFlash.wearOut", "PanelFrame.portableBitmap", "PhoneItems.rename",
            "SimulatedPhone.rename", "Charge.milliampereHours", "EnergyCost.batteryDays", "TapHistory.tapToCommit",
        ],
        "Simulator/FirmwareWatch": ["BoardLine", "FirmwareBench.burst", "LineBench", "LineLog"],
        "Simulator/TerminalWatch": ["Viewport.resized"],
        "Sources/BluetoothBridge": ["KernelCalls.dynamicPSMs"],
        "Sources/PhoneHost": [
            "PhoneList.snapshots", "PhoneMessageStore.namesWithValue", "PhoneServer.connectedWatches",
            "WatchRecord.lastMet",
        ],
        "Sources/WatchLink": [
            "CBORWriter.rewind", "FrameKind.isReserved", "LinkDelivery.frameKind", "SerialFrame.largestWireSize",
            "Reachability.isReachable", "UInt64.smallInt",
        ],
        "Sources/Wormhole": ["Broadcast.listenerCount", "Delivery.Encoding.frameKind"],
    ]
}
