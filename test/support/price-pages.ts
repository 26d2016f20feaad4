import { expect } from 'vitest';
import { decimalText } from '../../src/domain/money/amount-text.ts';
import { type Made, made } from './factories/shop.ts';
import { clockSettled, createCustomer, pay, type Shop, subscribeTo } from './factories.ts';

// Sells the price pages in examples/pricing through the API, and reads the resulting invoices.

type Body = Readonly<Record<string, unknown>>;

/** Group of equal usage events. */
type Events = {
  /** Quantity of each event. Defaults to 1. */
  readonly quantity?: string;
  /** Number of events. Defaults to 1. */
  readonly times?: number;
  /** Hours from the start of the month to the first event. Defaults to the last hour of the month. */
  readonly hour?: number;
  /** Hours between the events. Defaults to 0. */
  readonly everyHours?: number;
  /** Value of the meter's property for these events. If `null`, each event has a different value. */
  readonly value?: string | null;
  /** Values of the meter's dimensions. */
  readonly properties?: Readonly<Record<string, string>>;
};

/** Usage of one customer in one month, and the resulting invoice. */
export type Sample = {
  readonly note?: string;
  /** Total or events of each feature. */
  readonly usage: Readonly<Record<string, string | readonly Events[]>>;
  /** Amount of each feature, or its amounts if the invoice has several lines. */
  readonly invoice: Readonly<Record<string, string | readonly string[]>>;
  /** Amount by which usage exceeds the pools of the plan. Defaults to 0. */
  readonly overdraft?: string;
  /** Difference between the minimum spend and the other amounts. Defaults to no difference. */
  readonly minimumSpend?: string;
  readonly total: string;
  readonly published: boolean;
};

/** Usage of one customer in a month, the invoice for the month's end, and the amount that then remains in the pool, without the new month's amount. */
type Month = Pick<Sample, 'usage' | 'total'> & { readonly remaining: string };

type Source = 'vendor' | 'transcription';

export type PricePage = Sample & {
  readonly vendor: string;
  readonly page: string;
  readonly source: Source;
  /** Date on which the source was read. */
  readonly read?: string;
  readonly base: string;
  /** Minimum spend per month. Absent if the plan has no minimum. */
  readonly minimum?: string;
  /** Pools of the plan by asset, with the included amount per month and the other terms of the pool. */
  readonly pools?: Readonly<Record<string, Body & { readonly included: string }>>;
  readonly features: readonly {
    readonly code: string;
    readonly unit: string;
    readonly included: string;
    /** Asset of the pool from which the usage is deducted. If omitted, the usage is invoiced. */
    readonly pool?: string;
    readonly rate: Body;
    readonly meter?: Body & { readonly property?: string };
    readonly source?: Source;
  }[];
  readonly further?: readonly Sample[];
  /** Consecutive months of one customer. */
  readonly months?: readonly Month[];
};

export const samplesOf = (page: PricePage): readonly Sample[] => [page, ...(page.further ?? [])];

/** Lines and total of an invoice. Amounts are decimals, and the amounts of usage are grouped by feature code. */
export type Bill = {
  readonly base: readonly string[];
  readonly usage: Readonly<Record<string, readonly string[]>>;
  readonly overdraft: readonly string[];
  readonly minimumSpend: readonly string[];
  readonly other: readonly string[];
  readonly total: string;
};

const start = Date.parse('2027-01-01T00:00:00Z');
const hourMs = 3_600_000;
const lastHour = 743;
const timeAt = (hours: number): string => new Date(start + hours * hourMs).toISOString();
const maxBatch = 1_000;

/** Returns the events of a sample as the API accepts them. `lastAt` is the default hour. */
function eventsOf(
  page: PricePage,
  prefix: string,
  sample: Pick<Sample, 'usage'>,
  customerId: string,
  lastAt: number = lastHour,
): Body[] {
  return Object.entries(sample.usage).flatMap(([code, usage]) => {
    const property = page.features.find((feature) => feature.code === code)?.meter?.property;
    const groups: readonly Events[] = typeof usage === 'string' ? [{ quantity: usage }] : usage;
    return groups.flatMap(({ quantity, times = 1, hour = lastAt, everyHours = 0, value, properties = {} }) =>
      Array.from({ length: times }, (_, index) => ({
        customerId,
        featureCode: `${prefix}_${code}`,
        timestamp: timeAt(hour + everyHours * index),
        ...(quantity !== undefined && { quantity }),
        properties: [
          ...(value === undefined ? [] : [{ property, value: value ?? `${code} ${index}` }]),
          ...Object.entries(properties).map(([name, text]) => ({ property: name, value: text })),
        ],
      })),
    );
  });
}

