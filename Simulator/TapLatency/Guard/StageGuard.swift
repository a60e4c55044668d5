import Glibc
import Synchronization
import WatchLink

/// Runs measurements so that a stage of somebody else's may trap or never return, and is told by its name.
///
/// A measurement has a thread of its own. Where a stage traps, the handler of the signal notes it and lets the thread sleep
/// for ever; where one never returns, a signal does the same to it. What the thread had in memory stays there: it is the
/// price of a test process that goes on. Traps elsewhere go the way they went before.
enum StageGuard {
    /// The signals of a trap, and of whatever else ends a process that does something wrong.
    private static let traps: [CInt] = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT]

    /// Where a thread keeps its state.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// The signal that ends a run: one of those that are free for whatever a program makes of them.
    private static let stop = __libc_current_sigrtmin() + 9

    /// The state of the thread that asks, if it runs a measurement.
    private static var current: GuardState? {
        pthread_getspecific(key).map { Unmanaged<GuardState>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Notes that a stage begins on this thread.
    static func began(_ stage: StaticString) {
        current?.began(stage)
    }

    /// Notes that the stage has ended.
    static func ended() {
        current?.ended()
    }

    /// The stages that have begun and ended on this thread so far; odd while one runs.
    static var beat: Int { current?.beat ?? 0 }

    /// Ends the run on this thread because a stage has let too much of the watch's time pass.
    static func giveUpWaiting() {
        current?.abandon(.waited)
    }

    /// Runs `body` on a thread of its own, and waits for it.
    ///
    /// - Throws: what `body` throws; `.stageTrapped` and `.stageNeverReturned` with the stage's name; `.watchFailed` where none
    ///   was running.
    static func run<Value: Sendable>(
        _ limits: StageLimits, _ body: @escaping @Sendable () throws(TapLatencyError) -> Value
    ) throws(TapLatencyError) -> Value {
        installHandlers()
        let state = GuardState()
        let result = ResultBox<Value>()
        let launch = Launch(state) {
            do throws(TapLatencyError) {
                let value = try body()
                result.put(.success(value))
            } catch {
                result.put(.failure(error))
            }
        }
        let thread = try start(launch)
        let exceeded = wait(for: thread, state, limits)
        pthread_detach(thread)
        let stage = state.runningStage
        switch state.outcome {
        case .finished:
            guard let value = result.take() else { throw .watchFailed }
            return try value.get()
        case .trapped:
            guard let stage else { throw .watchFailed }
            throw .stageTrapped(stage)
        case .stopped, .waited, .running:
            guard let stage else { throw .watchFailed }
            throw .stageNeverReturned(stage, exceeded ?? .waited(limits.waiting))
        }
    }

    /// Waits until the run has ended, or ends it. Returns the limit that was exceeded, if one was.
    private static func wait(
        for thread: pthread_t, _ state: GuardState, _ limits: StageLimits
    ) -> StageLimits.Exceeded? {
        var beat = -1
        var began = (computed: 0.0, time: 0.0)
        while true {
            state.wait(milliseconds: 250)
            if state.outcome != .running { return nil }
            let now = (computed: processorTime(of: thread), time: seconds(CLOCK_MONOTONIC))
            if beat != state.beat {
                beat = state.beat
                began = now
                continue
            }
            // Between stages it is the model that computes, which comes to an end.
            if beat.isMultiple(of: 2) { continue }
            let exceeded: StageLimits.Exceeded
            if now.computed - began.computed >= Double(limits.computing) {
                exceeded = .computed(seconds: limits.computing)
            } else if now.time - began.time >= Double(limits.blocked) {
                exceeded = .blocked(seconds: limits.blocked)
            } else {
                continue
            }
            pthread_kill(thread, stop)
            while state.outcome == .running { state.wait(milliseconds: 250) }
            return exceeded
        }
    }

    private static func processorTime(of thread: pthread_t) -> Double {
        var clock = clockid_t()
        guard pthread_getcpuclockid(thread, &clock) == 0 else { return 0 }
        return seconds(clock)
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }
}

// MARK: Threads

extension StageGuard {
    /// What a new thread is given.
    private final class Launch: Sendable {
        let state: GuardState
        let body: @Sendable () -> Void

        init(_ state: GuardState, _ body: @escaping @Sendable () -> Void) {
            self.state = state
            self.body = body
        }
    }

    private static func start(_ launch: Launch) throws(TapLatencyError) -> pthread_t {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, 8 << 20)
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                StageGuard.live(Unmanaged<Launch>.fromOpaque(argument).takeRetainedValue())
                return nil
            }, Unmanaged.passRetained(launch).toOpaque())
        guard failure == 0 else { throw .board("no thread can be started") }
        return thread
    }

    /// The life of a thread that measures.
    private static func live(_ launch: Launch) {
        // A stage that calls itself for ever has no stack left for a signal handler.
        let size = 64 << 10
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        var stack = stack_t(ss_sp: memory, ss_flags: 0, ss_size: size)
        sigaltstack(&stack, nil)
        pthread_setspecific(key, Unmanaged.passUnretained(launch.state).toOpaque())
        // Threads of Dispatch's block every signal, and those that they start do as they do.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, stop)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        launch.body()
        pthread_setspecific(key, nil)
        var none = stack_t(ss_sp: nil, ss_flags: CInt(SS_DISABLE), ss_size: 0)
        sigaltstack(&none, nil)
        memory.deallocate()
        launch.state.end(.finished)
    }
}

/// Where a thread leaves what it has found.
private final class ResultBox<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, TapLatencyError>?>(nil)

    func put(_ value: Result<Value, TapLatencyError>) { result.withLock { $0 = value } }

    func take() -> Result<Value, TapLatencyError>? { result.withLock { $0 } }
}

// MARK: Signals

extension StageGuard {
    /// What was done about the traps before, by their order; written once, before the handlers can run.
    private static let previous: [sigaction] = {
        // The handlers find what they need without making it: nothing is initialised late within one.
        _ = (key, stop, traps)
        return traps.map { signal in
            var action = sigaction()
            sigaction(signal, nil, &action)
            return action
        }
    }()

    private static let installed: Void = {
        _ = previous
        for signal in traps {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { StageGuard.handle($0) }
            action.sa_flags = SA_ONSTACK
            sigaction(signal, &action, nil)
        }
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in StageGuard.current?.abandon(.stopped) }
        action.sa_flags = SA_ONSTACK
        sigaction(stop, &action, nil)
    }()

    private static func installHandlers() {
        installed
    }

    /// Runs in the signal handler.
    private static func handle(_ signal: CInt) {
        if let current { current.abandon(.trapped) }
        // Somebody else's trap: with the previous action in place the instruction faults again, and what was raised is raised
        // again.
        guard let index = traps.firstIndex(of: signal) else { return }
        var action = previous[index]
        sigaction(signal, &action, nil)
        raise(signal)
    }
}
