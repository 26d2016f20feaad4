import { expect, test } from 'vitest';
import { eventKinds } from '../../src/domain/events.ts';
import contract from '../contract/events.json' with { type: 'json' };

test('the kinds are the sixty of the contract', () => {
  expect(eventKinds.toSorted()).toEqual(contract.events.map(({ event }) => event).toSorted());
  expect(new Set(eventKinds).size).toBe(60);
});
