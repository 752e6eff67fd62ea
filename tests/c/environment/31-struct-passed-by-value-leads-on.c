// outcomes: 0
// verdict: FALSE

// The function gets a copy of the struct, and with it the pointer in it.
extern void reach_error(void);

struct packet {
    int size;
    int *payload;
};

extern void send(struct packet packet);

static int data;

int main(void) {
    struct packet packet = {1, &data};
    send(packet);
    if (data)
        reach_error();
    return 0;
}
