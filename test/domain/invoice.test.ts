import { describe, expect, test } from 'vitest';
import { issueInvoice } from '../../src/domain/invoicing/draft.ts';
import type { CountDetails } from '../../src/domain/invoicing/line.ts';
import { linesFor } from '../../src/domain/invoicing/lines.ts';
import { totalsOf } from '../../src/domain/invoicing/totals.ts';
import type { FeatureRow } from '../../src/domain/pricing/catalog.ts';
import { ratio } from '../../src/domain/rates/exact.ts';
import type { FeatureType, InvoiceLineType } from '../../src/domain/rows/enums.ts';
import { explain } from '../../src/domain/rows/explanation.ts';
import { invoiceNumberText } from '../../src/domain/rows/invoice-number.ts';
import { untaxed } from '../../src/domain/tax/tax.ts';
import type { UsageTerms } from '../../src/domain/usage/terms.ts';
import { unitRates } from '../support/rates.ts';
import { terms } from './usage/facts.ts';

test.each([
  [1n, 'INV-0001'],
  [9_999n, 'INV-9999'],
  [10_000n, 'INV-10000'],
])('the invoice number %s is formatted as %s (BIL-27)', (number, text) => {
  expect(invoiceNumberText(number)).toBe(text);
});

describe("an invoice's total (BIL-15)", () => {
  const line = (lineType: InvoiceLineType, amount: bigint) => ({ lineType, amount });

  test('is the discounted subtotal minus credits, plus tax that is rounded once (BIL-E1)', () => {
    const lines = [
      line('plan_base', 7_300n),
      line('discount', -1_825n),
      line('feature_overage', 391n),
      line('feature_seats', 570n),
      line('feature_seats', 3_800n),
      line('addon_base', 1_450n),
      line('credit', -2_000n),
    ];
    expect(totalsOf(lines, { ratePpm: 82_500 })).toEqual({
      subtotal: 13_511n,
      discountAmount: 1_825n,
      creditApplied: 2_000n,
      taxAmount: 799n,
      total: 10_485n,
    });
  });

  test('uses credits only up to the discounted subtotal', () => {
    expect(
      totalsOf([line('plan_base', 500n), line('promo_code_discount', -200n), line('credit', -900n)], {
        ratePpm: 100_000,
      }),
    ).toEqual({
      subtotal: 500n,
      discountAmount: 200n,
      creditApplied: 300n,
      taxAmount: 0n,
      total: 0n,
    });
  });
});