type Change = readonly [mutation: string, input: Body];

/** Runs mutations in one request, in order. Returns the IDs of the results, or `''` for a pool. */
async function change(shop: Shop, changes: readonly Change[]): Promise<readonly string[]> {
  const variables = changes.map(([name], at) => `$i${at}: ${name[0]?.toUpperCase()}${name.slice(1)}Input!`);
  // A pool has no ID.
  const fields = changes.map(
    ([name], at) => `r${at}: ${name}(input: $i${at}) { ${name === 'planPoolSet' ? 'asset' : 'id'} }`,
  );
  const results = await shop.t.graphql<Record<string, Made>>(
    `mutation (${variables.join(', ')}) { ${fields.join(' ')} }`,
    Object.fromEntries(changes.map(([, input], at) => [`i${at}`, input])),
    { key: shop.key },
  );
  return changes.map((_, at) => results[`r${at}`]?.id ?? '');
}

/** Creates the plan of a price page, with all features. Returns its ID. */
async function createPagePlan(shop: Shop, prefix: string, page: PricePage): Promise<string> {
  const [planId, ...featureIds] = await change(shop, [
    ['planCreate', { name: page.vendor, code: prefix }],
    ...page.features.map(({ code, unit }): Change => {
      const name = `${prefix}_${code}`;
      return ['featureCreate', { name, code: name, type: 'usage', unitName: unit }];
    }),
  ]);
  const pools = Object.entries(page.pools ?? {}).map(
    ([asset, { included, ...terms }]): Change => [
      'planPoolSet',
      { planId, asset, includedPerWindow: Math.round(Number(included) * 10_000), ...terms },
    ],
  );
  const changes = page.features.flatMap(({ code, included, pool, rate, meter }, at): Change[] => {
    const ids = { planId, featureId: featureIds[at] };
    const settled = pool === undefined ? { overage: { enabled: true } } : { settle: { pool } };
    const sold = { ...ids, includedAmount: Number(included), ...settled };
    return [
      ...(meter === undefined ? [] : [['featureMeterSet', { ...meter, code: `${prefix}_${code}` }] as const]),
      ['planFeatureAdd', sold],
      ['planFeatureRateSet', { ...ids, rate }],
    ];
  });
  const price = Math.round(Number(page.base) * 100);
  const minimum = page.minimum === undefined ? {} : { minimumSpend: Math.round(Number(page.minimum) * 100) };
  const priced = { planId, billingInterval: 'monthly', price, ...minimum };
  await change(shop, [['planPriceAdd', priced], ...pools, ...changes]);
  return String(planId);
}

async function advance(shop: Shop, hours: number): Promise<void> {
  await made(shop.rest('POST', '/test-clock', { frozenTime: timeAt(hours) }));
  expect(await clockSettled(shop)).toBe('completed');
}

async function record(shop: Shop, events: readonly Body[]): Promise<void> {
  for (let at = 0; at < events.length; at += maxBatch) {
    const batch = events.slice(at, at + maxBatch);
    const { body } = await shop.rest<{ recorded: number }>('POST', '/usage/events/batch', { events: batch });
    expect(body, JSON.stringify(body).slice(0, 1_000)).toMatchObject({ recorded: batch.length });
  }
}

type Invoice = {
  readonly invoiceType: string;
  readonly total: number;
  readonly periodStart: string;
  readonly lineItems: readonly {
    readonly lineType: string;
    readonly chargeType: string;
    readonly featureName: string | null;
    readonly amount: number;
  }[];
};

const invoiceQuery = `query ($id: ID!) { subscription(id: $id) { invoices(first: 5) { nodes {
  invoiceType total periodStart lineItems { lineType chargeType featureName amount } } } } }`;

const amountText = (amount: number): string => decimalText(BigInt(amount), 2);

