import { setImmediate as tick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openTurns } from '../../src/platform/queue/batch-queue.ts';

// Each item is a number, which is also its weight. A batch stays active until the test ends it.

type Lot = { readonly group: string; readonly items: readonly number[]; readonly end: () => void };

function open({
  slots = 1,
  lanes = 1,
  batchWeight = 10,
  besideWeight = 0,
  queueWeight = 100,
  nameOf = (_item: number): string | null => null,
} = {}) {
  const lots: Lot[] = [];
  const { put } = openTurns<number>(
    { slots, lanes, batchWeight, besideWeight, queueWeight, weightOf: (item) => item, nameOf },
    (group, items) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      lots.push({ group, items, end: resolve });
      return promise;
    },
  );
  const end = async (): Promise<void> => {
    lots.at(-1)?.end();
    await tick();
  };
  return { put, lots, end, emitted: () => lots.map(({ group, items }) => `${group} ${items.join('+')}`) };
}

test('a batch queue groups items that arrive together, and collects later items for the next batch', async () => {
  const { put, end, emitted } = open();
  put('a', 1);
  put('a', 2);
  await tick();
  put('a', 3);
  put('a', 4);
  await tick();
  expect(emitted()).toEqual(['a 1+2']);
  await end();
  expect(emitted()).toEqual(['a 1+2', 'a 3+4']);
});

test('a batch queue limits a batch to its maximum weight in order of arrival, and sends a heavier item on its own', async () => {
  const { put, end, emitted } = open();
  for (const item of [4, 5, 3, 30, 2]) put('a', item);
  await tick();
  for (let lots = 1; lots < 4; lots++) await end();
  expect(emitted()).toEqual(['a 4+5', 'a 3', 'a 30', 'a 2']);
});

test('a batch queue never puts two items with the same name in one batch', async () => {
  const { put, end, emitted } = open({ nameOf: (item) => (item === 2 ? 'two' : null) });
  for (const item of [2, 1, 2, 3]) put('a', item);
  await tick();
  await end();
  expect(emitted()).toEqual(['a 2+1+3', 'a 2']);
});

test('a batch queue alternates between groups, so a long queue delays other groups by only one batch', async () => {
  const { put, end, emitted } = open({ batchWeight: 2 });
  for (let count = 0; count < 5; count++) put('noisy', 2);
  await tick();
  put('quiet', 1);
  await end();
  await end();
  expect(emitted()).toEqual(['noisy 2', 'noisy 2', 'quiet 1']);
  put('quiet', 1);
  await end();
  await end();
  expect(emitted().slice(3)).toEqual(['noisy 2', 'quiet 1']);
});

test('a batch queue runs one batch per group at a time, and different groups concurrently up to the number of slots', async () => {
  const { put, emitted } = open({ slots: 2 });
  for (const group of ['a', 'b', 'c']) put(group, 1);
  await tick();
  put('a', 1);
  await tick();
  expect(emitted()).toEqual(['a 1', 'b 1']);
});

test("a batch queue with two lanes starts a group's second batch when the waiting weight equals the active weight", async () => {
  const { put, emitted } = open({ slots: 3, lanes: 2 });
  for (const item of [3, 1, 1, 1, 4]) {
    put('a', item);
    await tick();
  }
  expect(emitted()).toEqual(['a 3', 'a 1+1+1']);
});

test('a batch queue starts a second batch only if enough weight is waiting, or when the first batch ends', async () => {
  const { put, lots, end, emitted } = open({ slots: 3, lanes: 2, besideWeight: 5 });
  for (const item of [1, 2, 2, 1]) {
    put('a', item);
    await tick();
  }
  expect(emitted()).toEqual(['a 1', 'a 2+2+1']);
  put('a', 2);
  await tick();
  expect(emitted()).toEqual(['a 1', 'a 2+2+1']);
  await end();
  expect(emitted()).toEqual(['a 1', 'a 2+2+1']);
  lots[0]?.end();
  await tick();
  expect(emitted()).toEqual(['a 1', 'a 2+2+1', 'a 2']);
});

test('a batch queue divides waiting items among lanes by weight, and leaves the rest for the next lane', async () => {
  const { put, lots, emitted } = open({ slots: 3, lanes: 2 });
  put('a', 2);
  await tick();
  for (let count = 0; count < 6; count++) put('a', 1);
  await tick();
  expect(emitted()).toEqual(['a 2', 'a 1+1+1+1']);
  lots[0]?.end();
  await tick();
  expect(emitted()).toEqual(['a 2', 'a 1+1+1+1']);
  lots[1]?.end();
  await tick();
  // The remaining items are divided into two batches of equal weight.
  expect(emitted().slice(2)).toEqual(['a 1', 'a 1']);
});

test("a batch queue doesn't divide a small batch among lanes", async () => {
  const { put, emitted } = open({ slots: 3, lanes: 2, besideWeight: 5 });
  for (let count = 0; count < 6; count++) put('a', 1);
  await tick();
  expect(emitted()).toEqual(['a 1+1+1+1+1']);
});

test("a batch queue rejects items while it's full, and accepts items again after a batch has started", async () => {
  const { put, end } = open({ batchWeight: 5, queueWeight: 10 });
  put('a', 1);
  await tick();
  expect([put('a', 5), put('a', 5), put('a', 1), put('b', 1)]).toEqual([true, true, false, true]);
  await end();
  await end();
  expect(put('a', 4)).toBe(true);
});
