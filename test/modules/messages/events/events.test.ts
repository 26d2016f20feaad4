import type { Client } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rejection } from '../../../support/refusals.ts';
import { now, openShop, type Shop } from '../../subscriptions/subscriptions/shop.ts';
import { follow, openSocket } from './live.ts';

let shop: Shop;
let socket: Client;

beforeAll(async () => {
  shop = await openShop();
  socket = openSocket(shop);
});
afterAll(async () => {
  await socket.dispose();
  await shop.close();
});

type Emitted = { position: number; event: string };
type Page = {
  events: {
    edges: { node: Emitted; cursor: string }[];
    pageInfo: { hasNextPage: boolean; endCursor: string };
  };
};

const stream = `subscription ($types: [EventKind!], $customerId: String, $after: SafeInt) {
  eventStream(types: $types, customerId: $customerId, afterPosition: $after) { position event } }`;

/** Events for an activation through a paid checkout, in order. */
const activation = [
  'subscription_created',
  'invoice_created',
  'checkout_ready',
  'customer_state_changed',
  'payment_method_attached',
  'payment_received',
  'subscription_activated',
  'customer_state_changed',
];

describe('the list of events', () => {
  it("shows every event's webhook envelope and position", async () => {
    const customerId = await shop.customer('enveloped');
    const operation = `{ events(first: 1, customerId: "enveloped") { edges { node {
      id event timestamp organizationId mode apiVersion data position customer { id } subscription { id } } } } }`;
    expect(await shop.graphql(operation)).toEqual({
      events: {
        edges: [
          {
            node: {
              id: expect.stringMatching(/^whev_[0-9A-Za-z]{22}$/),
              event: 'customer_created',
              timestamp: now.toISOString(),
              organizationId: shop.organizationId,
              mode: 'sandbox',
              apiVersion: '2026-08-27',
              data: expect.objectContaining({ id: customerId, externalId: 'enveloped' }),
              position: expect.any(Number),
              customer: { id: customerId },
              subscription: null,
            },
          },
        ],
      },
    });
  });

  it('is sorted from newest to oldest, and continues after a cursor without gaps or repetitions', async () => {
    const { customerId } = await shop.activeCustomer();
    const operation = `query ($after: String, $id: String) { events(first: 5, after: $after, customerId: $id) {
      edges { node { position event } cursor } pageInfo { hasNextPage endCursor } } }`;
    const first = await shop.graphql<Page>(operation, { id: customerId });
    const second = await shop.graphql<Page>(operation, {
      id: customerId,
      after: first.events.pageInfo.endCursor,
    });
    const emitted = [...first.events.edges, ...second.events.edges].map(({ node }) => node).toReversed();
    expect(emitted.map(({ event }) => event)).toEqual(['customer_created', ...activation]);
    expect(emitted.map(({ position }) => position)).toEqual(
      emitted.map((_event, index) => (emitted[0]?.position ?? 0) + index),
    );
    expect(second.events.pageInfo.hasNextPage).toBe(false);
  });

  it('can be filtered by type, and is empty for an unknown customer', async () => {
    const operation =
      'query ($types: [EventKind!], $id: String) { events(types: $types, customerId: $id) { edges { node { event } } } }';
    const { customerId } = await shop.activeCustomer();
    expect(await shop.graphql(operation, { types: ['payment_received'], id: customerId })).toEqual({
      events: { edges: [{ node: { event: 'payment_received' } }] },
    });
    expect(await shop.graphql(operation, { id: 'nobody' })).toEqual({ events: { edges: [] } });
  });

  it.each([
    ['{ events(types: [customer_exploded]) { edges { cursor } } }'],
    ['{ events(after: "nonsense") { edges { cursor } } }'],
    ['{ events(types: []) { edges { cursor } } }'],
  ])('rejects the query %s', async (operation) => {
    expect(await rejection(shop, operation)).toMatchObject({ code: 'validation_error', status: 400 });
  });

  it('excludes events in other environments', async () => {
    const other = await shop.otherTenant();
    expect(await shop.graphql('{ events { edges { cursor } } }', {}, { key: other.sandboxKey })).toEqual({
      events: { edges: [] },
    });
    expect(await shop.graphql('{ events { edges { cursor } } }', {}, { key: shop.liveKey })).toEqual({
      events: { edges: [] },
    });
  });
});

