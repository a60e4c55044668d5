// A small firmware for the PineTime: it paints a square under each touch, pulses the motor, and sleeps.
//
// A touch of a corner tries something else: top left a fault, top right a watchdog that nothing feeds, bottom left System OFF,
// bottom right the end with status 0. It prints "ready" by semihosting, and each touch through SEGGER RTT.

#define REG(address) (*(volatile unsigned *)(address))
#define GPIO(offset) REG(0x50000000 + (offset))
#define SPIM(offset) REG(0x40003000 + (offset))
#define TWIM(offset) REG(0x40004000 + (offset))
#define GPIOTE(offset) REG(0x40006000 + (offset))
#define TIMER(offset) REG(0x40008000 + (offset))
#define WDT(offset) REG(0x40010000 + (offset))

enum { FLASH_SELECT = 5, TOUCH_RESET = 10, BUTTON = 13, BUTTON_SUPPLY = 15, MOTOR = 16, DATA = 18, SELECT = 25, RESET = 26, TOUCH = 28 };

// EasyDMA reads RAM alone.
static unsigned char buffer[240];
static unsigned char report[7];

// SEGGER RTT: the control block with one buffer, whose fields a debug probe reads.
static struct { char name[16]; unsigned ups, downs; const char *label; char *start; unsigned size, write, read, flags; } block;
static char printed[64];

static void print(const char *text) {
    for (; *text; text++) {
        printed[block.write] = *text;
        block.write = (block.write + 1) % sizeof printed;
    }
}

static void high(int pin) { GPIO(0x508) = 1u << pin; }
static void low(int pin) { GPIO(0x50C) = 1u << pin; }

static void wait_microseconds(unsigned length) {
    TIMER(0x004) = 1; // STOP
    TIMER(0x00C) = 1; // CLEAR
    TIMER(0x508) = 3; // BITMODE: 32 bits
    TIMER(0x510) = 4; // PRESCALER: 1 MHz
    TIMER(0x540) = length;
    TIMER(0x140) = 0;
    TIMER(0x000) = 1; // START
    while (!TIMER(0x140)) {}
}

static void send(unsigned count, int is_data) {
    if (is_data) high(DATA); else low(DATA);
    SPIM(0x544) = (unsigned)buffer;
    SPIM(0x548) = count;
    SPIM(0x118) = 0;
    SPIM(0x010) = 1;
    while (!SPIM(0x118)) {}
}

static void command(unsigned char code, unsigned count, const unsigned char *parameters) {
    low(SELECT);
    buffer[0] = code;
    send(1, 0);
    for (unsigned place = 0; place < count; place++) buffer[place] = parameters[place];
    if (count) send(count, 1);
    high(SELECT);
}

static void paint(unsigned x, unsigned y, unsigned width, unsigned height, unsigned colour) {
    const unsigned char columns[4] = {0, x, 0, x + width - 1}, rows[4] = {0, y, 0, y + height - 1};
    command(0x2A, 4, columns);
    command(0x2B, 4, rows);
    command(0x2C, 0, 0);
    low(SELECT);
    for (unsigned pixels = width * height; pixels > 0;) {
        unsigned part = pixels < 120 ? pixels : 120;
        for (unsigned place = 0; place < part; place++) {
            buffer[2 * place] = colour >> 8;
            buffer[2 * place + 1] = colour;
        }
        send(2 * part, 1);
        pixels -= part;
    }
    high(SELECT);
}

static void start_panel(void) {
    const unsigned char format = 0x55;
    low(RESET);
    wait_microseconds(20);
    high(RESET);
    wait_microseconds(120000);
    command(0x11, 0, 0);
    wait_microseconds(120000);
    command(0x3A, 1, &format);
    command(0x21, 0, 0);
    paint(0, 0, 240, 240, 0x0010);
    paint(100, 100, 40, 40, 0xFFFF);
    command(0x29, 0, 0);
    GPIO(0x50C) = 1u << 14 | 1u << 22 | 1u << 23;
}

