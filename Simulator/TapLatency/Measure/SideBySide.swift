import Dispatch
import Synchronization

/// Jobs that have nothing to do with each other, as many at a time as there are processors.
enum SideBySide {
    /// Does them all, and returns their answers in the order of the jobs.
    ///
    /// - Parameters:
    ///   - jobs: what is done, the first ones first.
    ///   - progress: called on this thread with the number of those that are done.
    ///   - work: does a job.
    /// - Throws: what the first of them in their order throws, once all have ended.
    static func run<Job: Sendable, Answer: Sendable>(
        _ jobs: [Job], progress: (Int) -> Void,
        _ work: @escaping @Sendable (Job) throws(TapLatencyError) -> Answer
    ) throws(TapLatencyError) -> [Answer] {
        let board = ResultBoard<Answer>(count: jobs.count)
        progress(0)
        DispatchQueue.global().async {
            DispatchQueue.concurrentPerform(iterations: jobs.count) { number in
                do throws(TapLatencyError) {
                    board.enter(.success(try work(jobs[number])), of: number)
                } catch {
                    board.enter(.failure(error), of: number)
                }
            }
        }
        for done in jobs.indices {
            board.news.wait()
            progress(done + 1)
        }
        var answers: [Answer] = []
        for result in board.results { answers.append(try result.get()) }
        return answers
    }
}

/// Where the results of jobs are put by the threads that run them.
private final class ResultBoard<Answer: Sendable>: Sendable {
    /// Signalled once for each result.
    let news = DispatchSemaphore(value: 0)
    private let entries: Mutex<[Result<Answer, TapLatencyError>?]>

    init(count: Int) {
        entries = Mutex([Result<Answer, TapLatencyError>?](repeating: nil, count: count))
    }

    func enter(_ result: Result<Answer, TapLatencyError>, of number: Int) {
        entries.withLock { $0[number] = result }
        news.signal()
    }

    /// All results, in the order of the jobs, once each is there.
    var results: [Result<Answer, TapLatencyError>] { entries.withLock { $0.compactMap(\.self) } }
}