describe("an invoice's list of line items (BIL-13)", () => {
  const nothing = { discount: null, usage: [], deficits: [], rises: [], counts: [], addons: [], credits: [] };
  const feature = (code: string, type: FeatureType): FeatureRow => ({
    id: code,
    seq: 1n,
    code,
    name: code,
    type,
    unitName: null,
    deletedAt: null,
    meters: [],
  });
  const seats = (
    code: string,
    count: bigint,
    held: Partial<UsageTerms>,
    type: FeatureType = 'seats',
  ): CountDetails => ({
    feature: feature(code, type),
    terms: terms({ rates: unitRates(10_000n), ...held }),
    count,
  });
  const base = {
    planName: 'Cove',
    billingInterval: 'yearly',
    amountMinor: 41_000n,
    isFixedPrice: false,
  } as const;

  test("starts with the plan's base price, even if the amount is 0, and omits other line items with an amount of 0", () => {
    const details = {
      ...nothing,
      currency: 'usd',
      base: { ...base, amountMinor: 0n },
      counts: [
        seats('a', 2n, {}),
        seats('b', 2n, { includedAmount: 2n }),
        seats('c', 1n, { rates: unitRates(4n) }),
      ],
    };
    expect(
      linesFor(details).map(({ lineType, featureName, quantity, amount }) => [
        lineType,
        featureName,
        quantity,
        amount,
      ]),
    ).toEqual([
      ['plan_base', null, 1n, 0n],
      ['feature_seats', 'a', 2n, 200n],
    ]);
  });

  test("omits seats if they're unlimited, disabled, or have no price, or if overage isn't allowed", () => {
    const free = [{ unlimited: true }, { enabled: false }, { allowsOverage: false }, { rates: null }];
    expect(
      linesFor({ ...nothing, currency: 'usd', base: null, counts: free.map((held) => seats('a', 9n, held)) }),
    ).toEqual([]);
  });

  test("lists usage, balance deficits, seats, and quota in this order after the plan's base price, and added seats before their advance charge (CON-41)", () => {
    const window = { start: new Date('2027-04-05T00:00:00.000Z'), end: new Date('2027-05-05T00:00:00.000Z') };
    const rise = { on: '2027-04-17', units: 3n, rise: ratio(345n, 10n), days: 18n, amountMinor: 2_070n };
    const details = {
      ...nothing,
      currency: 'usd',
      base,
      usage: [
        {
          feature: feature('exports', 'usage'),
          terms: terms({ includedAmount: 4_200n, rates: unitRates(85n) }),
          use: { total: 6_037n, covered: 0n },
          window,
        },
      ],
      deficits: [{ featureName: 'calls', amount: 37_450n, amountMinor: 375n, window }],
      rises: [
        {
          feature: feature('users', 'seats'),
          terms: terms({ rates: unitRates(115_000n) }),
          rises: [rise],
          totalDays: 30n,
          until: window.end,
        },
      ],
      counts: [
        seats('sites', 14n, { includedAmount: 12n }, 'quota'),
        seats('admins', 1n, {}),
        seats('users', 8n, { includedAmount: 4n }),
      ],
    };
    expect(
      linesFor(details).map(({ lineType, chargeType, featureName, quantity, amount }) => [
        lineType,
        chargeType,
        featureName,
        quantity,
        amount,
      ]),
    ).toEqual([
      ['plan_base', 'advance', null, 1n, 41_000n],
      ['feature_overage', 'standard', 'exports', 1_837n, 1_561n],
      ['balance_overage', 'standard', 'calls', 1n, 375n],
      ['feature_seats', 'advance', 'admins', 1n, 100n],
      ['feature_seats', 'true_up', 'users', 3n, 2_070n],
      ['feature_seats', 'advance', 'users', 4n, 400n],
      ['feature_quota', 'advance', 'sites', 2n, 200n],
    ]);
    expect(linesFor(details)[1]).toMatchObject({
      includedAmount: 4_200n,
      usedAmount: 6_037n,
      overageAmount: 1_837n,
      unitAmountRate: 85n,
    });
    const spans = linesFor(details).map(({ periodStart, periodEnd }) => [
      periodStart?.toISOString() ?? null,
      periodEnd?.toISOString() ?? null,
    ]);
    const [start, end] = ['2027-04-05T00:00:00.000Z', '2027-05-05T00:00:00.000Z'];
    expect(spans).toEqual([
      [null, null],
      [start, end],
      [start, end],
      [null, null],
      ['2027-04-17T00:00:00.000Z', end],
      [null, null],
      [null, null],
    ]);
  });

  test('scales the unit price by 10,000 in a currency without decimals', () => {
    expect(linesFor({ ...nothing, currency: 'jpy', base })).toMatchObject([
      { amount: 41_000n, unitAmountRate: 410_000_000n, description: 'Cove (yearly)' },
    ]);
  });
});

describe('the maximum invoice amount (GLO-14a)', () => {
  const maximum = 900_000_000_000_000n;

  /** Issues an invoice with line items of the maximum amount and a discount of the maximum amount. */
  const issued = (items: number) =>
    issueInvoice(
      {
        type: 'recurring',
        customerId: 'cus',
        subscriptionId: null,
        planName: null,
        period: null,
        tax: untaxed,
        lines: {
          currency: 'usd',
          base: null,
          discount: {
            isPromoCode: false,
            type: 'amount',
            value: maximum,
            name: 'Autumn',
            offerId: null,
            amountMinor: maximum,
            explanation: explain('BIL-13', 'price', { price: -maximum }),
          },
          carried: Array.from({ length: items }, () => ({
            invoiceId: 'inv',
            issueDate: '2027-04-05',
            amount: String(maximum),
          })),
          credits: [],
          usage: [],
          deficits: [],
          rises: [],
          counts: [],
          addons: [],
        },
      },
      new Date('2027-04-05T09:00:00.000Z'),
      (prefix) => prefix,
    ).invoice;

  test('applies to the subtotal, even if a discount reduces the total below the maximum', () => {
    expect(issued(10)).toMatchObject({ subtotal: 10n * maximum, total: 9n * maximum });
    expect(() => issued(11)).toThrow('The total of the line items exceeds the maximum invoice total.');
  });
});
