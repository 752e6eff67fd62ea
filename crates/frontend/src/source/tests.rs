//! One test per rewriting: the text that the parser gets, and that it takes it.

use expect_test::{Expect, expect};

use super::lex::{TextKind, lex};
use super::normalise::normalise;
use super::parse;

/// The normalised text; fails if the parser does not take it.
fn rewrite_bytes(source: &[u8]) -> String {
    let (lexed, result) = lex(source, "test.i", TextKind::Preprocessed);
    result.unwrap();
    let text = normalise(source, &lexed).unwrap().text;
    match parse::parse(text.clone()) {
        Ok(_) => {}
        Err(parse::Failure::Syntax(error)) => {
            panic!("{error}\n{text}\n{}^", " ".repeat(error.offset));
        }
        Err(parse::Failure::Other(message)) => panic!("{message}"),
    }
    text
}

fn check(source: &str, expected: Expect) {
    expected.assert_eq(&rewrite_bytes(source.as_bytes()));
}

/// Checks the statements of a function body.
fn check_body(body: &str, expected: Expect) {
    let text = rewrite_bytes(format!("void f(int a,int b,int*p){{{body}}}").as_bytes());
    let inner = text.strip_prefix("void f(int a,int b,int*p){").unwrap();
    expected.assert_eq(inner.strip_suffix('}').unwrap());
}

/// Checks that the parser takes the text as it is, up to white space.
fn check_untouched(source: &str) {
    let bare = |text: &str| text.split_ascii_whitespace().collect::<String>();
    assert_eq!(bare(&rewrite_bytes(source.as_bytes())), bare(source));
}

#[test]
fn comments_and_white_space() {
    check("int/*a*/x ; // b \"\n\x0c\r\n\tint  y/**/= 1 /* ** / */ ;", expect!["int x;int y = 1;"]);
    check_body("a = a + + b - - b; a = b / *p;", expect!["a = a + + b - - b;a = b / *p;"]);
}

#[test]
fn directives() {
    check(
        "# 1 \"a.c\"\n  # pragma omp parallel\n#ident \"x\"\nint x;\n#line 3\nint y;\n#\n",
        expect!["int x;int y;"],
    );
}

#[test]
fn identifiers() {
    check(
        "int a$b, $, naïve, na\\u00efve2, __ravelin_x;",
        expect![
            "int __ravelin_id_a_24b,__ravelin_id__24,__ravelin_id_na_c3_afve,__ravelin_id_na_c3_afve2,__ravelin_id_____ravelin__x;"
        ],
    );
    check_body(
        "lab$el: goto lab$el;",
        expect!["__ravelin_id_lab_24el:goto __ravelin_id_lab_24el;"],
    );
    check("struct s$ { int x; };", expect!["struct __ravelin_id_s_24{int x;};"]);
}

