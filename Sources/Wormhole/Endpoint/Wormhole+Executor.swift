extension Wormhole {
    /// Runs tasks on the thread that serves the sockets of this process.
    ///
    /// A task that asks over them again and again may prefer it: `Task(executorPreference: Wormhole.socketExecutor) { … }` is
    /// sent each answer by the thread that received it, and no other thread is woken. Until such a task waits for something,
    /// nothing else arrives, so it must not block or compute for long; whatever it does besides asking is for another task.
    public static var socketExecutor: any TaskExecutor { SocketPoller.shared }
}
