import Glibc

/// The far end of a channel, on a thread of its own.
final class FarEnd {
    private var thread = pthread_t()

    /// What the thread does with each datagram, by its number; false ends it.
    typealias Step = (_ number: Int, _ buffer: inout [UInt8]) -> Bool

    private final class Job {
        let count: Int
        let step: Step

        init(_ count: Int, _ step: @escaping Step) { (self.count, self.step) = (count, step) }

        func run() {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            for number in 0..<count where !step(number, &buffer) { return }
        }
    }

    /// Starts the thread, for a number of datagrams.
    init(_ count: Int = ChannelBenchmark.roundTrips + ChannelBenchmark.datagrams, _ step: @escaping Step) {
        pthread_create(
            &thread, nil,
            { context in
                // The context is the one retained reference that was handed to this thread.
                guard let context else { return nil }
                Unmanaged<Job>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, Unmanaged.passRetained(Job(count, step)).toOpaque())
    }

    /// Waits for its end.
    func wait() { pthread_join(thread, nil) }
}
