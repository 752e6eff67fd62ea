// check: valid-deref
// run: valid-deref

// CWE-126: a label that fills its field has no end, and its length is sought behind it.
#include <string.h>

#ifndef FIELD
#define FIELD 8
#endif

struct disk {
    char label[FIELD];
};

static void name(struct disk *disk, const char *label) {
    strncpy(disk->label, label, 8);
}

int main(void) {
    struct disk disk = {{0}};
    name(&disk, "archives");
    return strlen(disk.label) != 8;
}
