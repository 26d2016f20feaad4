import { describe, expect, it } from 'vitest';
import { replay } from '../../../src/domain/ledger/verify.ts';
import { leftOf } from '../../../src/domain/payments/receipts.ts';
import type { InvoiceRow, ReceiptRow, TransactionRow } from '../../../src/domain/rows/rows.ts';
import { vaultPush } from '../../../src/providers/sandbox-push.ts';
import { euro, german } from './debit-world.ts';
import { card, expectUnchanged, World } from './world.ts';

// Receipts: transfers of any amount, and money that arrives after its payment attempt ended (INS-70 to INS-78).

const vat = { country: 'DE', region: null, rateBps: 1_900 };

const invoiced = (world: World, amountMinor: bigint, currency = 'eur'): InvoiceRow => {
  world.do(null, {
    kind: 'invoice.create',
    currency,
    lines: [{ description: 'Work', quantity: 1n, unitAmountMinor: amountMinor }],
    memo: null,
    poNumber: null,
    reference: null,
    dueDays: 14,
    metadata: {},
  });
  return world.invoice;
};

let count = 0;
const receive = (world: World, invoice: InvoiceRow, amountMinor: bigint, currency = 'eur') => {
  count += 1;
  return world.do(null, {
    kind: 'receipt.record',
    receipts: [
      {
        receiptId: `rcp_${count}`,
        invoiceId: invoice.id,
        source: 'manual',
        instrument: 'bank_transfer',
        currency,
        amountMinor,
        reference: null,
        payerName: null,
        bankReference: `bank-${count}`,
        receivedAt: world.now,
      },
    ],
  });
};

const latestReceipt = (world: World): ReceiptRow => {
  const row = world.aggregate.receipts.at(-1);
  if (row === undefined) throw new Error('no receipt');
  return row;
};

const invoiceNow = (world: World, { id }: InvoiceRow): InvoiceRow => {
  const row = world.aggregate.invoices.find((one) => one.id === id);
  if (row === undefined) throw new Error('no invoice');
  return row;
};

const paymentsOf = (world: World, { id }: InvoiceRow): TransactionRow[] =>
  world.aggregate.transactions.filter(({ invoiceId }) => invoiceId === id);

/** Expects that the ledger holds exactly the money that the receipts have left. */
function expectHeld(world: World): void {
  const balances = replay(world.ledger);
  const left = world.aggregate.receipts
    .filter(({ currency }) => currency === 'eur')
    .reduce((sum, row) => sum + leftOf(row), 0n);
  expect(balances.get('receipts_held eur') ?? 0n).toBe(left);
  expect(balances.get('customer_money eur cus_1') ?? 0n).toBe(-left);
  expect(world.aggregate.customer.hasMoneyOnAccount).toBe(left > 0n);
}

