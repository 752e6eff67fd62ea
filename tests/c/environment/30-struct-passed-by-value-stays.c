// outcomes: 0
// verdict: TRUE

// The function gets a copy of the struct: neither the original nor what surrounds it is the function's.
extern void reach_error(void);

struct packet {
    int size;
    int *payload;
};

struct node {
    struct packet packet;
    struct node *next;
};

extern void send(struct packet packet);

static int data;
static struct node node;

int main(void) {
    struct node *p = &node;
    p->packet.size = 1;
    p->packet.payload = &data;
    send(p->packet);
    if (p->next || p->packet.size != 1 || p->packet.payload != &data)
        reach_error();
    return 0;
}
