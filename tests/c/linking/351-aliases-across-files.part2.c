extern int third_name(void) __attribute__((alias("implementation")));
static int variable;
extern int other_variable __attribute__((alias("variable")));
static int implementation(void) { return variable; }
extern int second_name(void) __attribute__((alias("implementation")));
int in_c(void) __asm__("labelled");
int in_c(void) { return 7; }
#pragma redefine_extname ours theirs
int ours(void);
int ours(void) { return 9; }
