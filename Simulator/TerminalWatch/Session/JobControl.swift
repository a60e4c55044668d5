import Glibc
import HostSystem

/// Stopping and continuing as a job of a shell.
enum JobControl {
    /// Stops the program's whole process group, as the terminal does when it sees Ctrl-Z itself: the shell waits for
    /// all of a job. Returns when the job is continued.
    static func stop() {
        var ignore = sigaction()
        ignore.__sigaction_handler.sa_handler = SIG_IGN
        var caught = sigaction()
        sigaction(SIGTSTP, &ignore, &caught)
        kill(0, SIGTSTP)
        var stop = sigaction()
        stop.__sigaction_handler.sa_handler = SIG_DFL
        sigaction(SIGTSTP, &stop, nil)
        // Sent to this thread, so that it does not run on before the stop takes effect. A thread of a dispatch queue, on which
        // a command runs, blocks every signal.
        SystemThread.receiving(SIGTSTP) { raise(SIGTSTP) }
        sigaction(SIGTSTP, &caught, nil)
    }
}
