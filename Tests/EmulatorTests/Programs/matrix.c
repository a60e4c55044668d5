// Multiplies matrices of floats, and divides and takes roots of what comes out.
static float left[16][16], right[16][16], product[16][16];

__attribute__((noinline)) void multiply(void) {
    for (int row = 0; row < 16; row++)
        for (int column = 0; column < 16; column++) {
            float sum = 0;
            for (int i = 0; i < 16; i++) sum += left[row][i] * right[i][column];
            product[row][column] = sum;
        }
}

__attribute__((noinline)) float norm(void) {
    float sum = 0;
    for (int row = 0; row < 16; row++)
        for (int column = 0; column < 16; column++) sum += product[row][column] * product[row][column];
    return __builtin_sqrtf(sum);
}

int main(void) {
    for (int i = 0; i < 256; i++) {
        left[i / 16][i % 16] = (float)(i % 7) / 3.0f;
        right[i / 16][i % 16] = (float)(i % 5) - 2.5f;
    }
    multiply();
    float length = norm();
    for (int row = 0; row < 16; row++)
        for (int column = 0; column < 16; column++) product[row][column] /= length;
    float one = norm();
    return one > 0.999f && one < 1.001f ? 0 : 1;
}