describe('a transfer for an invoice', () => {
  it('pays in parts, and its surplus pays the next renewal after tax (INS-E9)', () => {
    const world = new World('2027-01-04', euro(), { ...german, taxRegistrations: [vat] });
    const invoice = invoiced(world, 100_000n);
    expect(invoice).toMatchObject({ total: 119_000n, taxAmount: 19_000n });
    void world.sent;
    receive(world, invoice, 70_000n);
    expect(world.sent).toEqual(['receipt.recorded']);
    expect(invoiceNow(world, invoice)).toMatchObject({ status: 'outstanding', paidInParts: 70_000n });
    expect(world.event('receipt.recorded').data).toMatchObject({
      status: 'applied',
      amount: 70_000,
      appliedAmount: 70_000,
      invoiceStatus: 'outstanding',
    });
    receive(world, invoice, 50_000n);
    expect(world.sent).toEqual(['payment.received', 'receipt.recorded']);
    expect(invoiceNow(world, invoice)).toMatchObject({ status: 'paid', paidInParts: 70_000n });
    expect(
      paymentsOf(world, invoice).map(({ amountMinor, taxMinor, status, grossUsdMinor }) => [
        amountMinor,
        taxMinor,
        status,
        grossUsdMinor,
      ]),
    ).toEqual([
      [70_000n, 11_176n, 'succeeded', null],
      [49_000n, 7_824n, 'succeeded', null],
    ]);
    expect(latestReceipt(world)).toMatchObject({ status: 'on_account', appliedMinor: 49_000n });
    expectHeld(world);
    expect(replay(world.ledger).get('processor_clearing eur')).toBe(119_000n);
  });

  it('changes nothing about a paid invoice: the money stays on account until it is returned', () => {
    const world = new World('2027-01-04', euro(), german);
    const invoice = invoiced(world, 10_000n);
    receive(world, invoice, 10_000n);
    receive(world, invoice, 2_500n);
    expect(paymentsOf(world, invoice)).toHaveLength(1);
    const receipt = latestReceipt(world);
    expect(receipt).toMatchObject({ status: 'on_account', appliedMinor: 0n });
    expectHeld(world);
    void world.sent;
    world.do(null, { kind: 'receipt.return', receiptId: receipt.id });
    expect(world.sent).toEqual(['receipt.returned']);
    expect(latestReceipt(world)).toMatchObject({ status: 'returned', returnedMinor: 2_500n });
    expectHeld(world);
    expect(world.do(null, { kind: 'receipt.return', receiptId: receipt.id })).toMatchObject({
      kind: 'rejection',
      code: 'validation_error',
    });
    expectUnchanged(world);
  });

  it('stays on account if its currency differs from the invoice', () => {
    const world = new World('2027-01-04', euro(), german);
    const invoice = invoiced(world, 10_000n);
    receive(world, invoice, 10_000n, 'usd');
    expect(invoiceNow(world, invoice)).toMatchObject({ status: 'outstanding', paidInParts: 0n });
    expect(latestReceipt(world)).toMatchObject({ status: 'on_account', currency: 'usd' });
  });

  it('puts its part back on account if the invoice is voided', () => {
    const world = new World('2027-01-04', euro(), german);
    const invoice = invoiced(world, 10_000n);
    receive(world, invoice, 4_000n);
    world.do(null, { kind: 'invoice.mark', invoiceId: invoice.id, status: 'void' });
    expect(invoiceNow(world, invoice)).toMatchObject({ status: 'void', paidInParts: 0n });
    expect(paymentsOf(world, invoice)).toMatchObject([
      { status: 'failed', stage: 'returned', declineCode: 'released' },
    ]);
    expect(latestReceipt(world)).toMatchObject({ status: 'on_account', appliedMinor: 0n });
    expectHeld(world);
    expect(replay(world.ledger).get('processor_clearing eur')).toBe(0n);
  });

  it('limits a credit note to the unpaid amount', () => {
    const world = new World('2027-01-04', euro(), german);
    const invoice = invoiced(world, 10_000n);
    receive(world, invoice, 4_000n);
    const adjust = (amountMinor: bigint) =>
      world.do(null, {
        kind: 'invoice.adjust',
        invoiceId: invoice.id,
        amountMinor,
        creditNoteId: 'crn_1',
        description: 'Rebate',
        metadata: {},
      });
    expect(adjust(-6_001n)).toMatchObject({ kind: 'rejection', param: 'amount' });
    expectUnchanged(world);
    adjust(-6_000n);
    expect(invoiceNow(world, invoice)).toMatchObject({ status: 'paid', creditedDue: 6_000n });
  });
});

