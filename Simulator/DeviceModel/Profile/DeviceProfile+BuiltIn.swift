import WatchLink

extension DeviceProfile {
    /// The product's own: a memory LCD of 144 x 168 pixels and a Cortex-M4 at 64 MHz.
    public static let memoryLCD = DeviceProfile(
        name: "memory-lcd", title: "memory LCD, 144 x 168, Cortex-M4 at 64 MHz",
        processor: cortexM4,
        // Sharp, "Programming Sharp's Memory LCDs" (application note), multiple-line write: 8 bits of mode, then for each line
        // 8 bits of address, the pixels and 8 dummy bits, and 8 more dummy bits at the end. The bus runs at 2 MHz, the maximum
        // of the LS027B7DH01 and the clock that the note's own power figures assume; LS013B7DH05 panels are listed for 1.1 MHz.
        panel: PanelCost(busHertz: 2_000_000, bitsPerLine: 8 + 144 + 8, bitsPerFlush: 8 + 8),
        flash: serialFlash, haptic: hapticDriver, touch: touchController, radio: lowEnergy, phone: phoneDatabase,
        energy: EnergyCost(
            // Assumed: what a case of this size holds, the same as the PineTime's.
            batteryMilliampereHours: 180,
            // 2.1 uA quiescent for a 1.35 inch panel and 2 uA for writing it once a second (Sharp's note, "Power
            // considerations"), 1.9 uA for the nRF52832 asleep with its memory and clock kept, 4 uA for the haptic driver's
            // standby and 5 uA for the touch controller's (assumed), 1 uA for the flash chip's power-down, and assumed 4 uA
            // for what regulators leak.
            sleepMicroamperes: 20,
            processorMicroamperes: processorCurrent,
            // 360 uA while writing, Sharp's note; 80 us a line.
            panelLine: 360 * 80e-6,
            pageProgram: pageProgramCharge, sectorErase: sectorEraseCharge, hapticPattern: hapticCharge,
            radioEvent: radioEventCharge, radioByte: radioByteCharge))

    /// A colour watch of the PineTime class: an ST7789 panel on an nRF52832's SPI.
    public static let colourSPI = DeviceProfile(
        name: "colour-spi", title: "colour panel over SPI (PineTime class), nRF52832 at 64 MHz",
        processor: cortexM4,
        // SPI at 8 MHz is the fastest of the nRF52832 (nRF52832 Product Specification, SPIM: FREQUENCY); the PineTime's wiki
        // says to use it. A pixel is 16 bits (ST7789V, COLMOD 55h). The picture of 144 x 168 is shown pixel by pixel; before a
        // run of lines come CASET and RASET with four bytes each and RAMWR (ST7789V, section 9.1): 11 bytes.
        panel: PanelCost(busHertz: 8_000_000, bitsPerLine: 144 * 16, bitsPerFlush: 88),
        flash: serialFlash, haptic: HapticCost(busWrite: .zero, start: .zero), touch: touchController, radio: lowEnergy,
        phone: phoneDatabase,
        energy: EnergyCost(
            // PineTime wiki, specifications: 170-180 mAh.
            batteryMilliampereHours: 180,
            // 1.07 mA asleep on the whole board, as measured by the Hypnos project for its PineTime. The lit panel, 12 to 15 mA
            // by the same page, is not in it: the model does not know when the light is on.
            sleepMicroamperes: 1_070,
            processorMicroamperes: processorCurrent,
            // Assumed: the nRF52832's SPIM with its clock running, 1 mA, for the 288 us of a line.
            panelLine: 1_000 * 288e-6,
            pageProgram: pageProgramCharge, sectorErase: sectorEraseCharge,
            // Assumed: a motor that is switched by a pin, 80 mA for 35 ms.
            hapticPattern: 80_000 * 35e-3,
            radioEvent: radioEventCharge, radioByte: radioByteCharge))

    /// Nothing takes any time or charge: for tests in which time is not the subject.
    public static let instant = DeviceProfile(
        name: "instant", title: "everything takes no time",
        processor: Processor(clockHertz: nil, cyclesPerInstruction: 0),
        panel: PanelCost(busHertz: nil, bitsPerLine: 0, bitsPerFlush: 0),
        flash: FlashCost(
            pageProgram: FlashCost.Length(typical: .zero, maximum: .zero),
            sectorErase: FlashCost.Length(typical: .zero, maximum: .zero),
            eraseSuspend: FlashCost.EraseSuspend(latency: .zero, betweenSuspends: .zero)),
        haptic: HapticCost(busWrite: .zero, start: .zero),
        touch: TouchCost(scanInterval: .zero),
        radio: RadioCost(interval: .zero, latency: 0, payloadPerEvent: 512, supervisionTimeout: .zero),
        phone: PhoneCost(readThousandRows: .zero, commit: .zero),
        energy: EnergyCost(
            batteryMilliampereHours: 0, sleepMicroamperes: 0, processorMicroamperes: 0, panelLine: 0, pageProgram: 0,
            sectorErase: 0, hapticPattern: 0, radioEvent: 0, radioByte: 0))

