// Sorts numbers by insertion and by halves, and returns whether both agree.
static unsigned numbers[128], copy[128], merged[128];

static unsigned next(unsigned *state) { return *state = *state * 1664525u + 1013904223u; }

__attribute__((noinline)) void insertion_sort(unsigned *list, int count) {
    for (int i = 1; i < count; i++) {
        unsigned value = list[i];
        int place = i;
        for (; place > 0 && list[place - 1] > value; place--) list[place] = list[place - 1];
        list[place] = value;
    }
}

__attribute__((noinline)) void merge_sort(unsigned *list, int count) {
    if (count < 2) return;
    int half = count / 2;
    merge_sort(list, half);
    merge_sort(list + half, count - half);
    for (int i = 0, left = 0, right = half; i < count; i++)
        merged[i] = right == count || (left < half && list[left] <= list[right]) ? list[left++] : list[right++];
    for (int i = 0; i < count; i++) list[i] = merged[i];
}

int main(void) {
    unsigned state = 1;
    for (int i = 0; i < 128; i++) numbers[i] = copy[i] = next(&state);
    insertion_sort(numbers, 128);
    merge_sort(copy, 128);
    for (int i = 0; i < 128; i++) if (numbers[i] != copy[i]) return 1;
    return 0;
}
