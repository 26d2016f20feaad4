import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { releaseMemory } from '../../src/platform/release-memory.ts';

/** A reference to something that nothing else holds. */
const garbage = (): WeakRef<object> => new WeakRef({ large: new Array(100_000).fill(0) });

describe('releasing memory', () => {
  it('collects what nothing holds, and leaves no function for it behind', async () => {
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
