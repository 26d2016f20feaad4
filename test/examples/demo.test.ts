import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Figures } from '../../examples/formats.ts';
import { playDemo } from '../../examples/run-demo.ts';
import { readShop, type Shop, type ShopCustomer } from '../../src/modules/sandbox/example-shop/read-shop.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// Compares the demo's results with figures that this test calculates from the demo data for each customer, without using the product.

/** Number of charges for a paid subscription in the year from January 31, 2030, 09:00, including the charges at both ends. */
const charges: Record<string, number> = { weekly: 53, monthly: 13, quarterly: 5, yearly: 2, one_time: 1 };

/**
 * Included seats, and the price of an additional seat in cents (120,000 and 300,000 in units of 0.0001 USD).
 */
const seatTerms: Record<string, { included: number; cents: number }> = {
  team: { included: 3, cents: 1_200 },
  scale: { included: 10, cents: 3_000 },
};

type Fate = { readonly status: string; readonly amount: number; readonly invoices: Record<string, number> };

/** Expected subscription status, invoice amounts and number of invoices by status for a customer. */
function fateOf({ plans }: Shop, { plan: code, interval, seats = 0, card }: ShopCustomer): Fate {
  const prices: readonly { billingInterval: string; price: number; trialDays?: number }[] =
    plans.find(({ plan }) => plan.code === code)?.prices ?? [];
  const price = prices.find(
    ({ billingInterval }) => billingInterval === (interval ?? prices[0]?.billingInterval),
  );
  if (price === undefined) return { status: 'active', amount: 0, invoices: {} };
  const { included, cents } = seatTerms[code] ?? { included: seats, cents: 0 };
  const amount = price.price + Math.max(seats - included, 0) * cents;
  // With a trial, the first charge is made after 14 days instead of at checkout, so there's one charge fewer.
  const atCheckout = price.trialDays === undefined ? 1 : 0;
  if (card === 'declined')
    return { status: 'pending_payment', amount, invoices: { outstanding: atCheckout } };
  if (card === 'failsLater' && price.billingInterval !== 'one_time') {
    // A yearly renewal is due on the last day, so its retries take place after the end of the year.
    return price.billingInterval === 'yearly'
      ? { status: 'past_due', amount, invoices: { paid: atCheckout, outstanding: 1 } }
      : { status: 'canceled', amount, invoices: { paid: atCheckout, uncollectible: 1 } };
  }
  return {
    status: 'active',
    amount,
    invoices: { paid: (charges[price.billingInterval] ?? 0) - 1 + atCheckout },
  };
}

/** Expected totals of invoices, payments, and subscriptions. */
function workedOut(
  shop: Shop,
): Pick<Figures, 'subscriptions'> & { recurring: Record<string, { count: number; total: number }> } {
  const subscriptions: Record<string, number> = {};
  const recurring: Record<string, { count: number; total: number }> = {};
  for (const { status, amount, invoices } of shop.customers.map((customer) => fateOf(shop, customer))) {
    subscriptions[status] = (subscriptions[status] ?? 0) + 1;
    for (const [state, number] of Object.entries(invoices)) {
      if (number === 0) continue;
      const { count, total } = recurring[state] ?? { count: 0, total: 0 };
      recurring[state] = { count: count + number, total: total + number * amount };
    }
  }
  return { subscriptions, recurring };
}

/** Total of the weekly charges of customers who are still on the weekly plan after the simulated year. */
function weekOf(shop: Shop): number {
  const fates = shop.customers
    .filter(({ plan }) => plan === 'sprint')
    .map((customer) => fateOf(shop, customer));
  return fates.filter(({ status }) => status === 'active').reduce((sum, { amount }) => sum + amount, 0);
}

/** Number of charges per year, by billing interval. */
const perYear: Record<string, number> = { weekly: 52, monthly: 12, quarterly: 4, yearly: 1, one_time: 0 };

/**
 * Expected recurring revenue in December, in units of 0.0001 USD, and the number of customers who contribute to it. These are the customers
 * whose charges have all succeeded.
 */
function decemberOf(shop: Shop): { closing: number; customers: number } {
  const parts = shop.customers.flatMap((customer) => {
    const plan = shop.plans.find((one) => one.plan.code === customer.plan);
    const [first] = plan?.prices ?? [];
    const price = plan?.prices.find(
      ({ billingInterval }) => billingInterval === (customer.interval ?? first?.billingInterval),
    );
    const { status, amount } = fateOf(shop, customer);
    const times = perYear[price?.billingInterval ?? ''] ?? 0;
    if (price === undefined || times === 0 || !['active', 'past_due'].includes(status)) return [];
    const monthly = (cents: number): number => Math.round((cents * 100 * times) / 12);
    return [monthly(price.price) + monthly(amount - price.price)];
  });
  return { closing: parts.reduce((sum, part) => sum + part, 0), customers: parts.length };
}

