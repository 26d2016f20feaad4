import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { together } from '../../src/platform/together.ts';

const failure = (message: string, code: string): Error => Object.assign(new Error(message), { code });

test('together returns results in order, and throws the first failure after all promises have settled', async () => {
  expect(await together([pause(5, 'late'), Promise.resolve(1)])).toEqual(['late', 1]);
  let hasEnded = false;
  const late = pause(10).then(() => {
    hasEnded = true;
  });
  const second = pause(5).then(() => Promise.reject(failure('second', '23503')));
  await expect(together([late, second, Promise.reject(failure('first', '23505'))])).rejects.toThrow('first');
  expect(hasEnded).toBe(true);
});

test('together throws the error from the failed statement rather than the errors that the failure causes in the transaction', async () => {
  const cause = () => pause(5).then(() => Promise.reject(failure('duplicate key', '23505')));
  const consequence = () => Promise.reject(failure('current transaction is aborted', '25P02'));
  await expect(together([cause(), consequence()])).rejects.toThrow('duplicate key');
  await expect(together([consequence(), consequence()])).rejects.toThrow('current transaction is aborted');
});
