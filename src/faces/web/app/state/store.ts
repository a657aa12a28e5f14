/** @file A value that is replaced and told of: the page's whole state is one. */
import { useEffect, useState } from 'preact/hooks';

export interface Store<T> {
  readonly value: T;
  set(change: Partial<T>): void;
  subscribe(listen: () => void): () => void;
}

export function createStore<T extends object>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get value() {
      return value;
    },
    set(change) {
      value = { ...value, ...change };
      for (const listen of listeners) listen();
    },
    subscribe(listen) {
      listeners.add(listen);
      return () => listeners.delete(listen);
    },
  };
}

/** What `select` gives, again whenever that changes. */
export function useSelect<T extends object, S>(store: Store<T>, select: (value: T) => S): S {
  const [, again] = useState(0);
  const selected = select(store.value);
  useEffect(() => {
    let last = select(store.value);
    if (last !== selected) again((n) => n + 1);
    return store.subscribe(() => {
      const next = select(store.value);
      if (next === last) return;
      last = next;
      again((n) => n + 1);
    });
    // One subscription for a component's life: `select` only reads.
  }, [store]);
  return selected;
}
