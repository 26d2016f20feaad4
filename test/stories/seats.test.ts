import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';
import { closeStory } from '../support/recompute.ts';
import {
  allEvents,
  type EventDetails,
  expectLedgerBalanced,
  pay,
  sellPlan,
  setClock,
  word,
} from '../support/stories.ts';

// Seats and quota over several months: additions, removals, and the line items on each invoice (CON-37 to CON-47).

let shop: TestApp;

beforeAll(async () => {
  shop = await startApp();
});
afterAll(() => closeStory(shop));

type Body = Readonly<Record<string, unknown>>;

async function accepted<T = Body>(method: string, path: string, body?: object): Promise<T> {
  const answer = await shop.rest<T>(method, path, body);
  expect({ status: answer.status, body: answer.body }).toMatchObject({
    status: expect.toSatisfy((status: number) => status < 300),
  });
  return answer.body;
}

const rejection = async (method: string, path: string, body: object): Promise<string> =>
  (await shop.rest<{ error: { code: string } }>(method, path, body)).body.error.code;

/** Creates a plan with one seat or quota feature. */
async function sell(
  plan: string,
  price: Parameters<typeof sellPlan>[2],
  type: 'seats' | 'quota',
  terms: object,
): Promise<string> {
  const planId = await sellPlan(shop, plan, price);
  const { id } = await accepted('POST', '/features', {
    code: `${plan}_${type}`,
    name: `${plan} ${type}`,
    type,
  });
  await accepted('POST', `/plans/${planId}/features`, { featureId: id, ...terms });
  return `/plans/${planId}/features/${id}`;
}

/** Subscribes a new customer, and pays the first invoice if the plan isn't free. */
async function start(customerId: string, planCode: string, choices: object = {}): Promise<string> {
  await accepted('POST', '/customers', { email: `${customerId}@example.com`, externalId: customerId });
  const subscription = await accepted<{ id: string; checkoutUrl: string | null }>('POST', '/subscriptions', {
    customerId,
    planCode,
    ...choices,
  });
  const token = subscription.checkoutUrl?.split('/').at(-1);
  if (token !== undefined) expect(await pay(shop, token)).toBe('paid');
  return subscription.id;
}

type Line = {
  lineType: string;
  chargeType: string | null;
  quantity: number;
  unitAmount: number;
  amount: number;
};
type Invoice = { invoiceType: string; status: string; total: number; lineItems: Line[] };

/** Returns the type, status, total, and ordered line items of each of a subscription's invoices, from oldest to newest. */
async function invoices(id: string): Promise<unknown[]> {
  const { subscription } = await shop.graphql<{ subscription: { invoices: { edges: { node: Invoice }[] } } }>(
    `query ($id: ID!) { subscription(id: $id) { invoices(first: 50) { edges { node {
       invoiceType status total lineItems { lineType chargeType quantity unitAmount amount } } } } } }`,
    { id },
  );
  return subscription.invoices.edges
    .map(({ node: { invoiceType, status, total, lineItems } }) => [
      `${invoiceType} ${status} ${total}`,
      ...lineItems.map(
        (line) =>
          `${[line.lineType, line.chargeType ?? ''].join(' ').trim()} ${line.quantity} x ${line.unitAmount} = ${line.amount}`,
      ),
    ])
    .toReversed();
}

let seen = 0;
const fresh = async (): Promise<EventDetails[]> => {
  const events = (await allEvents(shop)).slice(seen);
  seen += events.length;
  return events;
};
/** Returns the events since the last call. */
const recentEvents = async (): Promise<string[]> => (await fresh()).map(word);

const at = (instant: string) => setClock(shop, instant);

