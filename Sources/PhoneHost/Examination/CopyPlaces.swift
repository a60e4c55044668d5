import Foundation
import Synchronization

/// The directories of copies that this process has not removed yet. A signal that ends the process removes them first:
/// nothing else knows their names, and there is a whole list in them.
enum CopyPlaces {
    private static let present = Mutex<Set<String>>([])

    /// The first use has the signals caught, for good: without a copy they end the process as they did before.
    private static let signals: Void = {
        for number in [SIGINT, SIGTERM, SIGHUP] { catchSignal(number) }
    }()

    /// Takes note of a directory that is about to be made.
    static func add(_ directory: String) {
        signals
        present.withLock { _ = $0.insert(directory) }
    }

    static func remove(_ directory: String) {
        try? FileManager.default.removeItem(atPath: directory)
        present.withLock { _ = $0.remove(directory) }
    }

    private static func catchSignal(_ number: CInt) {
        var action = sigaction()
        // No handler is the default. Who started this process may have it ignore the signal, and a host has its own.
        guard sigaction(number, nil, &action) == 0, action.__sigaction_handler.sa_handler == nil else { return }
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        // The handler keeps the source.
        source.setEventHandler {
            withExtendedLifetime(source) { end(number) }
        }
        source.resume()
    }

    private static func end(_ number: CInt) {
        present.withLock { directories in
            for directory in directories {
                // What makes the copy goes on meanwhile, and may have added a file.
                for _ in 0..<10 where FileManager.default.fileExists(atPath: directory) {
                    try? FileManager.default.removeItem(atPath: directory)
                }
            }
            signal(number, SIG_DFL)
            kill(getpid(), number)
        }
    }
}
