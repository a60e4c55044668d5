import WatchLink

extension CloseReason {
    /// Why a link was closed, as a line or the end of one.
    package var words: String {
        switch self {
        case .goingAway: "this side is shutting down"
        case .refused: "this side refused it"
        case .replaced: "it has opened a newer connection"
        case .otherPhone: "the watch belongs to another phone, for which messages wait"
        case .historyLost: "this side has lost part of the message history"
        case .otherVersion(let peer): "it speaks version \(peer) of the protocol, this side \(Hello.version)"
        case .protocolFault(let fault): "it broke the protocol (\(fault.words))"
        case .silent: "it stopped answering"
        case .noHello: "it did not introduce itself in time"
        case .transportTooSmall: "its datagrams are too short"
        case .peerLeft(let goodbye): CloseReason.words(goodbye)
        }
    }

    private static func words(_ goodbye: Goodbye) -> String {
        switch goodbye.reason {
        case .goingAway: "it said goodbye"
        case .version: "it speaks another version of the protocol"
        case .protocolFault:
            "it says that this side broke the protocol" + (goodbye.fault.map { " (\($0.words))" } ?? "")
        case .refused: "it refused this side"
        case .replaced: "it has a newer connection"
        case .historyLost: "it has lost part of the message history"
        case .otherPhone: "it belongs to another phone, for which messages wait"
        case _: "it closed the connection (reason \(goodbye.reason.rawValue))"
        }
    }
}
