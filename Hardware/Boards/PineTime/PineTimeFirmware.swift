import NRF52
import Watch

#if os(none)

@c(PineTimeFirmware_main) func runFirmware() {
    PineTimeWatch.run(ShippingHandler())
}

#else

/// On a host the firmware is only compiled, so that its errors show early.
@main enum Firmware {
    static func main() {
        print("This is firmware: Hardware/build makes the image for the watch's processor.")
    }
}

#endif
