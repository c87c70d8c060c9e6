// A toy whose calls go through a table.

class Till {
  constructor() {
    this.handlers = { sell: (amount) => this.sell(amount) };
  }

  dispatch(word, amount) {
    return this.handlers[word](amount);
  }

  sell(amount) {
    return spin(amount);
  }
}

function spin(amount) {
  let sum = 0;
  for (let at = 0; at < 2e6; at++) sum += Math.sqrt(at + amount);
  return sum;
}

const till = new Till();
for (let amount = 0; amount < 40; amount++) till.dispatch("sell", amount);
