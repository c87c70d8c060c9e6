// A value that several screens share, outside React.

import { useSyncExternalStore } from "react";

export interface Store<T> {
  get: () => T;
  set: (change: Partial<T>) => void;
  use: () => T;
}

export function createStore<T extends object>(initial: T, onChange?: (value: T) => void): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  const get = () => value;
  const set = (change: Partial<T>) => {
    value = { ...value, ...change };
    onChange?.(value);
    for (const listener of listeners) listener();
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return { get, set, use: () => useSyncExternalStore(subscribe, get) };
}