describe('a plan with 4 included seats that charges $11.50 for each additional seat (CON-E5)', () => {
  const featureCode = 'cove_seats';
  const ada = { customerId: 'ada', featureCode };
  const current = async () =>
    (await accepted<{ current: number }>('GET', `/seats/balance?customerId=ada&featureCode=${featureCode}`))
      .current;
  let id: string;

  beforeEach(async () => {
    await recentEvents();
  });

  it('starts with 6 seats, two of which are charged in advance', async () => {
    await at('2027-04-05T10:00:00Z');
    await sell('cove', { billingInterval: 'monthly', price: 2_000 }, 'seats', {
      includedAmount: 4,
      overage: { enabled: true, unitPrice: 115_000 },
    });
    id = await start('ada', 'cove', { initialSeats: { [featureCode]: 6 } });
    expect(await current()).toBe(6);
    expect(await invoices(id)).toEqual([
      ['recurring paid 4300', 'plan_base advance 1 x 2000 = 2000', 'feature_seats advance 2 x 1150 = 2300'],
    ]);
  });

  it('adds seats immediately, with an event', async () => {
    await at('2027-04-17T15:00:00Z');
    await recentEvents();
    expect(await accepted('POST', '/seats', { ...ada, count: 3 })).toMatchObject({
      previousBalance: 6,
      newBalance: 9,
      object: 'seat_event',
    });
    expect(await current()).toBe(9);
    const events = await fresh();
    expect(events.map(word)).toEqual(['seats.updated', 'customer.state_changed:seats_updated']);
    expect(events[0]?.data).toEqual({
      subscriptionId: id,
      customerId: 'ada',
      featureCode,
      previousSeats: 6,
      currentSeats: 9,
    });
  });

  it('removes seats at the end of the period, and cancels a removal without an event', async () => {
    await at('2027-04-20T09:00:00Z');
    await recentEvents();
    expect(await accepted('POST', '/seats/remove', { ...ada, count: 2 })).toMatchObject({
      previousBalance: 9,
      newBalance: 7,
    });
    expect(await current()).toBe(9);
    await at('2027-04-24T09:00:00Z');
    expect(await accepted('POST', '/seats', { ...ada, count: 1 })).toMatchObject({
      previousBalance: 7,
      newBalance: 8,
    });
    expect(await current()).toBe(9);
    expect(await recentEvents()).toEqual([]);
  });

  it('charges for 4 of the 8 seats in advance at the renewal, and prorates seats that were added in the previous period', async () => {
    await at('2027-05-05T12:00:00Z');
    expect(await current()).toBe(8);
    expect((await invoices(id)).at(-1)).toEqual([
      'recurring paid 8670',
      'plan_base advance 1 x 2000 = 2000',
      'feature_seats true_up 3 x 1150 = 2070',
      'feature_seats advance 4 x 1150 = 4600',
    ]);
    const events = await fresh();
    expect(events.map(word)).toEqual([
      'invoice.upcoming',
      'seats.updated',
      'customer.state_changed:seats_updated',
      'invoice.created',
      'payment.received',
    ]);
    expect(events[1]?.data).toMatchObject({ previousSeats: 9, currentSeats: 8 });
  });

  it('removes seats when the subscription ends, and charges for added seats on the last invoice (CON-45)', async () => {
    await at('2027-05-20T09:00:00Z');
    await accepted('PUT', '/seats', { ...ada, count: 10 });
    await accepted('PUT', '/seats', { ...ada, count: 3 });
    await accepted('POST', `/subscriptions/${id}/cancel`, {});
    await at('2027-06-06T00:00:00Z');
    // 2 × 11.50 for 16 of 31 days: 11.87.
    expect((await invoices(id)).at(-1)).toEqual([
      'overage paid 1187',
      'feature_seats true_up 2 x 1150 = 1187',
    ]);
    expect(await rejection('POST', '/seats', { ...ada, count: 1 })).toBe('no_active_subscription');
    expect(await recentEvents()).toContain('seats.updated');
  });

  it("applies the customer's existing seat count to a new subscription (CON-34)", async () => {
    const again = await accepted<{ id: string; checkoutUrl: string }>('POST', '/subscriptions', {
      customerId: 'ada',
      planCode: 'cove',
    });
    expect(await pay(shop, again.checkoutUrl.split('/').at(-1) ?? '')).toBe('paid');
    expect(await current()).toBe(3);
    await accepted('POST', `/subscriptions/${again.id}/cancel`, { immediate: true });
  });
});

