import WatchLink

/// What a handler does with messages under names of its own, and with a sheet of its own. Every tap handler is one, by default
/// without any of it.
///
///     struct CounterHandler: ComposedTapHandler {
///         var stages: some TapHandler { ... }
///
///         static func declare(_ names: inout MessageNames) {
///             names.latest("counter/limit", from: .phone)
///         }
///
///         func take<B: Board & ~Copyable>(_ message: HandlerMessage, on watch: inout WatchCore<B>) {
///             guard message.isNamed("counter/limit"), let limit = message.value(UInt32.self) else { return }
///             ...
///         }
///     }
public protocol MessageHandler: MessageDeclaring, Sendable {
    /// Takes what has happened under one of the names. The run loop calls it when no input waits and no stage of a tap.
    func take<B: Board & ~Copyable>(_ message: HandlerMessage, on watch: inout WatchCore<B>)

    /// The wearer has touched a button of the handler's sheet.
    ///
    /// - Parameter button: 0 for the one on the left.
    func press<B: Board & ~Copyable>(_ button: Int, on watch: inout WatchCore<B>)
}

extension MessageHandler {
    /// Nothing.
    public func take<B: Board & ~Copyable>(_ message: HandlerMessage, on watch: inout WatchCore<B>) {}

    /// Nothing.
    public func press<B: Board & ~Copyable>(_ button: Int, on watch: inout WatchCore<B>) {}
}
