// <unistd.h>. A program is one process, whose numbers stay the same. They are variables that nothing
// defines: such a variable has any value from the start.

//: getpid
// Linux numbers processes from 1 to below 2^22.
extern unsigned __ravelin_process;
int getpid(void) {
    return (int)(__ravelin_process & 0x3fffff) + 1;
}

//: getuid
extern unsigned __ravelin_user;
unsigned getuid(void) {
    return __ravelin_user;
}

//: geteuid
extern unsigned __ravelin_effective_user;
unsigned geteuid(void) {
    return __ravelin_effective_user;
}

//: getgid
extern unsigned __ravelin_group;
unsigned getgid(void) {
    return __ravelin_group;
}

//: getegid
extern unsigned __ravelin_effective_group;
unsigned getegid(void) {
    return __ravelin_effective_group;
}