describe('money on account', () => {
  const subscribed = (): World => {
    const world = new World('2027-01-04', euro(), german);
    world.create(null, { planId: 'cove' });
    world.pay(null, card);
    return world;
  };

  it('pays a renewal before the card is charged for the rest (INS-73)', () => {
    const world = subscribed();
    receive(world, world.invoice, 1_000n);
    expect(latestReceipt(world)).toMatchObject({ status: 'on_account' });
    world.advance('2027-02-04');
    expect(world.invoice).toMatchObject({ status: 'paid', total: 5_831n, paidInParts: 1_000n });
    expect(
      paymentsOf(world, world.invoice).map((row) => [row.instrument, row.amountMinor, row.status]),
    ).toEqual([
      ['bank_transfer', 1_000n, 'succeeded'],
      ['card', 4_831n, 'succeeded'],
    ]);
    expectHeld(world);
  });

  it('pays whole renewals without a charge', () => {
    const world = subscribed();
    receive(world, world.invoice, 12_000n);
    void world.sent;
    world.advance('2027-02-04');
    expect(world.sent.filter((kind) => kind === 'payment.received')).toHaveLength(1);
    expect(paymentsOf(world, world.invoice)).toMatchObject([
      { instrument: 'bank_transfer', amountMinor: 5_831n, status: 'succeeded' },
    ]);
    expect([world.subscription.status, world.invoice.status]).toEqual(['active', 'paid']);
    world.advance('2027-03-04');
    expect(leftOf(latestReceipt(world))).toBe(338n);
    expectHeld(world);
  });

  it('is applied to an invoice by a person, in part or in full (INS-78)', () => {
    const world = new World('2027-01-04', euro(), german);
    const first = invoiced(world, 1_000n);
    receive(world, first, 10_000n);
    const second = invoiced(world, 6_000n);
    const apply = (amountMinor: bigint | null) =>
      world.do(null, {
        kind: 'receipt.apply',
        receiptId: latestReceipt(world).id,
        invoiceId: second.id,
        amountMinor,
      });
    expect(apply(6_001n)).toMatchObject({ kind: 'rejection', param: 'amount' });
    expectUnchanged(world);
    apply(2_000n);
    expect(invoiceNow(world, second)).toMatchObject({ status: 'outstanding', paidInParts: 2_000n });
    void world.sent;
    apply(null);
    expect(world.sent).toEqual(['payment.received', 'receipt.applied']);
    expect(invoiceNow(world, second)).toMatchObject({ status: 'paid' });
    expect(leftOf(latestReceipt(world))).toBe(3_000n);
    expect(apply(null)).toMatchObject({ kind: 'rejection', param: 'invoiceId' });
    expectUnchanged(world);
    expectHeld(world);
  });
});

describe('a checkout by bank transfer', () => {
  const transfer = vaultPush('tok_sandbox_bank_transfer_waits_0353');
  const waiting = (): World => {
    const world = new World('2027-01-04', euro(), german);
    const { environment } = world.aggregate;
    world.aggregate = { ...world.aggregate, environment: { ...environment, collectByPayer: true } };
    world.create(null, { planId: 'cove' });
    if (transfer === null) throw new Error('no token');
    world.pay(null, transfer);
    void world.sent;
    return world;
  };

  it('is paid once the transfers reach its amount', () => {
    const world = waiting();
    receive(world, world.invoice, 3_000n);
    expect([world.subscription.status, world.invoice.paidInParts]).toEqual(['pending_payment', 0n]);
    expect(world.sent).toEqual(['receipt.recorded']);
    receive(world, world.invoice, 3_000n);
    expect([world.subscription.status, world.invoice.status]).toEqual(['active', 'paid']);
    expect(world.sent.filter((kind) => kind === 'payment.received')).toHaveLength(1);
    expect(paymentsOf(world, world.invoice).map(({ amountMinor, stage }) => [amountMinor, stage])).toEqual([
      [2_831n, 'settled'],
      [3_000n, 'settled'],
    ]);
    expect(leftOf(latestReceipt(world))).toBe(169n);
    expectHeld(world);
  });

  it('is paid by one transfer, which settles the attempt that waited', () => {
    const world = waiting();
    const [attempt] = paymentsOf(world, world.invoice);
    receive(world, world.invoice, 5_831n);
    expect(world.subscription.status).toBe('active');
    expect(paymentsOf(world, world.invoice)).toMatchObject([
      { id: attempt?.id, stage: 'settled', receiptId: latestReceipt(world).id },
    ]);
    expectHeld(world);
  });
});