    // MARK: Parts

    /// 64 MHz: nRF52832 Product Specification, CPU. Assumed: 1.25 cycles an instruction. On the Cortex-M4 most instructions
    /// take one cycle, loads two or one where they follow each other, taken branches two to four (Cortex-M4 Technical Reference
    /// Manual, section 3.3.1); the chip's cache hides most wait states.
    private static let cortexM4 = Processor(clockHertz: 64_000_000, cyclesPerInstruction: 1.25)

    /// Winbond W25Q32FV datasheet, AC electrical characteristics: tPP 0.7 ms typical, 3 ms at most; tSE (4 KB) 45 ms typical,
    /// 400 ms at most; tSUS 20 us at most, which is also the shortest time from a Resume (7Ah) to the next Suspend (75h).
    private static let serialFlash = FlashCost(
        pageProgram: FlashCost.Length(typical: Microseconds(700), maximum: .milliseconds(3)),
        sectorErase: FlashCost.Length(typical: .milliseconds(45), maximum: .milliseconds(400)),
        eraseSuspend: FlashCost.EraseSuspend(latency: Microseconds(20), betweenSuspends: Microseconds(20)))

    /// Two registers of a DRV2605L over I2C at 400 kHz, its fastest: twice a start, three bytes of nine bits and a stop, 29
    /// bits, 72.5 us. Its datasheet (SLOS854, switching characteristics) gives 0.7 ms from the order to the output.
    private static let hapticDriver = HapticCost(busWrite: Microseconds(145), start: Microseconds(700))

    /// Hynitron CST816S register description: NorScanPer (0xEE), unit 10 ms, default 1.
    private static let touchController = TouchCost(scanInterval: .milliseconds(10))

    /// The paces that Tapline asks for: 12 x 1.25 ms without latency while the watch is used, 24 to 36 x 1.25 ms with a
    /// latency of 3 when nothing has happened for 5 s, supervision 6 s (Sources/BluetoothBridge/Channel/ConnectionParameters.swift and
    /// ConnectionParameterPolicy.swift). Assumed: of the slow range the phone's controller takes the longest, which leaves it the most room. One
    /// packet of the longest data length an event and direction, 251 bytes (Bluetooth Core Specification 5.4, volume 6, part
    /// B, section 2.4), is assumed: controllers may carry more.
    private static let lowEnergy = RadioCost(
        interval: .milliseconds(15), latency: 0, payloadPerEvent: 251, supervisionTimeout: .seconds(6),
        rest: RadioCost.Rest(after: .seconds(5), interval: .milliseconds(45), latency: 3))

    /// Measured with PhoneHost's own store, SQLite in WAL mode with every commit synchronised, in a debug build on a virtual
    /// machine: 3.8 ms for a check-off, 56 ms for a reload of 2,000 rows, the medians of 41 (TAPLINE_MEASURE=1 swift test
    /// --filter StoreCostTests). Assumed: a phone is no faster, its storage being slower and its build an optimised one.
    private static let phoneDatabase = PhoneCost(readThousandRows: .milliseconds(26), commit: .milliseconds(4))
    /// nRF52832 Product Specification, current consumption: 3.7 mA for CoreMark out of flash with its cache and DC/DC at 3 V,
    /// 58 uA/MHz.
    private static let processorCurrent = 3_700.0

    /// W25Q32FV datasheet, DC electrical characteristics: 20 mA typical while programming and erasing, for 0.7 ms and 45 ms.
    private static let pageProgramCharge = 20_000 * 0.7e-3
    private static let sectorEraseCharge = 20_000 * 45e-3

    /// Assumed: 60 mA through a linear actuator for a click of 20 ms.
    private static let hapticCharge = 60_000 * 20e-3

    /// nRF52832 Product Specification, current consumption: 6.5 mA receiving and 7.1 mA sending at 0 dBm. An event without
    /// payload receives and sends 80 us each; 0.8 ms of start-up and processing at 3 mA is assumed. A byte at 1 Mbit/s takes 8 us.
    private static let radioEventCharge = 6_500 * 80e-6 + 7_100 * 80e-6 + 3_000 * 0.8e-3
    private static let radioByteCharge = 7_100 * 8e-6
}
