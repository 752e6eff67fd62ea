// run: exit 0
// verdict: TRUE

// What is written to a stream over memory stays in the stream until it is flushed; what is read comes at once.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>

static void written(void) {
    char buffer[16], line[8];
    FILE *file;
    memset(buffer, '#', sizeof buffer);
    file = fmemopen(buffer, sizeof buffer, "w+");
    assert(file != NULL && buffer[0] == 0);
    assert(!__freading(file) && !__fwriting(file) && __freadable(file) && __fwritable(file));
    assert(fputs("hi", file) == 1 && fputc('\n', file) == '\n');
    assert(__fpending(file) == 3 && __fwriting(file) && !__freading(file) && buffer[0] == 0);
    assert(fflush(file) == 0 && __fpending(file) == 0 && strcmp(buffer, "hi\n") == 0);
    assert(fputs_unlocked("x", file) >= 0 && buffer[3] == 0 && buffer[4] == '#');
    rewind(file);
    assert(strcmp(buffer, "hi\nx") == 0 && buffer[5] == '#');
    assert(fgets(line, sizeof line, file) == line && strcmp(line, "hi\n") == 0 && __freading(file));
    buffer[3] = '?';
    assert(fgetc_unlocked(file) == 'x' && !feof(file));
    assert(getc(file) == EOF && feof_unlocked(file) && !ferror_unlocked(file));
    clearerr(file);
    assert(!feof(file) && fgets_unlocked(line, sizeof line, file) == NULL && feof(file));
    assert(fclose(file) == 0);
}

static void in_one_direction(void) {
    char buffer[8] = "ab", line[8];
    FILE *file = fmemopen(buffer, 2, "r");
    assert(__freading(file) && !__fwriting(file) && !__fwritable(file) && __fpending(file) == 0);
    errno = 0;
    assert(fputs("", file) == 1 && !ferror(file));
    assert(fputc('x', file) == EOF && errno == EBADF && ferror(file));
    assert(fgets(line, sizeof line, file) == line && strcmp(line, "ab") == 0 && feof(file) && ferror(file));
    assert(fclose(file) == 0);
    file = fmemopen(buffer, sizeof buffer, "w");
    assert(!__freading(file) && __fwriting(file) && !__freadable(file));
    errno = 0;
    assert(fgetc(file) == EOF && errno == EBADF && ferror(file) && !feof(file));
    assert(fputs("c", file) == 1 && buffer[0] == 'a');
    assert(fclose(file) == 0 && strcmp(buffer, "c") == 0);
    errno = 0;
    assert(fmemopen(buffer, 4, "x") == NULL && errno == EINVAL);
}

int main(void) {
    written();
    in_one_direction();
    return 0;
}
