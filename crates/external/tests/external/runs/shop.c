/* A toy whose calls go through a table. */

static volatile double sum;

static void spin(int amount) {
  for (int at = 0; at < 4000000; at++) sum += at % (amount + 1);
}

static void sell(int amount) { spin(amount); sum += 1; }
static void refund(int amount) { spin(-amount); sum -= 1; }

static void (*const handlers[])(int) = {sell, refund};

static void dispatch(int word, int amount) { handlers[word](amount); sum += word; }

int main(void) {
  for (int amount = 0; amount < 40; amount++) dispatch(amount % 8 == 7, amount % 8 == 7 ? -amount : amount);
  return 0;
}
