import Testing
import WatchLink
import Wormhole

@Suite struct UnreachableReasonTests {
    @Test(arguments: [
        (UnreachableReason.connectionLost, "the connection was lost"),
        (.closed(.silent), "it stopped answering"),
        (
            .closed(.otherVersion(peer: 4)),
            "it speaks version 4 of the protocol, this side 2"
        ),
        (.closed(.peerLeft(Goodbye(.goingAway))), "it said goodbye"),
        (.closed(.peerLeft(Goodbye(GoodbyeReason(rawValue: 200)))), "it closed the connection (reason 200)"),
        (
            .noConnection(.nobodyListening(path: "/a")),
            "no connection could be opened (no program serves /a: start it, or check the path)"
        ),
    ])
    func `A reason is one line for a person`(reason: UnreachableReason, line: String) {
        #expect("\(reason)" == line)
    }
}
