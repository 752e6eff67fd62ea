// run: exit 0
// stdout: text c
// stdout: [  abc] [abc  ] [ab] [   ab]
// stdout: tab	quote" back\slash
// stdout:
// stdout: puts adds a newline
// stdout: xyz
// verdict: TRUE

#include <stdio.h>

int main(void) {
    printf("%s %c\n", "text", 'c');
    printf("[%5s] [%-5s] [%.2s] [%5.2s]\n", "abc", "abc", "abc", "abc");
    printf("tab\tquote\" back\\slash\n\n");
    puts("puts adds a newline");
    putchar('x');
    putchar('y');
    fputs("z\n", stdout);
    return 0;
}