#[test]
fn literals() {
    check_untouched(
        r#"char *s = "a\n\x41\101\"" "b" u8"c" ; int w[] = L"d" ; int c = 'ab' + L'x' + '\'';"#,
    );
    check(r#"char *s = "\e\u00e9\q";"#, expect![[r#"char *s = "\033éq";"#]]);
    assert_eq!(rewrite_bytes(b"char *s = \"\xe9\";"), r#"char *s = "\351";"#);
    assert_eq!(rewrite_bytes(b"int c = '\xe9';/* \xff */"), r"int c = '\351';");
}

#[test]
fn numbers() {
    check_untouched("double d[] = { 1.f, .5, 1.e5, 0x1p-3, 1.0L, 2.5F };");
    check_untouched("long n[] = { 0b101u, 0x1fUL, 017, 1ull, 10LLU, 0 };");
    check(
        "long n = 1'000'000; __float128 q = 1.5Q;",
        expect!["long n = 1000000;_Float128 q = 1.5f128;"],
    );
    check_body("switch (a) case 1 ... 5: ;", expect!["switch(a)case 1 ... 5:;"]);
}

#[test]
fn digraphs() {
    check("int a<:3:> = <% 1 %>;", expect!["int a[3]={1};"]);
}

#[test]
fn keywords_that_the_parser_knows_by_another_name() {
    check(
        "static __thread int x; __const__ int y;",
        expect!["static _Thread_local int x;const int y;"],
    );
    check(
        "__int128 a; unsigned __int128 b; __uint128_t c; __int128_t d; __float80 e; _Decimal128 f;",
        expect![
            "_Decimal128 a;unsigned _Decimal128 b;unsigned _Decimal128 c;_Decimal128 d;long double e;_Decimal128x f;"
        ],
    );
    check_body("__auto_type c = a;", expect!["__typeof(__ravelin_auto)c = a;"]);
}

#[test]
fn keywords_that_the_parser_takes() {
    check_untouched("_Noreturn void f(void); __inline int g(void); static __inline__ int h(void);");
    check_untouched("void f(char *__restrict a, __const char *restrict b, __volatile__ int *c);");
    check_untouched("__signed__ char a; __signed int b; double __complex__ c; _Complex float d;");
    check_untouched(
        "_Atomic(int) a; _Atomic int b; int _Atomic c; int *_Atomic d; _Atomic(int *) *e;",
    );
    check_untouched("_Alignas(16) int a; _Alignas(long) char b; _Thread_local int c; _Bool d;");
}

#[test]
fn omitted_operands() {
    check_body(
        "a = a ?: b; a = a ? : b ?: 3;",
        expect!["a = a?__ravelin_omitted:b;a = a?__ravelin_omitted:b?__ravelin_omitted:3;"],
    );
}

#[test]
fn computed_goto() {
    check_body(
        "void *t[] = {&&l, &&l}; goto *t[a]; l: b = a && b; goto *&&l;",
        expect![
            "void *t[]={__ravelin_label_address(l),__ravelin_label_address(l)};__ravelin_goto_computed(t[a]);l:b = a && b;__ravelin_goto_computed(__ravelin_label_address(l));"
        ],
    );
    check_body(
        "long c = (long)&&l; a = (a)&&b; a = sizeof(int)&&b; l: ;",
        expect!["long c =(long)__ravelin_label_address(l);a =(a)&&b;a = sizeof(int)&&b;l:;"],
    );
    check_body(
        "__label__ x, y; x: y: goto x;",
        expect!["__ravelin_label0_x:__ravelin_label1_y:goto __ravelin_label0_x;"],
    );
}

#[test]
fn built_in_functions_with_types() {
    check_body(
        "a = __builtin_types_compatible_p(int (*)(int, int), __typeof__(p));",
        expect!["a = __ravelin_types_compatible(sizeof(int(*)(int,int)),sizeof(__typeof(p)));"],
    );
    check_untouched("struct s { int m[2]; }; int x = __builtin_offsetof(struct s, m[1]);");
    check_untouched("int f(__builtin_va_list ap) { return __builtin_va_arg(ap, int); }");
    check_untouched("int f(void) { return __builtin_choose_expr(1, 2, 3); }");
    check_untouched("int x = _Generic(1, int: 2, default: 3);");
}

#[test]
fn alignment_of_expressions() {
    check(
        "typedef int T; int x, a[] = { _Alignof(int), __alignof__(x), __alignof(T *), __alignof__ x, __alignof__(x) + 1 };",
        expect![
            "typedef int T;int x,a[]={_Alignof(int),__ravelin_alignof(sizeof(x)),__ravelin_alignof(sizeof(T *)),__ravelin_alignof(sizeof x),__ravelin_alignof(sizeof(x))+ 1};"
        ],
    );
}

#[test]
fn type_of() {
    check(
        "int x; typeof(x) y; __typeof__(__typeof__(x) *) z; __typeof(int) w;",
        expect!["int x;__typeof(x)y;__typeof(__typeof(x)*)z;__typeof(int)w;"],
    );
}

#[test]
fn labels_without_a_statement() {
    check_body(
        "switch (a) { case 1: a = 2; break; case 2: case a ? 3 : 4: } { int x; default: } { end: }",
        expect!["switch(a){case 1:a = 2;break;case 2:case a?3:4:;}{int x;default:;}{end:;}"],
    );
    check(
        "typedef int T; void f(int a, int b) { l: int x; m: T y; n: T *z; o: a * b; p: _Static_assert(1, \"\"); }",
        expect![[
            r#"typedef int T;void f(int a,int b){l:;int x;m:;T y;n:;T *z;o:a * b;p:;_Static_assert(1,"");}"#
        ]],
    );
    check_body("l: __attribute__((unused)); a = a ? b : 3;", expect!["l:;a = a?b:3;"]);
}

#[test]
fn implicit_int() {
    check(
        "main() { } static g() { } f(a) int a; { } x = 3; static y; extern h(), i; const z[2];",
        expect![
            "int main(){}static int g(){}int f(a)int a;{}int x = 3;static int y;extern int h(),i;const int z[2];"
        ],
    );
    check(
        "typedef int T; T (*f)(void); static T (g)(void); T h(void) { static T x; static i; return i; }",
        expect![
            "typedef int T;T(*f)(void);static T(g)(void);T h(void){static T x;static int i;return i;}"
        ],
    );
    check(
        "struct { int x; } const a = {1}; int b[] = {1, 2};",
        expect!["struct{int x;}const a ={1};int b[]={1,2};"],
    );
}

#[test]
fn assembly() {
    check_body(
        r#"asm volatile ("nop" : "=r"(a) : "r"(b) : "memory"); __asm__ __volatile__ inline ("" ::: "memory");"#,
        expect![[
            r#"__asm__ volatile("nop":"=r"(a):"r"(b):"memory");__asm__ volatile("":::"memory");"#
        ]],
    );
    check_body(
        r#"asm goto ("jmp %l0" :::: out); asm volatile goto ("" : : : : out); out: ;"#,
        expect![[r#"__asm__("goto");__asm__("goto");out:;"#]],
    );
    check(
        r#"asm(".globl x"); int y asm("z"); __asm__("nop");"#,
        expect![[r#"int y __asm__("z");"#]],
    );
}

#[test]
fn attributes_of_structs() {
    check(
        "struct __attribute__((packed)) s { char c; int i; }; struct t { int i; } __attribute__ ((__aligned__ (1 << 3), deprecated)) x;",
        expect![[
            r#"struct s{_Static_assert(1,"ravelin:packed");char c;int i;};struct t{_Static_assert(1 << 3,"ravelin:aligned");int i;}x;"#
        ]],
    );
    check(
        "union u { struct { int i; } __attribute__((packed)) a; int *p; } __attribute__((transparent_union, aligned));",
        expect![[
            r#"union u{_Static_assert(1,"ravelin:transparent_union");_Static_assert(16,"ravelin:aligned");struct{_Static_assert(1,"ravelin:packed");int i;}a;int *p;};"#
        ]],
    );
    check(
        "enum __attribute__((packed)) e { A, B } x;",
        expect!["enum e{A __attribute__((packed)),B}x;"],
    );
    check(
        "struct [[gnu::packed]] s { int x; };",
        expect![[r#"struct s{_Static_assert(1,"ravelin:packed");int x;};"#]],
    );
}

#[test]
fn pragma_pack() {
    check(
        "struct a { int x; };\n#pragma pack(push, 1)\nstruct b { int x; };\n#pragma pack(2)\nstruct c { int x; };\n#pragma pack(pop)\nstruct d { int x; };",
        expect![[
            r#"struct a{int x;};struct b{_Static_assert(1,"ravelin:pack");int x;};struct c{_Static_assert(2,"ravelin:pack");int x;};struct d{int x;};"#
        ]],
    );
}

#[test]
fn other_attributes() {
    check(
        "extern void f(int x __attribute__((unused))) __attribute__ ( (__noreturn__, cold) ) ;",
        expect!["extern void f(int x)__attribute__((noreturn));"],
    );
    check(
        "struct s { int a __attribute__((aligned(8))); int b : 3 __attribute__((packed)); char c[2] __attribute__((section(\"x\"))); };",
        expect![
            "struct s{int a __attribute__((aligned(8)));int b:3 __attribute__((packed));char c[2];};"
        ],
    );
    check(
        "typedef int v4 __attribute__((vector_size(4 * sizeof(int)))); [[noreturn]] void g(void); static int __attribute__((constructor(101))) h(void) { [[fallthrough]]; __attribute__((fallthrough)); }",
        expect![
            "typedef int v4 __attribute__((vector_size(4 * sizeof(int))));__attribute__((noreturn))void g(void);static int __attribute__((constructor(101)))h(void){;;}"
        ],
    );
}

#[test]
fn extension_markers() {
    check(
        "__extension__ typedef long long t; struct s { __extension__ union { int x; }; };",
        expect!["typedef long long t;struct s{union{int x;};};"],
    );
    check_body("a = __extension__ ({ b; });", expect!["a =({b;});"]);
}

#[test]
fn static_assertions() {
    check(
        "_Static_assert(sizeof(int[2]) == 8); _Static_assert(1, \"x\");",
        expect![[r#"_Static_assert(sizeof(int[2])== 8,"");_Static_assert(1,"x");"#]],
    );
}

#[test]
fn empty_declarations_and_members() {
    check("; int x;; ; void f(void) { ; };", expect!["int x;void f(void){;}"]);
    check("struct s { ; int x;; };", expect!["struct s{int x;};"]);
    check_untouched("struct s { }; struct s x = { };");
}

#[test]
fn compound_literals() {
    check(
        "struct s { int x; }; void f(int a) { struct s t = (struct s){}; if (a) {} while (a) {} for (;;) {} }",
        expect![
            "struct s{int x;};void f(int a){struct s t =(struct s){__ravelin_empty};if(a){}while(a){}for(;;){}}"
        ],
    );
    check_body(
        "a = sizeof (int[]){1, 2}; a = sizeof (int){1} + sizeof(int);",
        expect!["a = sizeof((int[]){1,2});a = sizeof((int){1})+ sizeof(int);"],
    );
}

#[test]
fn parameters_that_hide_types() {
    check(
        "typedef int T; typedef char U; int f(int T, U *const U, int (*g)(T)) { return (T) + 1; }",
        expect![
            "typedef int T;typedef char U;int f(int T,U *const U,int(*g)(T)){__typeof(__ravelin_parameter)T;__typeof(__ravelin_parameter)U;return(T)+ 1;}"
        ],
    );
    check(
        "typedef int T; int f(T, const T, struct T *p) { return 0; }",
        expect!["typedef int T;int f(T,const T,struct T *p){return 0;}"],
    );
}

#[test]
fn what_the_parser_takes_as_it_is() {
    check_untouched("int f(a, b) int a; char *b; { return a; }");
    check_untouched(
        "int x[] = { [2] = 1, [3 ... 5] = 2 }; struct { int a, b; } y = { .a = 1, b : 2 };",
    );
    check_untouched("enum e { A, B = 3, }; enum e; struct s; int (*t[3])(void);");
    check_untouched("void f(int n, int a[static n], int b[*], int c[restrict], ...);");
    check_untouched(
        "int f(void) { for (int i = 0, j = 1; i < j; ++i) continue; return ({ int x = 1; x; }); }",
    );
    check_untouched("typedef int T; struct s { T T; }; void f(void) { T T = 1; T = T * T; }");
    check_untouched("typedef int T; void f(void) { goto T; T: ; { int T; T = 1; } T x; }");
    check_untouched(
        "struct s { int a : 3; int : 0; unsigned b : 1; struct { int c; }; int d[]; };",
    );
}
