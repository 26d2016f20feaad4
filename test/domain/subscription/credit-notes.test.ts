import { describe, expect, test } from 'vitest';
import { replay } from '../../../src/domain/ledger/verify.ts';
import type { Outcome } from '../../../src/domain/subscription/state/aggregate.ts';
import { simplePlan } from './catalog.ts';
import { cardThat, customer, expectUnchanged, World } from './world.ts';

const germany = {
  customer: { ...customer, country: 'DE' },
  taxRegistrations: [{ country: 'DE', region: null, rateBps: 1_900 }],
} as const;

/** A customer in Germany with an adjustment for 100.00 plus 19.00 tax, due on May 25. */
function billed(): World {
  const world = new World('2027-05-18T09:30:00Z', undefined, germany);
  world.do(null, {
    kind: 'invoice.adjust',
    invoiceId: null,
    creditNoteId: 'crn_none',
    amountMinor: 10_000n,
    description: 'Work',
    metadata: {},
  });
  expect(world.sent).toEqual(['invoice.created']);
  return world;
}

let notes = 0;
const credit = (world: World, amountMinor: bigint, invoiceId = world.invoice.id): Outcome =>
  world.do(null, {
    kind: 'invoice.adjust',
    invoiceId,
    creditNoteId: `crn_${++notes}`,
    amountMinor,
    description: 'Taken back',
    metadata: { ticket: 7 },
  });
const balance = (world: World, account: string): bigint => {
  const owner = account === 'receivable' ? ` ${world.aggregate.customer.id}` : '';
  return replay(world.ledger).get(`${account} usd${owner}`) ?? 0n;
};
const rejected = (field: string) => ({ kind: 'rejection', code: 'validation_error', param: field });

describe('a credit note for an outstanding invoice (BIL-23, DAT-12)', () => {
  test('includes the tax, and settles the invoice if the full amount is credited', () => {
    const world = billed();
    expect(credit(world, -11_900n)).toMatchObject({ kind: 'ok' });
    expect(world.notes).toMatchObject([
      {
        number: 1n,
        invoiceId: world.invoice.id,
        reason: 'adjustment',
        description: 'Taken back',
        metadata: { ticket: 7 },
        subtotal: -10_000n,
        taxAmount: -1_900n,
        total: -11_900n,
        refundId: null,
      },
    ]);
    expect(world.invoice).toMatchObject({
      status: 'paid',
      creditedAmount: 11_900n,
      creditedTax: 1_900n,
      creditedDue: 11_900n,
    });
    expect(world.sent).toEqual(['credit_note.created']);
    expect(world.event('credit_note.created').data).toMatchObject({
      creditNoteNumber: 'CN-0001',
      invoiceNumber: 'INV-0001',
      invoiceStatus: 'paid',
      total: -11_900,
    });
    expect(world.deadlines).toEqual([]);
    for (const account of ['receivable', 'revenue', 'tax_payable']) expect(balance(world, account)).toBe(0n);
    expect(world.aggregate.invoices).toHaveLength(1);
  });

  test('reduces the amount due if only part is credited, and the rest can be marked as paid', () => {
    const world = billed();
    credit(world, -4_000n);
    expect(world.invoice).toMatchObject({ status: 'outstanding', creditedDue: 4_000n });
    expect(balance(world, 'receivable')).toBe(7_900n);
    world.do(null, { kind: 'invoice.mark', invoiceId: world.invoice.id, status: 'paid' });
    expect([balance(world, 'receivable'), balance(world, 'settled_outside')]).toEqual([0n, 7_900n]);
    // 100.00 minus 33.61, and 19.00 minus 6.39.
    expect([balance(world, 'revenue'), balance(world, 'tax_payable')]).toEqual([-6_639n, -1_261n]);
  });

  test('is followed by a second credit note for the remaining amount if the invoice is voided after its due date', () => {
    const world = billed();
    credit(world, -4_000n);
    const { id } = world.invoice;
    world.do('2027-05-25T00:00:00Z', { kind: 'invoice.mark', invoiceId: id, status: 'void' });
    expect(world.notes.map(({ reason, taxAmount, total }) => [reason, taxAmount, total])).toEqual([
      ['adjustment', -639n, -4_000n],
      ['void', -1_261n, -7_900n],
    ]);
    for (const account of ['receivable', 'revenue', 'tax_payable']) expect(balance(world, account)).toBe(0n);
    expect(world.sent).toEqual(['credit_note.created', 'invoice.voided', 'credit_note.created']);
  });

  test("isn't created if the invoice is voided before its due date and was never sent (DAT-10)", () => {
    const world = billed();
    world.do('2027-05-24T23:00:00Z', { kind: 'invoice.mark', invoiceId: world.invoice.id, status: 'void' });
    expect(world.notes).toEqual([]);
    expect(world.sent).toEqual(['invoice.voided']);
  });

  test('divides the tax exactly among several credit notes, and an amount that is one cent too high is rejected', () => {
    const world = billed();
    for (const part of [-3_333n, -3_333n, -3_333n, -1_900n]) credit(world, part);
    expect(credit(world, -2n)).toMatchObject(rejected('amount'));
    expectUnchanged(world);
    credit(world, -1n);
    expect(world.notes.reduce((sum, { taxAmount }) => sum + taxAmount, 0n)).toBe(-1_900n);
    expect(credit(world, -1n)).toMatchObject(rejected('amount'));
    expectUnchanged(world);
  });

  test('is rejected for a positive amount, an unknown invoice, and a void invoice', () => {
    const world = billed();
    const { id } = world.invoice;
    expect(credit(world, 100n, id)).toMatchObject(rejected('invoiceId'));
    expect(credit(world, -100n, 'inv_unknown')).toMatchObject(rejected('invoiceId'));
    world.do(null, { kind: 'invoice.mark', invoiceId: id, status: 'void' });
    expect(credit(world, -100n, id)).toMatchObject(rejected('invoiceId'));
    expectUnchanged(world);
    expect(world.notes).toEqual([]);
  });
});

