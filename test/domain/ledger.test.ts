import { describe, expect, test } from 'vitest';
import { moveInvoice } from '../../src/domain/invoicing/state.ts';
import {
  postCredit,
  postIssued,
  postRefunded,
  postSettled,
  postVoided,
  postWrittenOff,
} from '../../src/domain/ledger/documents.ts';
import { customerAccounts, environmentAccounts, post, postings } from '../../src/domain/ledger/post.ts';
import { replay, verify } from '../../src/domain/ledger/verify.ts';
import type { InvoiceRow, TransactionRow } from '../../src/domain/subscription/state/aggregate.ts';

const at = new Date('2027-03-09T00:00:00Z');
let ids = 0;
const newId = (prefix: string): string => `${prefix}_${++ids}`;

/** 10.00 minus a discount of 2.00 and a credit of 1.00, plus 0.70 of tax. */
const invoice: InvoiceRow = {
  id: 'inv_1',
  seq: 1n,
  customerId: 'cus_1',
  subscriptionId: 'sub_1',
  number: 1n,
  status: 'outstanding',
  type: 'recurring',
  currency: 'usd',
  subtotal: 1_000n,
  discountAmount: 200n,
  creditApplied: 100n,
  taxAmount: 70n,
  total: 770n,
  tax: { treatment: 'taxed', ratePpm: 100_000, country: 'US', region: 'TX' },
  periodStart: at,
  periodEnd: at,
  issueDate: at,
  dueDate: at,
  payableUntil: null,
  planName: null,
  memo: null,
  poNumber: null,
  purchase: null,
  reference: null,
  metadata: {},
  finalizedAt: at,
  paidAt: null,
  buyerId: 'pty_1',
  sellerId: 'pty_2',
  frozenAt: null,
  sentAt: null,
  creditedAmount: 0n,
  creditedTax: 0n,
  creditedDue: 0n,
  paidInParts: 0n,
  createdAt: at,
  updatedAt: at,
};
const transaction: TransactionRow = {
  id: 'txn_1',
  seq: 1n,
  customerId: 'cus_1',
  subscriptionId: 'sub_1',
  invoiceId: 'inv_1',
  paymentId: null,
  paymentMethodId: null,
  provider: 'platform',
  status: 'succeeded',
  stage: 'settled',
  instrument: 'card',
  receiptId: null,
  collectionOn: null,
  expectedOn: null,
  latestOn: null,
  returnedAt: null,
  expiresAt: null,
  instructions: null,
  reports: null,
  currency: 'usd',
  amountMinor: 770n,
  taxMinor: 70n,
  grossUsdMinor: null,
  taxUsdMinor: null,
  feeUsdMinor: 0n,
  refundedMinor: 0n,
  availableAt: null,
  disputedAt: null,
  disputeReason: null,
  disputeOutcome: null,
  declineCode: null,
  isPayerRetry: false,
  providerReference: null,
  paidAt: at,
  createdAt: at,
  updatedAt: at,
};

describe('the ledger posting for a charge', () => {
  test('divides each refund proportionally between revenue and tax, and reverses both completely after a full refund', () => {
    const taxes: bigint[] = [];
    let before = transaction;
    for (const part of [1n, 250n, 250n, 269n]) {
      const after = { ...before, refundedMinor: before.refundedMinor + part };
      const transfers = postRefunded(before, after, newId, at);
      expect(transfers.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)).toBe(part);
      taxes.push(transfers.find(({ fact }) => fact === 'payment.tax_refunded')?.amountMinor ?? 0n);
      before = after;
    }
    expect(taxes).toEqual([0n, 23n, 23n, 24n]);
  });

  test('records the platform fee separately, in US cents for any currency (PAY-25)', () => {
    const charged = { ...transaction, currency: 'brl', feeUsdMinor: 35n };
    const balances = replay(postSettled({ ...invoice, currency: 'brl' }, charged, newId, at));
    expect(Object.fromEntries(balances)).toEqual({
      'receivable brl cus_1': -770n,
      'processor_clearing brl': 770n,
      'fees usd': 35n,
      'processor_clearing usd': -35n,
    });
  });
});

