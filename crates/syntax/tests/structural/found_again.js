'use strict';
const { load, save } = require('./store');

class Cart extends Base {
  constructor(items = [], { currency = 'EUR', ...rest } = {}) {
    super(rest);
    this.items = items;
    this.currency = currency;
  }

  get total() {
    return this.items.reduce((sum, { price, count }) => sum + price * count, 0);
  }

  async *pages(size) {
    for (let at = 0; at < this.items.length; at += size) {
      yield this.items.slice(at, at + size);
    }
    for await (const item of load(`cart-${this.id}`)) {
      if (item?.price != null && !(item.count > 10)) {
        delete item.note;
      } else {
        throw new TypeError('no price: ' + item.name);
      }
    }
  }
}

const sizes = { small: 1, 'very large': 10, [key]: async () => await save(), ...others };

function check(value) {
  switch (typeof value) {
    case 'number':
      return /^[a-z]+$/i.test(value) ? -value : value ** 2;
    default:
      try {
        value();
      } catch (error) {
        console.error(error.message, error);
      } finally {
        done = true;
      }
  }
  do { value++; } while (value < 3 || value in sizes);
}

module.exports = { Cart, check };
