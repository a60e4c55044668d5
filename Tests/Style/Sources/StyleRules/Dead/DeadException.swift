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
    private static let kept: [DeadException] = []

    /// By module, what only tests use, until it goes or moves to a module of doubles.
    private static let testedOnly: [String: [String]] = [
        "Hardware/Watch": [
            "FaceAppearance.isComplication", "TitleBar.drawRemaining", "RecordKind.bond", "Framebuffer.pixel",
            "Framebuffer.isDirty", "Framebuffer.dirtyLineCount", "Framebuffer.invert", "GlyphCoverage.glyphCount",
            "WatchCore.inPlace",
        ],
        "Simulator/DeviceModel": [
            "MemoryFlash.resetCounts", "MemoryFlash.failPower", "MemoryFlash.restorePower", "MemoryFlash.failOnce",
            "MemoryFlash.wearOut", "MemoryFlash.decay", "PanelFrame.portableBitmap", "PhoneState.rename",
            "SimulatedPhone.rename", "Charge.milliampereHours", "EnergyCost.batteryDays", "TapHistory.tapToCommit",
        ],
        "Simulator/FirmwareWatch": [
            "FirmwareBench.burst"
        ],
        "Simulator/TerminalWatch": [
            "Viewport.resized"
        ],
        "Sources/BluetoothBridge": [
            "KernelCalls.dynamicPSMs", "BlueZControl.daemonStates", "BlueZControl.deviceStates",
            "BluetoothControl.daemonStates", "BluetoothControl.deviceStates", "BluetoothControl.discoverWatches",
            "InMemoryControl.setDaemon", "InMemoryControl.daemonStates", "InMemoryControl.deviceStates",
            "AsyncStream.distinct",
        ],
        "Sources/PhoneHost": [
            "PhoneList.snapshots", "PhoneMessageStore.namesWithValue", "PhoneServer.connectedWatches",
            "WatchRecord.lastMet",
        ],
        "Sources/WatchLink": [
            "CBORWriter.rewind", "FrameKind.isReserved", "LinkDelivery.frameKind", "MessageFlags.moreFragments",
            "MessageFlags.replyWanted", "RejectionReason.noRoom", "SerialFrame.largestWireSize", "Session.roundTrip",
            "Reachability.isReachable", "UInt64.smallInt",
        ],
        "Sources/Wormhole": [
            "ManualClock", "Wormhole.clearAll", "Broadcast.listenerCount", "Delivery.Encoding.frameKind",
            "MessageHandle.finalFates", "MessageCopy.finalFate", "PeerReachability.isReachable", "Passing.clearAll",
            "Persisting.namesWithValue", "MessageStore", "OpenFile", "StoreDurability", "StoreLog",
            "StoreState.hasApplied", "StoreState.hasValueUnderWay", "InMemoryLane", "InMemoryLink",
            "InMemoryTransport", "UnixConnector",
        ],
    ]
}
