import { describe, expect, test } from 'vitest';
import type { Catalog, PriceOverrideRow, Validity } from '../../../src/domain/pricing/catalog.ts';
import type { CreateSelection } from '../../../src/domain/subscription/state/aggregate.ts';
import { unitRate } from '../../support/rates.ts';
import { catalog, termsRow } from './catalog.ts';
import { at, cardThat, customer, expectUnchanged, World } from './world.ts';

// The payer's location determines the market and currency until the first checkout is completed (CAT-27, CAT-31).

const always = { validFrom: at('0001-01-01'), validTo: null };

const amount = (currency: string, amountMinor: bigint, marketId: string | null = null): PriceOverrideRow => ({
  id: `${currency}-${amountMinor}`,
  seq: 1n,
  priceId: 'p1',
  marketId,
  currency,
  amountMinor,
  includedBalanceRate: null,
  ...always,
});

/**
 * The plan costs 34.00 USD, or 32.00 EUR in the Nordics. It's converted to BRL at 5.43, and to CLP at 931.7, which is CLP 31,678. A seat
 * costs 13.50 USD, and has a BRL price while the plan has an exchange rate for BRL.
 */
const priced = ({
  trialDays = 0,
  brl = always as Validity | null,
  amounts = [] as PriceOverrideRow[],
} = {}): Catalog => ({
  ...catalog({
    id: 'cove',
    prices: [{ id: 'p1', interval: 'monthly', amount: 3_400n, trialDays }],
    seats: { editors: termsRow('cove', 'editors', { overageEnabled: true, rate: unitRate(135_000n) }) },
  }),
  priceOverrides: new Map([
    ['p1', [amount('eur', 3_200n, 'nordics'), amount('brl', 18_462n), amount('clp', 31_678n), ...amounts]],
  ]),
  exchangeRates: new Map([
    [
      'cove',
      [
        ...(brl === null
          ? []
          : [{ id: 'x', seq: 1n, planId: 'cove', currency: 'brl', rateE8: 543_000_000n, ...brl }]),
        { id: 'y', seq: 2n, planId: 'cove', currency: 'clp', rateE8: 93_170_000_000n, ...always },
      ],
    ],
  ]),
  marketOfCountry: new Map([['FI', 'nordics']]),
  currencyOfCountry: new Map([
    ['FI', 'eur'],
    ['BR', 'brl'],
    ['CL', 'clp'],
  ]),
});

const from = (country: string | null, sold = priced(), selection: CreateSelection = {}): World => {
  const world = new World('2027-01-31T09:30:00Z', sold, { customer: { ...customer, country } });
  world.create(null, { planId: 'cove', ...selection });
  expect(world.sent.length).toBeGreaterThan(0);
  return world;
};

const pin = { line1: '1 Main St', city: 'Town', postalCode: '12345' };

describe('the first invoice', () => {
  test.each([
    ['FI', 'eur', 3_200n, 'nordics'],
    ['BR', 'brl', 18_462n, null],
    ['CL', 'clp', 31_678n, null],
    ['NO', 'usd', 3_400n, null],
    [null, 'usd', 3_400n, null],
  ])('uses the currency for a payer in %s: %s', (country, currency, total, marketId) => {
    const world = from(country);
    expect(world.invoice).toMatchObject({ currency, total });
    expect(world.subscription).toMatchObject({ currency, marketId, effectiveBaseMinor: total });
    world.pay('2027-02-01');
    expect(world.subscription).toMatchObject({ status: 'active', currency, marketId });
    expect(world.aggregate.transactions).toMatchObject([
      { currency, amountMinor: total, status: 'succeeded' },
    ]);
    world.advance('2027-03-01');
    expect(world.invoice).toMatchObject({ currency, total, status: 'paid' });
  });

  test('is revised in place if the payer pays in another currency (BIL-30)', () => {
    const world = from(null);
    const first = world.invoice;
    expect(world.pay('2027-02-01', undefined, { billingAddress: { ...pin, country: 'BR' } })).toMatchObject({
      kind: 'ok',
      status: 'done',
    });
    expect(world.aggregate.invoices).toMatchObject([
      { id: first.id, number: first.number, status: 'paid', currency: 'brl', total: 18_462n },
    ]);
    expect(world.subscription).toMatchObject({
      status: 'active',
      currency: 'brl',
      effectiveBaseMinor: 18_462n,
    });
    expect(world.sent).toEqual([
      'invoice.updated',
      'payment_method.attached',
      'payment.received',
      'subscription.activated',
      'state subscription_activated',
    ]);
    world.aggregate = { ...world.aggregate, customer: { ...world.aggregate.customer, country: 'CL' } };
    world.advance('2027-03-01');
    expect(world.invoice).toMatchObject({ currency: 'brl', total: 18_462n, status: 'paid' });
  });

  test("is unchanged if the payer's country changes but the currency doesn't (SUB-20)", () => {
    const world = from(null);
    world.aggregate = {
      ...world.aggregate,
      catalog: catalog({ id: 'cove', prices: [{ id: 'p1', interval: 'monthly', amount: 9_900n }] }),
    };
    world.pay('2027-02-01', undefined, { billingAddress: { ...pin, country: 'NO' } });
    expect(world.aggregate.invoices).toMatchObject([{ status: 'paid', total: 3_400n }]);
  });

  test('keeps the currency of a declined payment for the next payment', () => {
    const world = from(null);
    const brazil = { billingAddress: { ...pin, country: 'BR' } };
    expect(world.pay('2027-02-01', cardThat('declines'), brazil)).toMatchObject({
      kind: 'rejection',
      code: 'charge_failed',
    });
    expect(world.aggregate.invoices).toMatchObject([{ status: 'outstanding', currency: 'brl' }]);
    const { id } = world.invoice;
    expect(world.aggregate.customer.country).toBeNull();
    world.pay('2027-02-02', undefined, brazil);
    expect(world.aggregate.invoices).toMatchObject([{ id, status: 'paid', currency: 'brl' }]);
    expect(world.aggregate.transactions.map(({ status, currency }) => [status, currency])).toEqual([
      ['failed', 'brl'],
      ['succeeded', 'brl'],
    ]);
  });
});

