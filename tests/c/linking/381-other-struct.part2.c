struct pair { double a; int b; };
int sum(struct pair p) { return p.b; }