describe('a credit note for a subscription invoice', () => {
  const subscribed = (first = 'pays', later = first): World => {
    const world = new World('2027-05-18', simplePlan('monthly', 3_400n));
    world.create(null, { planId: 'cove' });
    world.pay(null, cardThat(first, later));
    return world;
  };

  test('is rejected for the invoice of an open checkout (DAT-10)', () => {
    const world = new World('2027-05-18', simplePlan('monthly', 3_400n));
    world.create(null, { planId: 'cove' });
    expect(credit(world, -100n)).toMatchObject(rejected('invoiceId'));
    expectUnchanged(world);
  });

  test('moves no funds if the invoice is paid, and a full refund creates a credit note for the remaining amount', () => {
    const world = subscribed();
    const ledger = world.ledger.length;
    credit(world, -1_000n);
    expect(world.ledger).toHaveLength(ledger);
    expect(world.invoice).toMatchObject({ status: 'paid', creditedAmount: 1_000n, creditedDue: 0n });
    const transactionId = world.aggregate.transactions[0]?.id ?? '';
    world.do(null, {
      kind: 'transaction.refund',
      transactionId,
      refundId: 'ref_1',
      amountMinor: null,
      reason: null,
    });
    expect(world.notes.map(({ reason, total }) => [reason, total])).toEqual([
      ['adjustment', -1_000n],
      ['refund', -2_400n],
    ]);
    expect(world.aggregate.transactions[0]).toMatchObject({ status: 'refunded', refundedMinor: 3_400n });
  });

  test('reduces the next dunning charge, and ends dunning if the full amount due is credited', () => {
    const world = subscribed('pays', 'declines');
    world.advance('2027-06-18T01:00:00Z');
    expect(world.subscription.status).toBe('past_due');
    credit(world, -1_400n);
    world.mood = 'declines';
    world.do(null, { kind: 'subscription.retry', subscriptionId: world.subscription.id });
    expect(world.aggregate.transactions.at(-1)).toMatchObject({ amountMinor: 2_000n, status: 'failed' });
    credit(world, -2_000n);
    expect(world.subscription).toMatchObject({ status: 'active', dunningInvoiceId: null });
    expect(world.invoice).toMatchObject({ status: 'paid', creditedDue: 3_400n });
    expect(balance(world, 'receivable')).toBe(0n);
  });
});
