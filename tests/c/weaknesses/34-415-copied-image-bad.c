// check: valid-deref,valid-free,valid-memtrack
// run: valid-free

// CWE-415: an image and its copy own the same pixels.
#include <stdlib.h>
#include <string.h>

#ifndef COPY
#define COPY(pixels) pixels
#endif

struct image {
    unsigned char *pixels;
};

static void destroy(struct image *image) {
    free(image->pixels);
    image->pixels = NULL;
}

int main(void) {
    struct image image = {calloc(4, 1)};
    struct image copy = image;
    copy.pixels = COPY(image.pixels);
    copy.pixels[0] = 255;
    destroy(&image);
    destroy(&copy);
    return 0;
}