describe('the ledger posting for a charge in a currency with 3 decimals', () => {
  const due = { ...invoice, currency: 'kwd', total: 12_345n };

  test.each([
    [
      'stripe',
      12_340n,
      { 'receivable kwd cus_1': -12_345n, 'processor_clearing kwd': 12_340n, 'write_off kwd': 5n },
    ],
    ['platform', 12_345n, { 'receivable kwd cus_1': -12_345n, 'processor_clearing kwd': 12_345n }],
    ['stripe', 12_335n, { 'receivable kwd cus_1': -12_335n, 'processor_clearing kwd': 12_335n }],
  ] as const)(
    'writes off only the part below the smallest unit of %s: %s',
    (provider, amountMinor, expected) => {
      const charged = { ...transaction, provider, currency: 'kwd', amountMinor };
      expect(Object.fromEntries(replay(postSettled(due, charged, newId, at)))).toEqual(expected);
    },
  );
});

describe('the ledger replay', () => {
  test("records an issued invoice's total as a receivable", () => {
    expect(Object.fromEntries(replay(postIssued(invoice, 100n, newId, at)))).toEqual({
      'receivable usd cus_1': 770n,
      'revenue usd': -1_000n,
      'offers_given usd': 200n,
      'customer_credit usd cus_1': 100n,
      'tax_payable usd': -70n,
    });
  });

  test.each([
    [
      'settled',
      () => postSettled(invoice, transaction, newId, at),
      { 'receivable usd cus_1': 0n, 'processor_clearing usd': 770n },
    ],
    [
      'uncollectible',
      () => postWrittenOff(invoice, 'invoice.uncollectible', newId, at),
      { 'receivable usd cus_1': 0n, 'write_off usd': 770n },
    ],
    [
      'below the minimum',
      () => postWrittenOff(invoice, 'invoice.below_minimum', newId, at),
      { 'receivable usd cus_1': 0n, 'write_off usd': 770n },
    ],
    [
      'void',
      () => postVoided(invoice, 100n, newId, at),
      {
        'receivable usd cus_1': 0n,
        'revenue usd': 0n,
        'offers_given usd': 0n,
        'customer_credit usd cus_1': 0n,
        'tax_payable usd': 0n,
      },
    ],
  ])(
    'records no receivable for an invoice that is %s, and all balances add up to 0',
    (_how, postEnd, expected) => {
      const balances = replay([...postIssued(invoice, 100n, newId, at), ...postEnd()]);
      expect(Object.fromEntries(balances)).toMatchObject(expected);
      expect([...balances.values()].reduce((a, b) => a + b, 0n)).toBe(0n);
    },
  );
});

test("the ledger names a transfer's subject, omits amounts of 0, and rejects negative amounts", () => {
  const ctx = {
    newId,
    occurredAt: at,
    customerId: 'cus_1',
    subscriptionId: null,
    invoiceId: 'inv_1',
    transactionId: 'txn_1',
  };
  expect(post('payment.settled', 5n, 'usd', ctx)).toEqual([
    {
      id: expect.stringMatching(/^led_/),
      seq: null,
      fact: 'payment.settled',
      debitAccount: 'processor_clearing',
      creditAccount: 'receivable',
      currency: 'usd',
      amountMinor: 5n,
      customerId: 'cus_1',
      subscriptionId: null,
      invoiceId: 'inv_1',
      transactionId: 'txn_1',
      occurredAt: at,
    },
  ]);
  expect(post('payment.settled', 0n, 'usd', ctx)).toEqual([]);
  expect(() => post('payment.settled', -1n, 'usd', ctx)).toThrow(RangeError);
});

test('a ledger posting moves funds between two different known accounts', () => {
  const accounts: readonly string[] = [...customerAccounts, ...environmentAccounts];
  for (const { debit, credit } of Object.values(postings)) {
    expect(accounts).toContain(debit);
    expect(accounts).toContain(credit);
    expect(debit).not.toBe(credit);
  }
});

