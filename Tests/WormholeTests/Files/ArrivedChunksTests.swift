import Testing

@testable import Wormhole

@Suite(.timeLimit(.minutes(60)))
struct ArrivedChunksTests {
    @Test func `Whoever writes takes all that waits, in order, and nothing more once the last are taken`() async {
        let chunks = ArrivedChunks()
        chunks.put([[1], [2]])
        chunks.put([[3]])
        #expect(await chunks.take() == [[1], [2], [3]])
        chunks.put([[4]])
        chunks.finish()
        chunks.put([[5]])
        #expect(await chunks.take() == [[4]])
        #expect(await chunks.take().isEmpty)
    }

    @Test func `Whoever waits goes on when something comes, and when nothing will`() async {
        let chunks = ArrivedChunks()
        async let first = chunks.take()
        await Task.yield()
        chunks.put([[1]])
        #expect(await first == [[1]])
        async let last = chunks.take()
        await Task.yield()
        chunks.finish()
        #expect(await last.isEmpty)
    }
}