describe('a plan with 12 included quota units that charges $0.60 for each additional unit (CON-E6)', () => {
  const featureCode = 'bay_quota';
  const bob = { customerId: 'bob', featureCode };
  const allowance = () => accepted('GET', `/usage/quota?customerId=bob&featureCode=${featureCode}`);
  let id: string;

  it('charges for the highest count in the period', async () => {
    await at('2027-10-03T08:00:00Z');
    await sell('bay', { billingInterval: 'monthly', price: 2_000 }, 'quota', {
      includedAmount: 12,
      overage: { enabled: true, unitPrice: 6_000 },
    });
    id = await start('bob', 'bay');
    await recentEvents();
    expect(await accepted('PUT', '/usage/quota', { ...bob, count: 12 })).toMatchObject({
      previousBalance: 0,
      newBalance: 12,
    });
    await at('2027-10-11T08:00:00Z');
    await accepted('POST', '/usage/quota', { ...bob, count: 9 });
    await at('2027-10-14T08:00:00Z');
    expect(await accepted('POST', '/usage/quota/remove', { ...bob, count: 15 })).toMatchObject({
      previousBalance: 21,
      newBalance: 6,
    });
    await at('2027-10-19T08:00:00Z');
    await accepted('POST', '/usage/quota', { featureCode, externalId: 'bob', count: 10 });
    await at('2027-10-25T08:00:00Z');
    await accepted('POST', '/usage/quota', { ...bob, count: 8 });
    await at('2027-10-30T08:00:00Z');
    expect(await allowance()).toEqual({
      featureCode,
      current: 24,
      included: 12,
      remaining: 0,
      billedQuantity: 12,
      unlimited: false,
      overageEnabled: true,
      asOf: '2027-10-30T08:00:00.000Z',
      object: 'usage_quota',
      livemode: false,
    });
    await at('2027-11-03T00:00:00Z');
    expect((await invoices(id)).at(-1)).toEqual([
      'recurring paid 3173',
      'plan_base advance 1 x 2000 = 2000',
      'feature_quota true_up 9 x 60 = 401',
      'feature_quota true_up 3 x 60 = 52',
      'feature_quota advance 12 x 60 = 720',
    ]);
    expect(await recentEvents()).toEqual(['invoice.upcoming', 'invoice.created', 'payment.received']);
  });

  it('reduces the count without a credit, and the next period starts with the lower count (CON-39, CON-42)', async () => {
    await accepted('PUT', '/usage/quota', { ...bob, count: 5 });
    expect(await allowance()).toMatchObject({ current: 5, remaining: 7, billedQuantity: 12 });
    await at('2027-12-03T00:00:00Z');
    expect(await allowance()).toMatchObject({ current: 5, remaining: 7, billedQuantity: 0 });
    expect((await invoices(id)).at(-1)).toEqual(['recurring paid 2000', 'plan_base advance 1 x 2000 = 2000']);
    await accepted('POST', `/subscriptions/${id}/cancel`, { immediate: true });
  });
});

