import { expect, test } from 'vitest';
import { eventKinds } from '../../src/domain/events.ts';
import contract from '../contract/events.json' with { type: 'json' };

/** Kinds beyond the contract. */
const beyond = [
  'customer.deleted',
  'export.completed',
  'export.failed',
  'payment_method.detached',
  'subscription.retained',
];

test('the kinds are the sixty of the contract, and those beyond it', () => {
  expect(eventKinds.toSorted()).toEqual([...contract.events.map(({ event }) => event), ...beyond].toSorted());
  expect(new Set(eventKinds).size).toBe(60 + beyond.length);
});
