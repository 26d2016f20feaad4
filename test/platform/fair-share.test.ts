import { setTimeout as rest } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { shareSizes } from '../../src/platform/db/share.ts';
import { FairShare } from '../../src/platform/fair-share.ts';

// Tests that no environment uses more than its share of connections (PLT-67).

const late = () => new Error('late');

/** Starts work that runs until the test ends it. `started` lists the labels in the order in which their work started. */
function work(share: FairShare) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    start: (name: string, waitMs = 10_000) => {
      const label = `${name}${[...ends.keys()].filter((known) => known.startsWith(name)).length + 1}`;
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(label, resolve);
      return share.run(
        name,
        () => {
          started.push(label);
          return promise;
        },
        waitMs,
        late,
      );
    },
    end: async (label: string) => {
      ends.get(label)?.();
      await rest(1);
    },
  };
}

test.each([
  [10, { slots: 8, most: 4, mostAlone: 6, reserved: 2 }],
  [5, { slots: 4, most: 2, mostAlone: 3, reserved: 1 }],
  [3, { slots: 2, most: 1, mostAlone: 2, reserved: 0 }],
  [1, { slots: 1, most: 1, mostAlone: 1, reserved: 0 }],
])('a pool of %i connections is divided into shares of %o', (poolSize, sizes) => {
  expect(shareSizes(poolSize)).toEqual(sizes);
});

describe('a fair share', () => {
  test('gives a single holder all but the reserved slots until another holder requests one', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    const { start, started, end } = work(new FairShare(shareSizes(10)));
    const all = [start('a'), start('a')];
    now.mockReturnValue(5_000);
    for (let count = 0; count < 6; count++) all.push(start('a'));
    expect(started).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'a6']);
    all.push(start('b'));
    expect(started.at(-1)).toBe('b1');
    for (const label of ['a1', 'a2']) await end(label);
    // With a second holder, each holder is limited to four slots.
    expect(started).toHaveLength(7);
    await end('a3');
    expect(started.at(-1)).toBe('a7');
    for (let count = 0; count < 20; count++) for (const label of [...started]) await end(label);
    await Promise.all(all);
    now.mockRestore();
  });

  test('limits each holder, and reserves the last slots for holders without a slot', async () => {
    const { start, started, end } = work(new FairShare(shareSizes(10)));
    const all = [...'aaaaaaaabbbbccc'].map((name) => start(name));
    // Holder `a` reaches its limit of 4 slots. Holder `b` gets 2 slots, because the last 2 are reserved. Holder `c` gets a reserved slot.
    expect(started).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']);
    all.push(start('d'));
    expect(started.at(-1)).toBe('d1');
    // All 8 slots are in use. If more slots are free than are reserved, a released slot goes to the holder with the fewest slots.
    all.push(start('e'));
    await end('a1');
    expect(started.at(-1)).toBe('e1');
    for (const label of started) await end(label);
    for (let count = 0; count < 20; count++) for (const label of [...started]) await end(label);
    await Promise.all(all);
    expect(started).toHaveLength(17);
  });

  test('gives the only slot to waiting holders in turn', async () => {
    const { start, started, end } = work(new FairShare(shareSizes(1)));
    const all = [...'aaabc'].map((name) => start(name));
    for (const label of ['a1', 'b1', 'c1', 'a2', 'a3']) {
      if (!started.includes(label)) await rest(1);
      await end(label);
    }
    await Promise.all(all);
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
  });

  test('rejects work that waits too long, and frees the slot when work fails', async () => {
    const share = new FairShare(shareSizes(1));
    const { start, started, end } = work(share);
    const first = start('a');
    await expect(start('b', 5)).rejects.toThrow('late');
    const third = start('c');
    await end('a1');
    await first;
    await end('c1');
    await third;
    expect(started).toEqual(['a1', 'c1']);
    await expect(share.run('a', () => Promise.reject(new Error('failed')), 1, late)).rejects.toThrow(
      'failed',
    );
    expect(await share.run('b', async () => 'done', 1, late)).toBe('done');
  });

  test('counts work in its group, even after a pause of its holder', async () => {
    const share = new FairShare(shareSizes(10));
    share.pause('a', 10);
    const { promise, resolve } = Promise.withResolvers<void>();
    let started = 0;
    const task = () => {
      started++;
      return promise;
    };
    const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) =>
      share.run(name, task, 10_000, late, 'node'),
    );
    await rest(50);
    expect([started, share.waiting]).toEqual([6, 1]);
    resolve();
    await Promise.all(all);
    expect(started).toBe(7);
  });

  test("delays a paused holder's work until all pauses end, but doesn't delay other holders", async () => {
    const share = new FairShare(shareSizes(10));
    const { start, started, end } = work(share);
    const first = start('a');
    share.pause('a', 40);
    share.pause('a', 40);
    const all = [first, start('a'), start('b')];
    await end('a1');
    expect(started).toEqual(['a1', 'b1']);
    await rest(60);
    expect(started).toEqual(['a1', 'b1']);
    await rest(60);
    expect(started).toEqual(['a1', 'b1', 'a2']);
    await end('a2');
    await end('b1');
    await Promise.all(all);
  });
});
