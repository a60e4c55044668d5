import FirmwareWatch
import Testing

struct MachineEndTests {
    @Test func `an end is a line for people`() {
        #expect("\(MachineEnd.exited(status: 7))" == "the firmware's machine ended with status 7")
        #expect("\(MachineEnd.killed(signal: 9))" == "the firmware's machine was ended by signal 9")
    }
}
