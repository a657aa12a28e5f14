/** @file The part of Node's `events` that `@vscode/debugadapter` uses, for browsers. */
exports.EventEmitter = class EventEmitter {
  constructor() {
    this.listeners = new Map();
  }
  on(name, listener) {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener]);
    return this;
  }
  emit(name, ...args) {
    const found = this.listeners.get(name) ?? [];
    for (const listener of found) listener.apply(this, args);
    return found.length > 0;
  }
};
