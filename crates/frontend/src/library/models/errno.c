// <errno.h>. Models report failures by __ravelin_set_errno and its like, which lead here in programs that
// look at errno and nowhere in others. POSIX lets functions fail for reasons that it does not list, so
// that where no reason is certain any error number of Linux is possible, 1 to 133. It also lets a function
// that succeeds leave any number, though never zero (C11 7.5p3).

//: __ravelin_store_errno
int *__errno_location(void);
void __ravelin_store_errno(int error) {
    *__errno_location() = error;
}

//: __ravelin_store_any_errno
int *__errno_location(void);
int __ravelin_any_int(void);
void __ravelin_store_any_errno(void) {
    int error = __ravelin_any_int();
    *__errno_location() = error >= 1 && error <= 133 ? error : 5; /* EIO */
}

//: __ravelin_disturb_errno
int *__errno_location(void);
int __ravelin_any_int(void);
void __ravelin_disturb_errno(void) {
    int error = __ravelin_any_int();
    if (error >= 1 && error <= 133) *__errno_location() = error;
}

//: __ravelin_store_errno_of_result
int *__errno_location(void);
void __ravelin_store_errno_of_result(int result, int error) {
    if (result != 0) *__errno_location() = error;
}

//: __ravelin_store_errno_of_output
void __ravelin_store_any_errno(void);
void __ravelin_disturb_errno(void);
void __ravelin_store_errno_of_output(int result) {
    if (result < 0) {
        __ravelin_store_any_errno();
    } else {
        __ravelin_disturb_errno();
    }
}
