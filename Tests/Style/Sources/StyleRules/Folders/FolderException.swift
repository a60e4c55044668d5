/// An arrow between two folders of a module that is allowed although the other direction exists.
struct FolderException {
    let arrow: FolderGraph.Arrow
    /// Why it is allowed.
    let reason: String

    init(_ module: String, from: String, to: String, _ reason: String) {
        arrow = FolderGraph.Arrow(module: module, from: from, to: to)
        self.reason = reason
    }

    /// Tapline's exceptions. The list only gets shorter.
    static let tapline: [FolderException] = [
        FolderException("Hardware/Watch", from: "Board", to: "Flash", "the trace names the journal's errors"),
        FolderException("Hardware/Watch", from: "Graphics", to: "Appearance", "the digits are drawn from a date"),
        FolderException("Hardware/Watch", from: "Runtime", to: "Tap", "the core keeps what the tap stages work on"),
        FolderException("Hardware/Watch", from: "Tap", to: "Tap/Stages", "the composed handlers list their stages"),
        FolderException("Simulator/DeviceModel", from: "Board", to: "Device", "the board shows a device's surface"),
        FolderException("Simulator/DeviceModel", from: "Radio", to: "Board", "the radio waits on descriptors"),
        FolderException("Simulator/TerminalWatch", from: "Session", to: "Plain", "a session may be a plain one"),
        FolderException("Sources/PhoneHost", from: "List", to: "Store", "the list's protocol is met by the store"),
        FolderException("Sources/Wormhole", from: "Messages", to: "Protocols", "a message is passed as a value"),
        FolderException("Sources/Wormhole", from: "Messages", to: "Coding", "the module's error has a coding fault"),
    ]
}
