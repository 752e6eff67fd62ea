// Section 3.3.5 of 002: two structs of one type, with one member.
struct person { int age; } p1, p2;
int main(void) {
  struct person *ptr1 = &p1;
  struct person *ptr2 = &p2;
  return ptr1->age + ptr2->age;
}
