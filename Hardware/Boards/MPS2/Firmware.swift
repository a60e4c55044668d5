import MPS2Board
import Watch

#if os(none)

/// Runs the watch with the shipping handler on this board.
@c(Firmware_main) func runFirmware() {
    BoardProgram.run(ShippingHandler())
}

#else

/// On a host the firmware is only compiled, so that its errors show early.
@main enum Firmware {
    static func main() {
        print("This is firmware: Hardware/build makes the image for the watch's processor.")
    }
}

#endif
