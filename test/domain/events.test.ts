import { expect, test } from 'vitest';
import { eventKinds } from '../../src/domain/events/events.ts';
import contract from '../contract/events.json' with { type: 'json' };

/** Event types that aren't in the contract. */
const additional = [
  'checkout.duplicate',
  'checkout.expired',
  'credit_note.created',
  'customer.deleted',
  'deadline.failed',
  'export.completed',
  'export.failed',
  'invoice.updated',
  'payment_connection.created',
  'payment_connection.updated',
  'payment_method.detached',
  'payment_method.expiring',
  'payment_route.updated',
  'payout.canceled',
  'payout_bank_account.created',
  'subscription.charges_waived',
  'lot.granted',
  'lot.expiring',
  'lot.expired',
  'lot.refunded',
  'commitment.purchased',
  'commitment.ended',
  'usage.corrected',
  'meter.dimensions_full',
  'meter.recounted',
  'rate_card.updated',
  'subscription.retained',
  'tax_registration.created',
  'tax_registration.deleted',
];

test("the event types are the contract's sixty types and the additional types", () => {
  expect(eventKinds.toSorted()).toEqual(
    [...contract.events.map(({ event }) => event), ...additional].toSorted(),
  );
  expect(new Set(eventKinds).size).toBe(60 + additional.length);
});
