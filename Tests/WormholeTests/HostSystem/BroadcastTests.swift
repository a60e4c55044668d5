import HostSystem
import Testing

@Suite(.timeLimit(.minutes(60))) struct BroadcastTests {
    @Test func `A listener gets the history and everything after it, in order`() async {
        let broadcast = Broadcast<Int>()
        let stream = broadcast.listen(after: [1, 2])
        for number in 3...5 { broadcast.send(number) }
        broadcast.finish()
        var heard: [Int] = []
        for await number in stream { heard.append(number) }
        #expect(heard == [1, 2, 3, 4, 5])
    }

    @Test func `A listener whose task is cancelled while something is sent holds up neither`() async {
        let broadcast = Broadcast<Int>()
        for round in 0..<500 {
            let stream = broadcast.listen()
            let listener = Task { for await _ in stream {} }
            async let sending: Void = Task.detached { for number in 0..<20 { broadcast.send(round + number) } }.value
            listener.cancel()
            await sending
            await listener.value
        }
        #expect(broadcast.listenerCount == 0)
    }
}

extension Broadcast {
    var listenerCount: Int { source.withLock { $0?.listeners.count ?? 0 } }
}
