// The check of 4,096 bytes, bit by bit and with a table (CRC-32, ISO-HDLC), and whether both agree.
static unsigned table[256];
static unsigned char bytes[4096];

__attribute__((noinline)) unsigned step(unsigned check, unsigned char byte) {
    check ^= byte;
    for (int bit = 0; bit < 8; bit++) check = check >> 1 ^ (check & 1 ? 0xEDB88320u : 0);
    return check;
}

__attribute__((noinline)) unsigned by_bits(void) {
    unsigned check = ~0u;
    for (int i = 0; i < 4096; i++) check = step(check, bytes[i]);
    return ~check;
}

__attribute__((noinline)) unsigned by_table(void) {
    unsigned check = ~0u;
    for (int i = 0; i < 4096; i++) check = check >> 8 ^ table[(check ^ bytes[i]) & 0xFF];
    return ~check;
}

int main(void) {
    for (int i = 0; i < 256; i++) table[i] = step(0, i);
    for (int i = 0; i < 4096; i++) bytes[i] = i * 7 + (i >> 8);
    return by_bits() == by_table() ? 0 : 1;
}
