// A table of devices, each with a buffer of its own and a function that is called through a pointer.

static char screen_buffer[80], disk_buffer[512];

struct device {
    char *buffer;
    int (*write)(struct device *device, char c);
};

static int write_first(struct device *device, char c) {
    device->buffer[0] = c;
    return 1;
}

static int write_nothing(struct device *device, char c) {
    (void)device;
    (void)c;
    return 0;
}

static struct device screen = {screen_buffer, write_first};
static struct device disk = {disk_buffer, write_nothing};

static char *buffer_of(struct device *device) { return device->buffer; }

int main(void) {
    struct device *current = &screen;
    char *seen = buffer_of(&screen);
    char *kept = buffer_of(&disk);
    int written = current->write(current, 'x');

    current = &disk;
    return written + seen[0] + kept[0];
}