describe('the customer.state_changed event', () => {
  it("describes the current state: the customer's features, or none after a cancellation", async () => {
    const customerId = await shop.customer('stateful');
    const made = await shop.subscribe({ customerId, planId: shop.proId, initialSeats: { people: 4 } });
    await shop.pay(shop.tokenOf(made));
    const operation =
      '{ events(first: 1, customerId: "stateful", types: [customer_state_changed]) { edges { node { data } } } }';
    const period = { start: '2026-03-31T00:00:00.000Z', end: '2026-04-30T00:00:00.000Z' };
    expect(await shop.graphql(operation)).toEqual({
      events: {
        edges: [
          {
            node: {
              data: {
                customerId: 'stateful',
                trigger: 'subscription_activated',
                status: 'active',
                subscriptionId: made.id,
                plan: { id: shop.proId, name: 'Pro' },
                billingInterval: 'monthly',
                consumptionModel: 'metered',
                features: [
                  {
                    code: 'calls',
                    name: 'Calls',
                    unitName: 'call',
                    allowed: true,
                    type: 'usage',
                    consumption: {
                      model: 'metered',
                      period,
                      unitsUsed: 0,
                      includedUnits: 1000,
                      remainingUnits: 1000,
                      unlimited: false,
                      overage: {
                        enabled: true,
                        units: 0,
                        unitPrice: { amount: 25, currency: 'usd', scale: 10000 },
                      },
                    },
                  },
                  {
                    code: 'disk',
                    name: 'Disk',
                    unitName: null,
                    allowed: true,
                    type: 'quota',
                    usage: {
                      period,
                      unitsUsed: 0,
                      includedUnits: 0,
                      unlimited: true,
                      overage: { enabled: false, units: 0 },
                      billedUnits: 0,
                    },
                  },
                  {
                    code: 'people',
                    name: 'People',
                    unitName: null,
                    allowed: true,
                    type: 'seats',
                    usage: {
                      period,
                      unitsUsed: 4,
                      includedUnits: 3,
                      remainingUnits: 0,
                      unlimited: false,
                      overage: {
                        enabled: true,
                        units: 1,
                        unitPrice: { amount: 90000, currency: 'usd', scale: 10000 },
                      },
                    },
                  },
                  {
                    code: 'sso',
                    name: 'Single sign-on',
                    unitName: null,
                    allowed: true,
                    type: 'boolean',
                    enabled: true,
                  },
                ],
                seats: [{ code: 'people', current: 4, included: 3, remaining: 0, unlimited: false }],
                credits: null,
                balance: null,
              },
            },
          },
        ],
      },
    });
    await shop.rest('POST', `/subscriptions/${made.id}/cancel`, { immediate: true });
    expect(await shop.graphql(operation)).toEqual({
      events: {
        edges: [
          {
            node: {
              data: {
                customerId: 'stateful',
                trigger: 'subscription_canceled',
                status: 'none',
                subscriptionId: null,
                plan: null,
                billingInterval: null,
                consumptionModel: null,
                features: [],
                seats: [],
                credits: null,
                balance: null,
              },
            },
          },
        ],
      },
    });
  });
});

describe('the event stream', () => {
  it('emits events committed after it started, in order and without gaps', async () => {
    const customerId = await shop.customer();
    const reader = follow<Emitted>(socket, stream, { customerId });
    const reading = reader.next();
    // The server registers the subscription before it responds to the next request over the same socket.
    await follow(socket, '{ events(first: 1) { edges { cursor } } }').next();
    const made = await shop.subscribe({ customerId, planId: shop.proId });
    await shop.pay(shop.tokenOf(made));
    const emitted = [(await reading).value as Emitted];
    while (emitted.length < activation.length) emitted.push((await reader.next()).value as Emitted);
    expect(emitted.map(({ event }) => event)).toEqual(activation);
    expect(emitted.map(({ position }) => position)).toEqual(
      emitted.map((_event, index) => (emitted[0]?.position ?? 0) + index),
    );
    await reader.stop();
  });

  it('resumes after a position with only the requested types', async () => {
    const { customerId } = await shop.activeCustomer();
    const reader = follow<Emitted>(socket, stream, {
      customerId,
      types: ['invoice_created', 'payment_received'],
      after: 0,
    });
    expect([(await reader.next()).value, (await reader.next()).value]).toEqual([
      { event: 'invoice_created', position: expect.any(Number) },
      { event: 'payment_received', position: expect.any(Number) },
    ]);
    await reader.stop();
  });

  it('ends when its API key is deleted', async () => {
    const minted = await shop.graphql<{ apiKeyCreate: { id: string; apiKey: string } }>(
      'mutation { apiKeyCreate(input: { name: "short-lived" }) { id apiKey } }',
    );
    const { id, apiKey } = minted.apiKeyCreate;
    const other = openSocket(shop, apiKey);
    const reader = follow<Emitted>(other, stream);
    const reading = reader.next().then(
      ({ done }) => (done === true ? 'ended' : 'told'),
      () => 'ended',
    );
    await follow(other, '{ events(first: 1) { edges { cursor } } }').next();
    await shop.graphql('mutation ($id: ID!) { apiKeyDelete(input: { id: $id }) { deletedId } }', { id });
    expect(await reading).toBe('ended');
    await other.dispose();
  });

  it('rejects an unknown customer', async () => {
    await expect(follow(socket, stream, { customerId: 'nobody' }).next()).rejects.toThrow(
      'customer_not_found',
    );
  });
});

describe('the live object stream', () => {
  it('emits the current subscription and each change, and ends once the subscription can no longer change', async () => {
    const made = await shop.subscribe({ customerId: await shop.customer(), planId: shop.proId });
    const reader = follow<{ status: string; checkoutUrl: string | null }>(
      socket,
      'subscription ($id: ID!) { subscriptionChanged(id: $id) { status checkoutUrl } }',
      { id: made.id },
    );
    expect((await reader.next()).value).toEqual({ status: 'pending_payment', checkoutUrl: made.checkoutUrl });
    const reading = reader.next();
    await shop.rest('POST', `/subscriptions/${made.id}/cancel`);
    expect((await reading).value).toEqual({ status: 'canceled', checkoutUrl: null });
    expect((await reader.next()).done).toBe(true);
  });

  it("emits the customer's latest invoice and each change", async () => {
    const customerId = await shop.customer();
    const made = await shop.subscribe({ customerId, planId: shop.proId });
    const reader = follow<{ status: string; total: number }>(
      socket,
      'subscription ($id: ID!) { invoiceChanged(customerId: $id) { status total lineItems { amount } } }',
      { id: customerId },
    );
    expect((await reader.next()).value).toEqual({
      status: 'outstanding',
      total: 3400,
      lineItems: [{ amount: 3400 }],
    });
    const reading = reader.next();
    await shop.pay(shop.tokenOf(made));
    expect((await reading).value).toEqual({ status: 'paid', total: 3400, lineItems: [{ amount: 3400 }] });
    await reader.stop();
  });
});