describe('the ledger verification', () => {
  /** A credit of 5.00. The invoice uses 1.00 of it. */
  const credit = { customerId: 'cus_1', currency: 'usd', asset: 'usd', remainingMinor: 400n };
  test('separates proration credits from customer credits, for issued and voided invoices (SUB-39)', () => {
    const details = (rows: ReturnType<typeof postIssued>) =>
      rows.map(({ fact, amountMinor }) => `${fact} ${amountMinor}`);
    expect(details(postIssued(invoice, 30n, newId, at))).toEqual([
      'invoice.issued 1000',
      'invoice.discounted 200',
      'invoice.prorated 70',
      'invoice.credit_applied 30',
      'invoice.taxed 70',
    ]);
    const both = [...postIssued(invoice, 30n, newId, at), ...postVoided(invoice, 30n, newId, at)];
    expect([...replay(both).values()].filter((balance) => balance !== 0n)).toEqual([]);
  });

  const issued = [
    ...postIssued(invoice, 100n, newId, at),
    ...postCredit('credit.granted', credit, 500n, newId, at),
  ];

  test('reports no difference if receivables equal the outstanding invoices and credits equal the remaining credits', () => {
    expect(verify(issued, [invoice], [credit])).toEqual([]);
    const paid = { ...invoice, ...moveInvoice(invoice, 'paid', at) };
    expect(verify([...issued, ...postSettled(invoice, transaction, newId, at)], [paid], [credit])).toEqual(
      [],
    );
    const revoked = { ...credit, remainingMinor: 150n };
    expect(
      verify([...issued, ...postCredit('credit.revoked', credit, 250n, newId, at)], [invoice], [revoked]),
    ).toEqual([]);
    const returned = { ...credit, remainingMinor: 500n };
    expect(
      verify(
        [...issued, ...postVoided(invoice, 100n, newId, at)],
        [{ ...invoice, ...moveInvoice(invoice, 'void', at) }],
        [returned],
      ),
    ).toEqual([]);
  });

  test('reports a used credit without a transfer and a transfer without a credit', () => {
    const account = 'customer_credit usd cus_1';
    expect(verify(issued, [invoice], [{ ...credit, remainingMinor: 399n }])).toEqual([
      { account, expected: -399n, actual: -400n },
    ]);
    expect(verify(issued, [invoice], [])).toEqual([{ account, expected: 0n, actual: -400n }]);
    expect(verify(issued, [invoice], [credit, { ...credit, currency: 'eur' }])).toEqual([
      { account: 'customer_credit eur cus_1', expected: -400n, actual: 0n },
    ]);
  });

  test('reports an invoice that was settled without a transfer, and a transfer without an invoice', () => {
    expect(verify(issued, [{ ...invoice, ...moveInvoice(invoice, 'paid', at) }], [credit])).toEqual([
      { account: 'receivable usd cus_1', expected: 0n, actual: 770n },
    ]);
    expect(verify([], [invoice], [])).toEqual([
      { account: 'receivable usd cus_1', expected: 770n, actual: 0n },
    ]);
    expect(verify(issued, [], [credit])).toEqual([
      { account: 'receivable usd cus_1', expected: 0n, actual: 770n },
    ]);
  });

  test('reports a transfer with an amount of 0', () => {
    const [first] = issued;
    if (first === undefined) throw new Error('issued');
    const nothing = { ...first, id: 'led_0', amountMinor: 0n };
    expect(verify([...issued, nothing], [invoice], [credit])).toEqual([
      { account: 'transfer led_0', expected: 0n, actual: 0n },
    ]);
  });

  test('reports a transfer between the wrong accounts', () => {
    const [first, ...rest] = issued;
    if (first === undefined) throw new Error('issued');
    const wrong = { ...first, creditAccount: 'fees' };
    expect(verify([wrong, ...rest], [invoice], [credit])).toEqual([
      { account: `transfer ${first.id}`, expected: 0n, actual: 1_000n },
    ]);
  });
});
