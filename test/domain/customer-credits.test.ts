import { describe, expect, test } from 'vitest';
import { creditedTypes, usesOf } from '../../src/domain/invoicing/customer-credits.ts';
import { issueInvoice } from '../../src/domain/invoicing/draft.ts';
import { drawDown, usableCredits, usableMinor } from '../../src/domain/lots/credits.ts';
import type { InvoiceType } from '../../src/domain/rows/enums.ts';
import { credit } from './credits.ts';

const at = (text: string): Date => new Date(`${text}T00:00:00.000Z`);

test.each([
  ['2027-02-01', 500n],
  ['2027-02-28', 500n],
  ['2027-03-01', 0n],
  ['2027-03-02', 0n],
])('the remaining amount on %s of a credit that expires on March 1 is %s', (day, amount) => {
  expect(usableMinor(credit('a', 500n, { expiresAt: at('2027-03-01') }), at(day))).toBe(amount);
});

test('credits are used oldest first, then by sequence number, except for depleted credits, expired credits, and credits in other currencies (BIL-18)', () => {
  const credits = [
    credit('unstored', 1n, { seq: null }),
    credit('later', 1n, { effectiveAt: at('2027-01-02'), seq: 2n }),
    credit('second', 1n, { seq: 9n }),
    credit('first', 1n, { seq: 8n }),
    credit('used up', 0n, { seq: 3n }),
    credit('expired', 1n, { seq: 4n, expiresAt: at('2027-02-01') }),
    credit('euro', 1n, { seq: 5n, asset: 'eur' }),
  ];
  expect(usableCredits(credits, 'usd', at('2027-02-01')).map(({ id }) => id)).toEqual([
    'first',
    'second',
    'unstored',
    'later',
  ]);
});

test('credits are used in order of expiration if the organization chooses this order, and credits that never expire last (BIL-18)', () => {
  const credits = [
    credit('never, older', 1n, { seq: 1n }),
    credit('never, newer', 1n, { seq: 2n }),
    credit('later', 1n, { seq: 3n, expiresAt: at('2027-04-01') }),
    credit('sooner, newer', 1n, { seq: 5n, expiresAt: at('2027-03-01') }),
    credit('sooner, older', 1n, { seq: 4n, expiresAt: at('2027-03-01') }),
  ];
  expect(usableCredits(credits, 'usd', at('2027-02-01'), 'soonest_expiry').map(({ id }) => id)).toEqual([
    'sooner, older',
    'sooner, newer',
    'later',
    'never, older',
    'never, newer',
  ]);
});

test.each<[bigint, [string, bigint][]]>([
  [
    2_740n,
    [
      ['a', 900n],
      ['b', 1_840n],
    ],
  ],
  [900n, [['a', 900n]]],
  [
    9_999n,
    [
      ['a', 900n],
      ['b', 2_600n],
    ],
  ],
  [0n, []],
])('credits of 9.00 and 26.00 cover %s, oldest first (BIL-E5)', (amount, draws) => {
  const drawn = drawDown([credit('a', 900n), credit('b', 2_600n)], amount);
  expect(drawn.map(({ credit: { id }, amountMinor }) => [id, amountMinor])).toEqual(draws);
});

describe('an invoice with credits', () => {
  const issue = (type: InvoiceType, currency: string, amountMinor: bigint, rateBps: number) => {
    let ids = 0;
    const credits = [
      credit('a', 900n, { asset: currency }),
      credit('b', 2_600n, { asset: currency, effectiveAt: at('2027-01-05') }),
    ];
    return issueInvoice(
      {
        type,
        customerId: 'cus_1',
        subscriptionId: null,
        planName: null,
        period: null,
        lines: {
          currency,
          base: { planName: 'Cove', billingInterval: 'monthly', amountMinor, isFixedPrice: false },
          discount: null,
          usage: [],
          deficits: [],
          rises: [],
          counts: [],
          addons: [],
          credits,
        },
        tax: { treatment: 'taxed', ratePpm: rateBps * 100, country: 'US', region: null },
      },
      at('2027-02-01'),
      (prefix) => `${prefix}_${++ids}`,
    );
  };

  test('contains a negative line item for each credit in order of use, and taxes the remainder (BIL-13, BIL-15)', () => {
    const { invoice, lines } = issue('recurring', 'usd', 2_740n, 825);
    expect(invoice).toMatchObject({
      subtotal: 2_740n,
      discountAmount: 0n,
      creditApplied: 2_740n,
      taxAmount: 0n,
      total: 0n,
    });
    expect(lines.slice(1)).toMatchObject([
      {
        lineType: 'credit',
        chargeType: 'standard',
        quantity: 1n,
        unitAmountRate: -90_000n,
        amount: -900n,
        creditId: 'a',
        position: 1,
      },
      {
        description: 'Customer credit of 2027-01-05',
        unitAmountRate: -184_000n,
        amount: -1_840n,
        creditId: 'b',
        position: 2,
      },
    ]);
    expect(usesOf(lines)).toEqual([
      { invoiceId: 'inv_1', creditId: 'a', amountMinor: 900n },
      { invoiceId: 'inv_1', creditId: 'b', amountMinor: 1_840n },
    ]);
    // 100.00 − 35.00 = 65.00; 65.00 × 8.25% = 5.3625.
    expect(issue('recurring', 'usd', 10_000n, 825).invoice).toMatchObject({
      creditApplied: 3_500n,
      taxAmount: 536n,
      total: 7_036n,
    });
  });

  test('scales unit amounts by 10,000 in a currency without decimals', () => {
    expect(issue('recurring', 'jpy', 1_000n, 0).lines[1]).toMatchObject({
      amount: -900n,
      unitAmountRate: -9_000_000n,
    });
  });

  test('uses no credits if the total is 0', () => {
    expect(issue('recurring', 'usd', 0n, 0).lines).toHaveLength(1);
  });

  test.each<[InvoiceType, boolean]>([
    ['recurring', true],
    ['overage', true],
    ['plan_change', true],
    ['reactivation', true],
    ['credit_purchase', false],
    ['balance_topup', false],
    ['addon_activation', false],
    ['adjustment', false],
    ['one_time_payment', false],
  ])('can use credits if its type is %s: %s (BIL-18)', (type, takes) => {
    expect(creditedTypes.includes(type)).toBe(takes);
    expect(issue(type, 'usd', 5_000n, 0).invoice.creditApplied).toBe(takes ? 3_500n : 0n);
  });
});
