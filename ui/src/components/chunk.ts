// A part of the window in a file of its own, fetched when it is first shown or before.

import { type ComponentType, type LazyExoticComponent, lazy } from "react";

export class Chunk<Props extends object> {
  readonly #fetch: () => Promise<ComponentType<Props>>;
  #loaded?: ComponentType<Props>;

  constructor(fetch: () => Promise<ComponentType<Props>>) {
    this.#fetch = fetch;
  }

  async load(): Promise<ComponentType<Props>> {
    this.#loaded ??= await this.#fetch();
    return this.#loaded;
  }

  /** The part itself once it is here, so that it is drawn at once and nothing flashes. */
  part(): ComponentType<Props> | LazyExoticComponent<ComponentType<Props>> {
    return this.#loaded ?? lazy(async () => ({ default: await this.load() }));
  }
}
