// Memory that the C library has for itself. What is allocated in this file counts for no property of leaks.

//: __ravelin_allocate
void *malloc(unsigned long size);
void *__ravelin_allocate(unsigned long size) {
    return malloc(size);
}
