'use strict'
/**
 * Module deps.
 */
var express = require('./lib');
const { join, resolve: res2 } = require('node:path');
import def, { a as b, c } from "./mod.js";
import * as ns from 'ns';
export { x, y as z } from './re';
export * from './all';

/** Creates. */
exports = module.exports = createApplication;

function createApplication(opts) {
  var app = function (req, next) { app.handle(req, next); };
  mixin(app, EventEmitter.prototype, false);
  return app;
}

// Send it.
res.send = function send(body) {
  this.status(200).json(body);
  helper(body);
};
Foo.prototype.bar = function () { return new Baz(1); };
exports.Route = Route;
exports.static = require('serve-static');
module.exports.go = () => 1;

export const arrow = async (x) => { await x.y; };
const obj = { m() { return 1 }, f: function () { }, n: 3 };

/** Class doc */
@deco
export class A extends B.C {
  #priv = 1;
  static foo = 2;
  constructor() { super(); this.x = 1; }
  get prop() { return this.#priv; }
  async run(cb) { cb(); const t = <Foo bar={x} />; }
}
export default function () {}
let { q, r } = ns.thing(1);
import('./dyn').then(m => m.go());
