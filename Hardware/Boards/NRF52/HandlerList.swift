import Watch

/// A list of the tap handlers in an image. The image runs the handler that `HandlerSettings` selects. `HandlerListBuilder`
/// makes a list.
///
/// In each function, `handler` is an index in 0 ..< `count`. Every function except `name` calls the requirement of `TapHandler`
/// that has the same name.
public protocol HandlerList: Sendable {
    static var count: Int { get }

    /// Lists the names of the handler's messages.
    static func declare(_ names: inout MessageNames, of handler: Int)

    /// The maximum size of a file that the handler takes, in bytes; 0 if it takes no files.
    static func largestFile(of handler: Int) -> Int

    func name(of handler: Int) -> StaticString

    /// The number of the handler's deferred stages.
    func deferredCount(of handler: Int) -> Int
    func stageCount(of handler: Int) -> Int

    func stage(_ index: Int, of handler: Int) -> ListedStage

    func runImmediate<B: Board & ~Copyable>(of handler: Int, _ tap: Tap, on watch: inout WatchCore<B>)
    func runDeferred<B: Board & ~Copyable>(_ index: Int, of handler: Int, _ tap: Tap, on watch: inout WatchCore<B>)
    func runStage<B: Board & ~Copyable>(_ index: Int, of handler: Int, _ tap: Tap, on watch: inout WatchCore<B>)

    func take<B: Board & ~Copyable>(_ message: HandlerMessage, for handler: Int, on watch: inout WatchCore<B>)
    func press<B: Board & ~Copyable>(_ button: Int, of handler: Int, on watch: inout WatchCore<B>)
}

/// A list of one handler, with the name by which the lab selects it.
public struct NamedHandler<Handler: TapHandler>: HandlerList {
    private let name: StaticString
    private let handler: Handler

    /// Makes a list of one handler. The lab reads at most 63 bytes of `name`.
    public init(_ name: StaticString, _ handler: Handler) {
        self.name = name
        self.handler = handler
    }

    /// 1: there is one handler.
    public static var count: Int { 1 }

    /// Lists the names of the handler's messages.
    public static func declare(_ names: inout MessageNames, of handler: Int) { Handler.declare(&names) }

    /// The maximum size of a file that the handler takes, in bytes; 0 if it takes no files.
    public static func largestFile(of handler: Int) -> Int { Handler.largestFile }

    /// The name of the handler.
    public func name(of handler: Int) -> StaticString { name }

    /// The number of the handler's deferred stages. The runtime calls this in nearly every step. A trace counts the time of
    /// each call as time of the handler's own code.
    @inline(__always)
    public func deferredCount(of handler: Int) -> Int {
        reportBegin()
        let count = self.handler.deferredCount
        reportReturn()
        return count
    }

    // These calls are in `NamedHandler` and not in the code that calls it. So the search for the handler in the list does not
    // count as the handler's code.

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

    /// Runs the handler's deferred stage at an index in 0 ..< `deferredCount`.
    @inline(__always)
    public func runDeferred<B: Board & ~Copyable>(
        _ index: Int, of handler: Int, _ tap: Tap, on watch: inout WatchCore<B>
    ) {
        reportBegin()
        self.handler.runDeferred(index, tap, on: &watch)
        reportReturn()
    }

    /// Runs the handler's stage at an index in 0 ..< `stageCount`, immediate or deferred.
    @inline(never)
    public func runStage<B: Board & ~Copyable>(
        _ index: Int, of handler: Int, _ tap: Tap, on watch: inout WatchCore<B>
    ) {
        self.handler.runStage(index, tap, on: &watch)
    }

    /// Gives the handler an event. The event is about a message or a file.
    @inline(never)
    public func take<B: Board & ~Copyable>(
        _ message: HandlerMessage, for handler: Int, on watch: inout WatchCore<B>
    ) {
        self.handler.take(message, on: &watch)
    }

    /// Tells the handler that the wearer touched a button of the handler's sheet. Button 0 is the leftmost.
    @inline(never)
    public func press<B: Board & ~Copyable>(_ button: Int, of handler: Int, on watch: inout WatchCore<B>) {
        self.handler.press(button, on: &watch)
    }
}

/// Two lists of handlers joined into one. The indices of the second list's handlers follow those of the first list's.
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

    /// The maximum size of a file that a handler takes, in bytes; 0 if it takes no files.
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

    /// Runs a handler's deferred stage at an index in 0 ..< `deferredCount`.
    public func runDeferred<B: Board & ~Copyable>(
        _ index: Int, of handler: Int, _ tap: Tap, on watch: inout WatchCore<B>
    ) {
        if isFirst(handler) {
            first.runDeferred(index, of: handler, tap, on: &watch)
        } else {
            second.runDeferred(index, of: rest(handler), tap, on: &watch)
        }
    }

    /// Runs a handler's stage at an index in 0 ..< `stageCount`, immediate or deferred.
    public func runStage<B: Board & ~Copyable>(
        _ index: Int, of handler: Int, _ tap: Tap, on watch: inout WatchCore<B>
    ) {
        if isFirst(handler) {
            first.runStage(index, of: handler, tap, on: &watch)
        } else {
            second.runStage(index, of: rest(handler), tap, on: &watch)
        }
    }

    /// Gives a handler an event. The event is about a message or a file.
    public func take<B: Board & ~Copyable>(
        _ message: HandlerMessage, for handler: Int, on watch: inout WatchCore<B>
    ) {
        if isFirst(handler) {
            first.take(message, for: handler, on: &watch)
        } else {
            second.take(message, for: rest(handler), on: &watch)
        }
    }

    /// Tells a handler that the wearer touched a button of the handler's sheet. Button 0 is the leftmost.
    public func press<B: Board & ~Copyable>(_ button: Int, of handler: Int, on watch: inout WatchCore<B>) {
        if isFirst(handler) {
            first.press(button, of: handler, on: &watch)
        } else {
            second.press(button, of: rest(handler), on: &watch)
        }
    }
}

/// Makes a `HandlerList` of the handlers in a closure, in their order in the source.
@resultBuilder
public enum HandlerListBuilder {
    /// Begins the list with its first handler.
    public static func buildPartialBlock<First: HandlerList>(first: First) -> First { first }

    /// Adds a handler at the end of the list.
    public static func buildPartialBlock<First: HandlerList, Second: HandlerList>(
        accumulated: First, next: Second
    ) -> HandlerPair<First, Second> {
        HandlerPair(first: accumulated, second: next)
    }
}
