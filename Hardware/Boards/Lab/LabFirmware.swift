import NRF52
import Watch

#if os(none)

@c(LabFirmware_main) func runLab() {
    LabWatch.run {
        NamedHandler("shipping", ShippingHandler())
        NamedHandler("legacy", LegacyHandler())
        NamedHandler("every stage", EveryStage())
    }
}

#else

/// A build for the host compiles the firmware too, to find compile errors. The result is this program, which prints how to make
/// the image.
@main enum LabFirmware {
    static func main() {
        print("This is an image for the lab: Hardware/build --lab makes it, and tapline lab executes it.")
    }
}

#endif
