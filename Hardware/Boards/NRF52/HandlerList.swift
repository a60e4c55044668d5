import Watch

/// The handlers of an image. `HandlerSettings` selects one. `HandlerListBuilder` composes the list.
public protocol HandlerList: Sendable {
    static var count: Int { get }

    /// Lists the names of the handler's messages. In all functions of this protocol, `handler` is an index in 0 ..< `count`.
    static func declare(_ names: inout MessageNames, of handler: Int)

    /// The most bytes of a file that a handler takes; 0 if it takes none.
    static func largestFile(of handler: Int) -> Int

    func name(of handler: Int) -> StaticString

    /// The number of the handler's deferred stages. From here on, each function does what its namesake in `TapHandler` does.
    func deferredCount(of handler: Int) -> Int
    func stageCount(of handler: Int) -> Int

    func stage(_ index: Int, of handler: Int) -> ListedStage

    func runImmediate<B: Board & ~Copyable>(of handler: Int, _ tap: Tap, on watch: inout WatchCore<B>)
    func runDeferred<B: Board & ~Copyable>(_ index: Int, of handler: Int, _ tap: Tap, on watch: inout WatchCore<B>)
    func runStage<B: Board & ~Copyable>(_ index: Int, of handler: Int, _ tap: Tap, on watch: inout WatchCore<B>)

    func take<B: Board & ~Copyable>(_ message: HandlerMessage, for handler: Int, on watch: inout WatchCore<B>)
    func press<B: Board & ~Copyable>(_ button: Int, of handler: Int, on watch: inout WatchCore<B>)
}

/// A handler, and the name by which the lab selects it.
public struct NamedHandler<Handler: TapHandler>: HandlerList {
    private let name: StaticString
    private let handler: Handler

    /// `name` has at most 63 bytes.
    public init(_ name: StaticString, _ handler: Handler) {
        self.name = name
        self.handler = handler
    }

    /// 1: there is one handler.
    public static var count: Int { 1 }

    /// Lists the names of the handler's messages.
    public static func declare(_ names: inout MessageNames, of handler: Int) { Handler.declare(&names) }

    /// The most bytes of a file that the handler takes.
    public static func largestFile(of handler: Int) -> Int { Handler.largestFile }

    /// The name of the handler.
    public func name(of handler: Int) -> StaticString { name }

    /// The number of the handler's deferred stages. The handler computes it at every step of the runtime. That work counts as
    /// the handler's own code.
    @inline(__always)
    public func deferredCount(of handler: Int) -> Int {
        reportBegin()
        let count = self.handler.deferredCount
        reportReturn()
        return count
    }

    // These calls are here and not in the caller, so that the search in the list does not count as the handler's code.

    private func reportBegin() {
        if handlersReport { Trace.send(.handler, 1) }
    }

    private func reportReturn() {
        if handlersReport { Trace.send(.handler, 0) }
    }

    /// The number of the handler's stages.
    public func stageCount(of handler: Int) -> Int { self.handler.stageCount }

    /// The name and placement of a stage of the handler.
    public func stage(_ index: Int, of handler: Int) -> ListedStage { self.handler.stage(index) }

    /// Runs the handler's immediate stages.
    @inline(__always)
    public func runImmediate<B: Board & ~Copyable>(of handler: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        reportBegin()
        self.handler.runImmediate(tap, on: &watch)
        reportReturn()
    }

    /// Runs a deferred stage of the handler.
    @inline(__always)
    public func runDeferred<B: Board & ~Copyable>(
        _ index: Int, of handler: Int, _ tap: Tap, on watch: inout WatchCore<B>
    ) {
        reportBegin()
        self.handler.runDeferred(index, tap, on: &watch)
        reportReturn()
    }

    /// Runs any stage of the handler.
    @inline(never)
    public func runStage<B: Board & ~Copyable>(
        _ index: Int, of handler: Int, _ tap: Tap, on watch: inout WatchCore<B>
    ) {
        self.handler.runStage(index, tap, on: &watch)
    }

    /// Passes an event to the handler.
    @inline(never)
    public func take<B: Board & ~Copyable>(
        _ message: HandlerMessage, for handler: Int, on watch: inout WatchCore<B>
    ) {
        self.handler.take(message, on: &watch)
    }