// Whether the touch controller answers.
static int read_touch(void) {
    buffer[0] = 1;
    TWIM(0x544) = (unsigned)buffer;
    TWIM(0x548) = 1;
    TWIM(0x534) = (unsigned)report;
    TWIM(0x538) = 6;
    TWIM(0x104) = TWIM(0x124) = 0;
    TWIM(0x008) = 1;
    while (!TWIM(0x104)) {
        if (TWIM(0x124)) {
            TWIM(0x124) = 0;
            TWIM(0x014) = 1;
        }
    }
    return TWIM(0x4C4) == 0;
}

static unsigned call(unsigned number, const void *argument) {
    register unsigned call __asm("r0") = number;
    register const void *given __asm("r1") = argument;
    __asm volatile("bkpt 0xAB" : "+r"(call) : "r"(given) : "memory");
    return call;
}

__attribute__((noinline)) static void read_nothing(void) { (void)REG(0x30000000); }

__attribute__((noinline)) static void touched(unsigned x, unsigned y) {
    print("touched\n");
    if (x < 20 && y < 20) read_nothing();
    if (x >= 220 && y < 20) {
        WDT(0x504) = 16383;
        WDT(0x000) = 1;
    }
    if (x < 20 && y >= 220) {
        // The button alone wakes: its supply is on, and its pin senses a high level.
        GPIO(0x518) = GPIO(0x508) = 1u << BUTTON_SUPPLY;
        GPIO(0x700 + 4 * BUTTON) = 2u << 16 | 1u << 2;
        GPIO(0x700 + 4 * TOUCH) = 2;
        REG(0x40000500) = 1;
    }
    if (x >= 220 && y >= 220) call(0x18, (const void *)0x20026);
    paint(x < 20 ? 0 : x > 220 ? 200 : x - 20, y < 20 ? 0 : y > 220 ? 200 : y - 20, 40, 40, 0xF81F);
    low(MOTOR);
    wait_microseconds(30000);
    high(MOTOR);
}

void start(void) {
    high(SELECT);
    high(FLASH_SELECT);
    high(MOTOR);
    high(TOUCH_RESET);
    GPIO(0x518) = 1u << FLASH_SELECT | 1u << TOUCH_RESET | 1u << MOTOR | 1u << DATA | 1u << SELECT | 1u << RESET | 1u << 14
        | 1u << 22 | 1u << 23 | 1u << 2 | 1u << 3;
    GPIO(0x700 + 4 * TOUCH) = 3u << 16 | 3u << 2; // SENSE low, pulled up
    SPIM(0x508) = 2;
    SPIM(0x50C) = 3;
    SPIM(0x510) = 4;
    SPIM(0x524) = 0x80000000; // 8 MHz
    SPIM(0x554) = 6;          // mode 3
    SPIM(0x500) = 7;
    TWIM(0x508) = 7;
    TWIM(0x50C) = 6;
    TWIM(0x524) = 0x06400000; // 400 kHz
    TWIM(0x588) = 0x15;
    TWIM(0x200) = 1u << 7 | 1u << 12; // LASTTX_STARTRX, LASTRX_STOP
    TWIM(0x500) = 6;
    for (unsigned place = 0; place < 10; place++) block.name[place] = "SEGGER RTT"[place];
    block.ups = 1;
    block.start = printed;
    block.size = sizeof printed;
    start_panel();
    call(0x04, "ready\n");
    GPIOTE(0x17C) = 0;
    GPIOTE(0x304) = 1u << 31; // PORT
    REG(0xE000ED10) = 1u << 4; // SEVONPEND: a pending interrupt ends WFE
    for (unsigned wasDown = 0;;) {
        __asm volatile("wfe");
        if (!GPIOTE(0x17C)) continue;
        GPIOTE(0x17C) = 0;
        REG(0xE000E280) = 1u << 6;
        unsigned isDown = read_touch() && report[1] != 0;
        if (isDown && !wasDown) touched(report[3], report[5]);
        wasDown = isDown;
    }
}

static void fault(void) { for (;;) {} }

__attribute__((section(".vectors"), used)) void *const vectors[16] = {
    (void *)0x20010000, (void *)start, (void *)fault, (void *)fault, (void *)fault, (void *)fault, (void *)fault,
};