/** Asserts that each month's movements add up to its closing value, and that the last closing value equals what customers pay. */
function expectBusiness({ mrr, retention, cohorts }: Figures['business'], shop: Shop): void {
  expect(mrr).toHaveLength(12);
  let opening = 0;
  for (const month of mrr) {
    expect(month.opening).toBe(opening);
    const moved = Object.values(month.movements).reduce((sum, amount) => sum + amount, 0);
    expect(month.closing - month.opening).toBe(moved);
    opening = month.closing;
  }
  const { closing, customers } = decemberOf(shop);
  expect(mrr.at(-1)).toMatchObject({ closing, customers });
  expect(retention.map(({ months }) => months)).toEqual([1, 3, 6]);
  expect(cohorts.reduce((sum, cohort) => sum + (cohort.customers.at(-1) ?? 0), 0)).toBe(customers);
}

/** Asserts all of the figures that this test can calculate. */
function expectWorkedOut(figures: Figures, shop: Shop): void {
  const { subscriptions, recurring } = workedOut(shop);
  expect(figures.subscriptions).toEqual(subscriptions);
  expect(figures.invoices).toEqual({ recurring });
  expect(figures.numberGaps).toBe(0);
  expectBusiness(figures.business, shop);
  expect(figures.isLedgerBalanced).toBe(true);
  expect(Object.values(figures.collected).reduce((sum, cents) => sum + cents, 0)).toBe(
    recurring['paid']?.total,
  );
  expect(figures.fortnight).toEqual({
    calls: { granted: 100_000, after: 5_000 },
    // After three of seven days, the higher plan costs 49.00 minus 12.00 for the unused part of the lower plan (21.00 × 4 ÷ 7).
    charges: [2_100, 4_900 - 1_200, 2_100],
    link: { cards: ['declined', 'paid'], refunded: 18_000 },
    // Released on February 11: the charges from the year, the first charge for Solo, and the upgrade charge. The link's payment was
    // refunded. Released on February 14: the charges from February 7.
    payout: {
      amount: (recurring['paid']?.total ?? 0) + 2_100 + 3_700,
      status: 'paid',
      availableAfter: weekOf(shop),
    },
  });
  expect(figures.events).toMatchObject({
    customer_created: shop.customers.length,
    subscription_created: shop.customers.length,
    invoice_created: Object.values(recurring).reduce((sum, { count }) => sum + count, 0),
    payment_received: recurring['paid']?.count,
    subscription_past_due: (subscriptions['past_due'] ?? 0) + (subscriptions['canceled'] ?? 0),
    subscription_canceled: subscriptions['canceled'],
    // Declined checkouts don't become overdue. Yearly renewals become overdue after the last day of the year.
    invoice_overdue: subscriptions['canceled'],
  });
}

/** One customer for each combination of plan, interval, and card. */
function firstOfEach(shop: Shop): Shop {
  const kindOf = ({ plan, interval, card }: ShopCustomer): string => `${plan} ${interval} ${card}`;
  return {
    ...shop,
    customers: [
      ...new Map(shop.customers.toReversed().map((customer) => [kindOf(customer), customer])).values(),
    ],
  };
}

describe('the demo data', () => {
  it('has 300 customers with unique email addresses and IDs, and six plans with every interval', async () => {
    const { customers, plans } = await readShop();
    expect(customers).toHaveLength(300);
    expect(new Set(customers.map(({ externalId }) => externalId)).size).toBe(300);
    expect(new Set(customers.map(({ email }) => email)).size).toBe(300);
    expect(customers.filter(({ email }) => !/@example\.(com|org)$/.test(email))).toEqual([]);
    expect(plans.map(({ plan }) => plan.code)).toEqual([
      'hobby',
      'sprint',
      'pro',
      'team',
      'scale',
      'lifetime',
    ]);
    const intervals = new Set(
      plans.flatMap(({ prices }) => prices.map(({ billingInterval }) => billingInterval)),
    );
    expect([...intervals].toSorted()).toEqual(['monthly', 'one_time', 'quarterly', 'weekly', 'yearly']);
  });

  it('matches the expected figures calculated in this test', async () => {
    const expected = JSON.parse(
      await readFile(new URL('../../examples/expected.data.json', import.meta.url), 'utf8'),
    ) as Figures;
    expectWorkedOut(expected, await readShop());
  });
});

describe('the demo run', () => {
  let t: TestApp;
  let shop: Shop;
  let written = '';
  let figures: Figures[] = [];

  beforeAll(async () => {
    shop = firstOfEach(await readShop());
    t = await startApp();
    for (const apiKey of [t.sandboxKey, (await t.otherTenant()).sandboxKey]) {
      written = '';
      const screen = {
        write: (text: string): void => {
          written += text;
        },
        isTty: false,
      };
      figures = [...figures, await playDemo({ url: t.url, apiKey }, shop, screen)];
    }
  });
  afterAll(() => t.close());

  it('returns the figures that this test calculates from the demo data', () => {
    const [first] = figures;
    if (first === undefined) throw new Error('The story was not played.');
    expectWorkedOut(first, shop);
  });

  it('returns the same figures for a different tenant', () => {
    expect(figures[1]).toEqual(figures[0]);
  });

  it('prints plain lines of up to 80 columns without an interactive terminal', () => {
    expect(written).not.toContain('\u001b');
    expect(written.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(written.match(/ deadlines$/gm)).toHaveLength(5);
    expect(written).toContain('Payment link   declined, then paid; $180.00 refunded');
    expect(written).toContain('Invoices are numbered without gaps; ledger and balances agree.');
  });
});
