// check: no-overflow
// outcomes: 0

#define IS_ALLOWED(account, amount) (amount > 0 && amount <= account->left)
#include "23-191-room-that-is-left-bad.c"
