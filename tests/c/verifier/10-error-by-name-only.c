// run: exit 1
// verdict: TRUE

// A label, a member and a variable called like the error function are not the error.
struct s { int reach_error; };

static int error_count(void) {
    struct s reach_error = {1};
    goto ERROR;
ERROR:
    return reach_error.reach_error;
}

int main(void) { return error_count(); }
