import { expect, test } from 'vitest';
import { type EventKind, eventKinds } from '../../src/domain/events/events.ts';
import { exampleOf, type PayloadField } from '../../src/domain/events/payloads/fields.ts';
import { eventPayloads } from '../../src/domain/events/payloads/payloads.ts';
import contract from '../contract/events.json' with { type: 'json' };
import { payloadProblems } from '../support/event-payloads.ts';

/** Event types that aren't in the contract. */
const additional = [
  'checkout.duplicate',
  'checkout.expired',
  'credit_note.created',
  'customer.deleted',
  'deadline.failed',
  'export.completed',
  'export.failed',
  'invoice.reopened',
  'invoice.updated',
  'mandate.created',
  'mandate.revoked',
  'payment_connection.created',
  'payment_connection.updated',
  'payment.processing',
  'payment.returned',
  'payment.scheduled',
  'payment_method.detached',
  'payment_method.expiring',
  'payment_route.updated',
  'receipt.applied',
  'receipt.recorded',
  'receipt.returned',
  'payout.canceled',
  'payout_bank_account.created',
  'subscription.charges_waived',
  'lot.granted',
  'lot.expiring',
  'lot.expired',
  'lot.refunded',
  'auto_topup.succeeded',
  'auto_topup.skipped',
  'auto_topup.failed',
  'auto_topup.paused',
  'auto_topup.resumed',
  'commitment.purchased',
  'commitment.ended',
  'usage.corrected',
  'meter.dimensions_full',
  'meter.recounted',
  'limit.threshold_reached',
  'limit.reached',
  'limit.resolved',
  'usage.anomaly',
  'limit.raised',
  'limit.raise_ended',
  'limit.overrun',
  'approval.requested',
  'approval.decided',
  'api_key.policy_changed',
  'api_key.narrowed',
  'app.connected',
  'hold.expired',
  'hold.settled_late',
  'usage.uncounted',
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

type ContractField = {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly required: boolean;
};

const jsonTypes: Readonly<Record<string, string>> = {
  Boolean: 'boolean',
  Int: 'number',
  SafeInt: 'number',
  TextMap: 'map',
};

const jsonTypeOf = ({ type, isList }: PayloadField): string =>
  isList ? 'array' : typeof type === 'string' ? (jsonTypes[type] ?? 'string') : 'object';

test.each(
  contract.events as unknown as readonly {
    readonly event: EventKind;
    readonly data: readonly ContractField[];
  }[],
)('the payload of $event has the fields of the contract', ({ event, data }) => {
  const payload = eventPayloads[event];
  // Credits can be custom units, whose events contain the code of the unit. Usage that settles a hold has more fields.
  const more = ['asset', 'hold', 'isLate', 'uncounted'];
  const shared = Object.keys(payload).filter((name) => !more.includes(name));
  expect(shared.toSorted()).toEqual(data.map(({ name }) => name).toSorted());
  for (const { name, type, nullable, required } of data) {
    const field = payload[name] as PayloadField;
    expect(jsonTypeOf(field), name).toBe(type);
    if (!nullable) expect(field.isNullable, name).toBe(false);
    if (required) expect(field.isOptional, name).toBe(false);
  }
});

test('the example of every payload matches its declaration', () => {
  expect(eventKinds.flatMap((kind) => payloadProblems(kind, exampleOf(eventPayloads[kind])))).toEqual([]);
});