describe('the currency of a trial', () => {
  test('is fixed when the card is stored, and charged when the trial ends (CAT-31)', () => {
    const world = from(null, priced({ trialDays: 10 }));
    world.pay('2027-02-01', undefined, { billingAddress: { ...pin, country: 'FI' } });
    expect(world.subscription).toMatchObject({ status: 'trialing', currency: 'eur', marketId: 'nordics' });
    expect(world.aggregate.offerApplications).toMatchObject([{ status: 'applied', currency: 'eur' }]);
    world.aggregate = { ...world.aggregate, customer: { ...world.aggregate.customer, country: 'BR' } };
    world.advance('2027-02-11');
    expect(world.invoice).toMatchObject({ currency: 'eur', total: 3_200n, status: 'paid' });
  });
});

describe('the unit price of seats in another currency (CAT-28)', () => {
  const seats = { initialSeats: { editors: 2 } };

  test('determines the charge', () => {
    const world = from('BR', priced(), seats);
    expect(
      world
        .linesOf(world.invoice)
        .map(({ lineType, unitAmountRate, amount: sum }) => [lineType, unitAmountRate, sum]),
    ).toEqual([
      ['plan_base', 1_846_200n, 18_462n],
      ['feature_seats', 733_050n, 14_661n],
    ]);
  });

  test('is required for the creation and the payment', () => {
    const world = new World('2027-01-31', priced({ brl: null }), {
      customer: { ...customer, country: 'BR' },
    });
    const missing = { kind: 'rejection', code: 'missing_regional_price' };
    expect(world.create(null, { planId: 'cove', ...seats })).toMatchObject(missing);
    expectUnchanged(world);
    const open = from(null, priced({ brl: null }), seats);
    expect(open.pay('2027-02-01', undefined, { billingAddress: { ...pin, country: 'BR' } })).toMatchObject(
      missing,
    );
    expectUnchanged(open);
    expect(from('BR', priced({ brl: null }), { initialSeats: { editors: 0 } }).invoice.total).toBe(18_462n);
  });

  test('is required for the renewal, which otherwise fails without changes', () => {
    const world = from('BR', priced(), seats);
    world.pay('2027-02-01');
    world.aggregate = {
      ...world.aggregate,
      catalog: priced({ brl: { ...always, validTo: at('2027-02-20') } }),
    };
    const before = world.aggregate;
    expect(() => world.advance('2027-03-01')).toThrow('failed item: missing_regional_price');
    expect(world.aggregate.invoices).toEqual(before.invoices);
    expect(world.subscription).toEqual(before.subscriptions[0]);
  });
});

describe('a late renewal', () => {
  test("uses the amount that was valid at the renewal's due time", () => {
    const world = from('CL');
    world.pay('2027-02-01');
    const raised = { ...amount('clp', 40_000n), validFrom: at('2027-03-05') };
    const sold = priced();
    const kept = (sold.priceOverrides.get('p1') ?? []).map((row) =>
      row.currency === 'clp' ? { ...row, validTo: raised.validFrom } : row,
    );
    world.aggregate = {
      ...world.aggregate,
      catalog: { ...sold, priceOverrides: new Map([['p1', [...kept, raised]]]) },
    };
    world.advance('2027-03-01', '2027-03-10');
    expect(world.invoice).toMatchObject({ currency: 'clp', total: 31_678n });
    world.advance('2027-04-01');
    expect(world.invoice).toMatchObject({ currency: 'clp', total: 40_000n });
  });
});

describe('the minimum charge in another currency (BIL-35)', () => {
  const tiny = (currency: string, minor: bigint): Catalog => {
    const sold = priced();
    return { ...sold, priceOverrides: new Map([['p1', [amount(currency, minor)]]]) };
  };
  test.each([
    ['BR', 'brl', 271n, 0],
    ['BR', 'brl', 272n, 1],
    ['CL', 'clp', 465n, 0],
    ['CL', 'clp', 466n, 1],
    ['FI', 'eur', 1n, 1],
    ['FI', 'eur', 0n, 0],
  ])('equals 0.50 USD in %s: a total of %s %d creates %d charges', (country, currency, minor, charges) => {
    const world = from(country, tiny(currency, minor));
    world.pay('2027-02-01');
    expect(world.aggregate.transactions).toHaveLength(charges);
    expect(world.invoice).toMatchObject({ currency, total: minor, status: 'paid' });
  });
});