/** Returns the latest invoice of a subscription, for the end of its first month or of the month that ends after `endsAt` hours. */
async function billOf(shop: Shop, prefix: string, id: string, endsAt: number = lastHour + 1): Promise<Bill> {
  const { subscription } = await shop.t.graphql<{ subscription: { invoices: { nodes: Invoice[] } } }>(
    invoiceQuery,
    { id },
    { key: shop.key },
  );
  const [invoice] = subscription.invoices.nodes;
  if (invoice === undefined) throw new Error(`The subscription to ${prefix} has no invoice.`);
  expect(Date.parse(invoice.periodStart)).toBe(start + endsAt * hourMs);
  const lines = invoice.lineItems;
  const amountsOf = (type: string, isTrueUp = false): readonly string[] =>
    lines
      .filter(({ lineType, chargeType }) => lineType === type && (chargeType === 'true_up') === isTrueUp)
      .map(({ amount }) => amountText(amount));
  const usage: Record<string, string[]> = {};
  for (const { lineType, featureName, amount } of lines)
    if (lineType === 'feature_overage') {
      const code = String(featureName).slice(prefix.length + 1);
      usage[code] = [...(usage[code] ?? []), amountText(amount)];
    }
  return {
    base: amountsOf('plan_base'),
    usage,
    overdraft: amountsOf('balance_overage'),
    minimumSpend: amountsOf('plan_base', true),
    other: lines
      .map(({ lineType }) => lineType)
      .filter((type) => !['plan_base', 'feature_overage', 'balance_overage'].includes(type)),
    total: amountText(invoice.total),
  };
}

const prefixOf = (name: string): string => name.replace(/\.json$/, '').replaceAll('-', '_');

async function subscribe(shop: Shop, planId: string) {
  const { id: customerId } = await createCustomer(shop);
  const { id: subscriptionId, token } = await subscribeTo(shop, customerId, planId);
  if (token !== null) await pay(shop, token);
  return { customerId, subscriptionId };
}

/**
 * Creates the plan of a page and one subscriber, records the usage of each month in `months` from January 2027, and advances the clock
 * to each renewal. Returns the total of each renewal's invoice, and the amount of the pool without the new month's included amount. The
 * page has one pool.
 */
export async function billMonths(shop: Shop, name: string, page: PricePage) {
  await advance(shop, 0);
  const prefix = prefixOf(name);
  const { customerId, subscriptionId } = await subscribe(shop, await createPagePlan(shop, prefix, page));
  const query = 'query ($id: ID!) { subscription(id: $id) { pools { amount } } }';
  const included = Object.values(page.pools ?? {})[0]?.included ?? '0';
  const months: Pick<Month, 'total' | 'remaining'>[] = [];
  for (const [index, month] of (page.months ?? []).entries()) {
    const endsAt = (Date.UTC(2027, index + 1, 1) - start) / hourMs;
    await advance(shop, endsAt - 1);
    await record(shop, eventsOf(page, prefix, month, customerId, endsAt - 1));
    await advance(shop, endsAt);
    const { total } = await billOf(shop, prefix, subscriptionId, endsAt);
    const { subscription } = await shop.t.graphql<{ subscription: { pools: { amount: number }[] } }>(
      query,
      { id: subscriptionId },
      { key: shop.key },
    );
    const amount = BigInt(subscription.pools[0]?.amount ?? 0);
    const remaining = decimalText(amount / 100n - BigInt(Math.round(Number(included) * 100)), 2);
    months.push({ total, remaining });
  }
  return months;
}

/**
 * Creates a plan for each page and a subscriber for each sample, records the usage in January 2027, and advances the clock once to the
 * renewal. Returns the renewal's invoice of each sample, in order.
 */
export async function billPages(
  shop: Shop,
  pages: readonly (readonly [name: string, page: PricePage])[],
): Promise<ReadonlyMap<Sample, Bill>> {
  await advance(shop, 0);
  const subscribers: { prefix: string; sample: Sample; subscriptionId: string }[] = [];
  const events: Body[] = [];
  for (const [name, page] of pages) {
    const prefix = prefixOf(name);
    const planId = await createPagePlan(shop, prefix, page);
    for (const sample of samplesOf(page)) {
      const { customerId, subscriptionId } = await subscribe(shop, planId);
      subscribers.push({ prefix, sample, subscriptionId });
      events.push(...eventsOf(page, prefix, sample, customerId));
    }
  }
  await advance(shop, lastHour);
  await record(shop, events);
  await advance(shop, lastHour + 1);
  const bills = new Map<Sample, Bill>();
  for (const { prefix, sample, subscriptionId } of subscribers)
    bills.set(sample, await billOf(shop, prefix, subscriptionId));
  return bills;
}