describe('late money (INS-74)', () => {
  const pixCode = vaultPush('tok_sandbox_pix_waits_0353');
  const boleto = vaultPush('tok_sandbox_bank_transfer_waits_0353');

  const paidByCard = (method: typeof pixCode): { world: World; attempt: TransactionRow } => {
    const country = method === pixCode ? 'BR' : 'DE';
    const currency = method === pixCode ? 'brl' : 'eur';
    const plan = euro();
    const [eur] = plan.priceOverrides.get('p1') ?? [];
    if (eur === undefined || method === null) throw new Error('no price');
    const catalog = {
      ...plan,
      priceOverrides: new Map([['p1', [{ ...eur, currency }]]]),
      currencyOfCountry: new Map([[country, currency]]),
    };
    const world = new World('2027-01-04', catalog, {
      customer: { ...german.customer, country },
    });
    const { environment } = world.aggregate;
    world.aggregate = { ...world.aggregate, environment: { ...environment, collectByPayer: true } };
    world.create(null, { planId: 'cove' });
    world.pay(null, method);
    const attempt = world.aggregate.transactions.at(-1);
    if (attempt === undefined) throw new Error('no attempt');
    world.pay(null, card);
    void world.sent;
    return { world, attempt };
  };
  const report = (world: World, { id }: TransactionRow) =>
    world.do(null, {
      kind: 'attempt.report',
      transactionId: id,
      subscriptionId: world.subscription.id,
      stage: 'settled',
      code: null,
    });

  it('is returned once if the payer used Pix and the invoice is paid (INS-E7)', () => {
    const { world, attempt } = paidByCard(pixCode);
    report(world, attempt);
    expect(world.sent).toEqual(['receipt.recorded']);
    expect(latestReceipt(world)).toMatchObject({
      status: 'returned',
      source: 'late_payment',
      amountMinor: 5_831n,
      returnedMinor: 5_831n,
      lateOf: attempt.id,
    });
    expect(world.aggregate.transactions.map(({ stage }) => stage)).toEqual(['canceled', 'settled']);
    expect(report(world, attempt)).toMatchObject({ kind: 'rejection', code: 'validation_error' });
    expectUnchanged(world);
  });

  it('stays on account after a bank transfer, and pays the next renewal', () => {
    const { world, attempt } = paidByCard(boleto);
    report(world, attempt);
    expect(latestReceipt(world)).toMatchObject({ status: 'on_account', amountMinor: 5_831n });
    expectHeld(world);
    world.advance('2027-02-04');
    expect(world.invoice.status).toBe('paid');
    expect(leftOf(latestReceipt(world))).toBe(0n);
    expectHeld(world);
  });

  it('pays the checkout if it is still unpaid', () => {
    const world = new World('2027-01-04', euro(), german);
    const { environment } = world.aggregate;
    world.aggregate = { ...world.aggregate, environment: { ...environment, collectByPayer: true } };
    world.create(null, { planId: 'cove' });
    if (boleto === null) throw new Error('no token');
    world.pay(null, boleto);
    const attempt = world.aggregate.transactions.at(-1);
    if (attempt === undefined) throw new Error('no attempt');
    world.do(null, {
      kind: 'attempt.report',
      transactionId: attempt.id,
      subscriptionId: world.subscription.id,
      stage: 'declined',
      code: null,
    });
    expect(world.subscription.status).toBe('pending_payment');
    report(world, attempt);
    expect([world.subscription.status, world.invoice.status]).toEqual(['active', 'paid']);
    expect(world.aggregate.transactions.map(({ stage }) => stage)).toEqual(['declined', 'settled']);
    expectHeld(world);
  });
});