describe('a plan with seats', () => {
  it('charges for seats once a year on a yearly plan, and for added seats for the rest of the year (CON-40)', async () => {
    await at('2028-01-10T08:00:00Z');
    await sell('year', { billingInterval: 'yearly', price: 20_000 }, 'seats', {
      includedAmount: 4,
      overage: { enabled: true, unitPrice: 115_000 },
    });
    const id = await start('cleo', 'year', { initialSeats: { year_seats: 5 } });
    await at('2028-04-19T08:00:00Z');
    await accepted('POST', '/seats', { customerId: 'cleo', featureCode: 'year_seats', count: 2 });
    await at('2029-01-10T08:00:00Z');
    // After 100 of 366 days: 2 × 11.50 × 266 ÷ 366 = 16.7158.
    expect(await invoices(id)).toEqual([
      [
        'recurring paid 21150',
        'plan_base advance 1 x 20000 = 20000',
        'feature_seats advance 1 x 1150 = 1150',
      ],
      [
        'recurring paid 25122',
        'plan_base advance 1 x 20000 = 20000',
        'feature_seats true_up 2 x 1150 = 1672',
        'feature_seats advance 3 x 1150 = 3450',
      ],
    ]);
    await accepted('POST', `/subscriptions/${id}/cancel`, { immediate: true });
  });

  it('has a hard limit on a free plan, and applies seat removals each month (CON-3, CON-40)', async () => {
    await sell('free', null, 'seats', { includedAmount: 4 });
    const id = await start('emil', 'free');
    const emil = { customerId: 'emil', featureCode: 'free_seats' };
    const balance = () => accepted('GET', '/seats/balances?customerId=emil');
    await recentEvents();
    await accepted('POST', '/seats', { ...emil, count: 4 });
    expect(await recentEvents()).toEqual([
      'seats.updated',
      'customer.state_changed:seats_updated',
      'seats.limit_reached',
    ]);
    expect(await rejection('POST', '/seats', { ...emil, count: 1 })).toBe('included_limit_reached');
    await accepted('POST', '/seats/remove', { ...emil, count: 1 });
    expect(await balance()).toMatchObject({ balances: { free_seats: { current: 4 } } });
    await at('2029-02-10T08:00:00Z');
    expect(await balance()).toMatchObject({
      balances: { free_seats: { current: 3, asOf: '2029-02-10T08:00:00.000Z' } },
    });
    expect(await recentEvents()).toEqual(['seats.updated', 'customer.state_changed:seats_updated']);
    await accepted('POST', '/seats', { ...emil, count: 1 });
    expect((await recentEvents()).at(-1)).toBe('seats.limit_reached');
    expect(await invoices(id)).toEqual([]);
  });

  it('charges for additional seats monthly on a one-time plan (CON-40)', async () => {
    await sell('life', { billingInterval: 'one_time', price: 90_000 }, 'seats', {
      includedAmount: 4,
      overage: { enabled: true, unitPrice: 115_000 },
    });
    const id = await start('dora', 'life', { initialSeats: { life_seats: 4 } });
    await at('2029-02-24T08:00:00Z');
    await accepted('POST', '/seats', { customerId: 'dora', featureCode: 'life_seats', count: 2 });
    await at('2029-04-10T08:00:00Z');
    // 14 of 28 days: 2 × 11.50 × 14 ÷ 28 = 11.50.
    expect(await invoices(id)).toEqual([
      ['recurring paid 90000', 'plan_base advance 1 x 90000 = 90000'],
      ['overage paid 3450', 'feature_seats true_up 2 x 1150 = 1150', 'feature_seats advance 2 x 1150 = 2300'],
      ['overage paid 2300', 'feature_seats advance 2 x 1150 = 2300'],
    ]);
  });

  it('keeps a seat count above a lowered limit, after which the count can only decrease (CON-52, CAT-48)', async () => {
    const terms = await sell('firm', { billingInterval: 'monthly', price: 1_000 }, 'seats', {
      includedAmount: 5,
    });
    const id = await start('fred', 'firm', { initialSeats: { firm_seats: 5 } });
    const fred = { customerId: 'fred', featureCode: 'firm_seats' };
    await accepted('PATCH', terms, { includedAmount: 2 });
    await accepted('POST', '/seats/remove', { ...fred, count: 1 });
    await accepted('POST', '/seats', { ...fred, count: 1 });
    await at('2029-05-11T00:00:00Z');
    expect(await accepted('GET', '/seats/balance?customerId=fred&featureCode=firm_seats')).toMatchObject({
      current: 5,
    });
    expect(await rejection('PUT', '/seats', { ...fred, count: 6 })).toBe('included_limit_reached');
    await accepted('PUT', '/seats', { ...fred, count: 4 });
    await at('2029-06-11T00:00:00Z');
    expect(await rejection('POST', '/seats', { ...fred, count: 1 })).toBe('included_limit_reached');
    expect((await invoices(id)).at(-1)).toEqual(['recurring paid 1000', 'plan_base advance 1 x 1000 = 1000']);
  });

  it('leaves a balanced ledger', () => expectLedgerBalanced(shop));
});