    /// Passes the touch of a button to the handler.
    @inline(never)
    public func press<B: Board & ~Copyable>(_ button: Int, of handler: Int, on watch: inout WatchCore<B>) {
        self.handler.press(button, on: &watch)
    }
}

/// Two lists of handlers, one after the other.
public struct HandlerPair<First: HandlerList, Second: HandlerList>: HandlerList {
    let first: First
    let second: Second

    /// The number of handlers in both lists.
    public static var count: Int { First.count + Second.count }

    /// Lists the names of a handler's messages.
    public static func declare(_ names: inout MessageNames, of handler: Int) {
        if handler < First.count {
            First.declare(&names, of: handler)
        } else {
            Second.declare(&names, of: handler - First.count)
        }
    }

    /// The most bytes of a file that a handler takes.
    public static func largestFile(of handler: Int) -> Int {
        handler < First.count ? First.largestFile(of: handler) : Second.largestFile(of: handler - First.count)
    }

    private func isFirst(_ handler: Int) -> Bool { handler < First.count }
    private func rest(_ handler: Int) -> Int { handler - First.count }

    /// The name of a handler.
    public func name(of handler: Int) -> StaticString {
        isFirst(handler) ? first.name(of: handler) : second.name(of: rest(handler))
    }

    /// The number of a handler's deferred stages.
    public func deferredCount(of handler: Int) -> Int {
        isFirst(handler) ? first.deferredCount(of: handler) : second.deferredCount(of: rest(handler))
    }

    /// The number of a handler's stages.
    public func stageCount(of handler: Int) -> Int {
        isFirst(handler) ? first.stageCount(of: handler) : second.stageCount(of: rest(handler))
    }

    /// The name and placement of a handler's stage.
    public func stage(_ index: Int, of handler: Int) -> ListedStage {
        isFirst(handler) ? first.stage(index, of: handler) : second.stage(index, of: rest(handler))
    }

    /// Runs a handler's immediate stages.
    public func runImmediate<B: Board & ~Copyable>(of handler: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        if isFirst(handler) {
            first.runImmediate(of: handler, tap, on: &watch)
        } else {
            second.runImmediate(of: rest(handler), tap, on: &watch)
        }
    }

    /// Runs a deferred stage of a handler.
    public func runDeferred<B: Board & ~Copyable>(
        _ index: Int, of handler: Int, _ tap: Tap, on watch: inout WatchCore<B>
    ) {
        if isFirst(handler) {
            first.runDeferred(index, of: handler, tap, on: &watch)
        } else {
            second.runDeferred(index, of: rest(handler), tap, on: &watch)
        }
    }

    /// Runs any stage of a handler.
    public func runStage<B: Board & ~Copyable>(
        _ index: Int, of handler: Int, _ tap: Tap, on watch: inout WatchCore<B>
    ) {
        if isFirst(handler) {
            first.runStage(index, of: handler, tap, on: &watch)
        } else {
            second.runStage(index, of: rest(handler), tap, on: &watch)
        }
    }

    /// Passes an event to a handler.
    public func take<B: Board & ~Copyable>(
        _ message: HandlerMessage, for handler: Int, on watch: inout WatchCore<B>
    ) {
        if isFirst(handler) {
            first.take(message, for: handler, on: &watch)
        } else {
            second.take(message, for: rest(handler), on: &watch)
        }
    }

    /// Passes the touch of a button to a handler.
    public func press<B: Board & ~Copyable>(_ button: Int, of handler: Int, on watch: inout WatchCore<B>) {
        if isFirst(handler) {
            first.press(button, of: handler, on: &watch)
        } else {
            second.press(button, of: rest(handler), on: &watch)
        }
    }
}

/// Composes a list of handlers in the order of the source.
@resultBuilder
public enum HandlerListBuilder {
    /// Begins with the first handler.
    public static func buildPartialBlock<First: HandlerList>(first: First) -> First { first }

    /// Adds a handler at the end.
    public static func buildPartialBlock<First: HandlerList, Second: HandlerList>(
        accumulated: First, next: Second
    ) -> HandlerPair<First, Second> {
        HandlerPair(first: accumulated, second: next)
    }
}
