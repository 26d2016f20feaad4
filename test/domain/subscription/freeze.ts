/** Deeply freezes a value. Writes to a frozen Map also throw. */
export function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  if (value instanceof Map) {
    value.set = reject;
    value.delete = reject;
    value.clear = reject;
    for (const entry of value.values()) freeze(entry);
  }
  Object.freeze(value);
  for (const inner of Object.values(value)) freeze(inner);
}

const reject = (): never => {
  throw new TypeError('A frozen map cannot be changed.');
};
