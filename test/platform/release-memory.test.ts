import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { releaseMemory } from '../../src/platform/release-memory.ts';

/** Returns a weak reference to an object that has no other references. */
const garbage = (): WeakRef<object> => new WeakRef({ large: new Array(100_000).fill(0) });

describe('releaseMemory', () => {
  it('collects unreferenced objects and leaves no global functions behind', async () => {
    const reference = garbage();
    await nextTurn();
    expect(reference.deref()).toBeDefined();
    await nextTurn();
    releaseMemory();
    await nextTurn();
    expect(reference.deref()).toBeUndefined();
    expect(Reflect.has(globalThis, 'gc')).toBe(false);
  });
});
