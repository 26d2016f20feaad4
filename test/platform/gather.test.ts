import { setImmediate as tick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { coalesced } from '../../src/platform/coalesce.ts';

type Look = { readonly questions: readonly string[]; readonly end: (error?: Error) => void };

function open(most?: number) {
  const looks: Look[] = [];
  const ask = coalesced<string, string>((questions) => {
    const { promise, resolve, reject } = Promise.withResolvers<string[]>();
    const answers = questions.map((question) => `${question}!`);
    looks.push({ questions, end: (error) => (error === undefined ? resolve(answers) : reject(error)) });
    return promise;
  }, most);
  return { ask, looks };
}

test('coalesced combines concurrent lookups, and looks up equal keys only once', async () => {
  const { ask, looks } = open();
  const answers = Promise.all([ask('a'), ask('b'), ask('a')]);
  await tick();
  looks[0]?.end();
  expect(await answers).toEqual(['a!', 'b!', 'a!']);
  expect(looks.map(({ questions }) => questions)).toEqual([['a', 'b']]);
});

test('coalesced never returns the result of a lookup that started before the request', async () => {
  const { ask, looks } = open();
  const first = ask('a');
  await tick();
  const second = ask('a');
  looks[0]?.end();
  expect(await first).toBe('a!');
  await tick();
  expect(looks.map(({ questions }) => questions)).toEqual([['a'], ['a']]);
  looks[1]?.end();
  expect(await second).toBe('a!');
});

test('coalesced rejects only the requests whose lookup failed', async () => {
  const { ask, looks } = open();
  const first = ask('a');
  await tick();
  const second = ask('b');
  looks[0]?.end(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  await tick();
  looks[1]?.end();
  expect(await second).toBe('b!');
});

test('coalesced splits requests that exceed the maximum per lookup', async () => {
  const { ask, looks } = open(2);
  const answers = Promise.all([ask('a'), ask('b'), ask('c')]);
  await tick();
  looks[0]?.end();
  await tick();
  looks[1]?.end();
  expect(await answers).toEqual(['a!', 'b!', 'c!']);
  expect(looks.map(({ questions }) => questions)).toEqual([['a', 'b'], ['c']]);
});
