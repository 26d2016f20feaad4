import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiKey } from '../../../../src/modules/organization/api-keys/create.ts';
import { MovableClock } from '../../../support/billing-world.ts';
import { type CauseDetails, causeFields, expectCause } from '../../../support/event-causes.ts';
import {
  attachFeature,
  clockSettled,
  createActiveSubscription,
  createCustomer,
  createFeature,
  createSubscription,
  openPortal,
  otherShop,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { memberOf } from '../../../support/people.ts';
import { columnsRead } from '../../../support/statements.ts';
import { openStripe, type StripeServer } from '../../../support/stripe.ts';
import { StripeShop } from '../../../support/stripe-shop.ts';

// Actors and sources of events, by cause. The worker polls so rarely that it doesn't act during a test.

const wall = new MovableClock('2027-01-31T09:30:00.000Z');

let stripe: StripeServer;
let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  stripe = await openStripe();
  t = await startApp({ wall, env: { STRIPE_URL: stripe.url, WORKER_POLL_MS: '60000' } });
  shop = await otherShop(t);
});
afterAll(async () => {
  await t.close();
  await stripe.close();
});

type ReadEvent = CauseDetails & {
  readonly actor: { readonly __typename: string; readonly name?: string; readonly fullName?: string } | null;
};
type Options = Parameters<TestApp['graphql']>[2];

const listed = `query ($types: [EventKind!]) { events(first: 100, types: $types) { edges { node { event ${causeFields}
  actor { __typename ... on ApiKey { name } ... on Member { name } ... on Customer { fullName } } } } } }`;

/** Returns a shop's events of the given types, from newest to oldest, and asserts that each cause is complete. */
async function readEvents(
  of: Shop,
  types: readonly string[] | null = null,
  options: Options = { key: of.key },
): Promise<ReadEvent[]> {
  type Page = { events: { edges: { node: ReadEvent }[] } };
  const { events } = await t.graphql<Page>(listed, { types }, options);
  const all = events.edges.map(({ node }) => node);
  for (const one of all) expectCause(one);
  return all;
}

/** Returns the latest event of a type. */
async function latest(of: Shop, kind: string, options?: Options): Promise<ReadEvent> {
  const [event] = await readEvents(of, [kind], options);
  if (event === undefined) throw new Error(`There is no event ${kind}.`);
  return event;
}

const customerCreate = (email: string, options: Options): Promise<unknown> =>
  t.graphql(
    'mutation ($input: CustomerCreateInput!) { customerCreate(input: $input) { id } }',
    { input: { email } },
    options,
  );

/** Creates another API key for a shop, with the given scopes. */
async function keyOf(
  of: Shop,
  name: string,
  scopes: readonly string[],
): Promise<{ id: string; apiKey: string }> {
  const { apiKeyCreate } = await t.graphql<{ apiKeyCreate: { id: string; apiKey: string } }>(
    'mutation ($input: ApiKeyCreateInput!) { apiKeyCreate(input: $input) { id apiKey } }',
    { input: { name, scopes } },
    { key: of.key },
  );
  return apiKeyCreate;
}

const organizationOf = async ({ key }: Shop): Promise<string> =>
  (await t.graphql<{ organization: { id: string } }>('{ organization { id } }', {}, { key })).organization.id;

describe("an event's cause", () => {
  test('contains the request ID, and the API key if the caller can read API keys', async () => {
    await createCustomer(shop);
    const event = await latest(shop, 'customer_created');
    expect(event).toMatchObject({
      source: 'api',
      actorName: 'Test key',
      actor: { __typename: 'ApiKey', name: 'Test key' },
    });
    expect(event.requestId).toMatch(/^[0-9a-f-]{36}$/);
    const reader = await keyOf(shop, 'Reader', ['read']);
    expect(await latest(shop, 'customer_created', { key: reader.apiKey })).toMatchObject({
      actorId: event.actorId,
      actorName: 'Test key',
      actor: null,
    });
  });

  test("keeps a deleted key's name", async () => {
    const { id, apiKey } = await keyOf(shop, 'Import of March', ['read', 'write']);
    await customerCreate('imported@example.com', { key: apiKey });
    await t.graphql(
      'mutation ($input: ApiKeyDeleteInput!) { apiKeyDelete(input: $input) { deletedId } }',
      { input: { id } },
      { key: shop.key },
    );
    expect(await latest(shop, 'customer_created')).toMatchObject({
      actorId: id,
      actorName: 'Import of March',
      actor: null,
    });
  });

  test('contains the member who used the dashboard, even after the member is removed', async () => {
    const organizationId = await organizationOf(shop);
    const owner = await memberOf(t, organizationId, 'owner');
    const { memberId, headers } = await memberOf(t, organizationId, 'admin');
    await customerCreate('by-hand@example.com', { key: null, headers });
    const asOwner = { key: null, headers: owner.headers };
    const byMember = { source: 'dashboard', actorId: memberId, actorName: 'Ada' };
    expect(await latest(shop, 'customer_created', asOwner)).toMatchObject({
      ...byMember,
      actor: { __typename: 'Member', name: 'Ada' },
    });
    expect(await latest(shop, 'customer_created')).toMatchObject({ ...byMember, actor: null });
    await t.graphql(
      'mutation ($input: MemberRemoveInput!) { memberRemove(input: $input) { deletedId } }',
      { input: { id: memberId } },
      { key: null, headers: { ...owner.headers, 'x-environment': 'live' } },
    );
    expect(await latest(shop, 'customer_created', asOwner)).toMatchObject({ ...byMember, actor: null });
  });

  test('contains the customer who used a hosted page', async () => {
    const { customerId } = await createActiveSubscription(shop);
    const byCustomer = { actorId: customerId, actor: { __typename: 'Customer' } };
    expect(await latest(shop, 'payment_received')).toMatchObject({ source: 'checkout', ...byCustomer });
    const token = await openPortal(shop, customerId);
    await t.graphql(
      'mutation ($input: PortalSubscriptionCancelInput!) { portalSubscriptionCancel(input: $input) { status } }',
      { input: { reason: 'Moving on.' } },
      { key: null, headers: { authorization: `Bearer ${token}` } },
    );
    const canceled = await latest(shop, 'subscription_cancellation_scheduled');
    expect(canceled).toMatchObject({
      source: 'portal',
      ...byCustomer,
      subject: { __typename: 'Subscription' },
    });
  });

  test('has the source `clock` and no actor during a test clock run', async () => {
    const own = await otherShop(t);
    await createActiveSubscription(own);
    const before = (await readEvents(own)).length;
    await own.rest('POST', '/test-clock', { advanceDays: 40 });
    await clockSettled(own);
    const fresh = (await readEvents(own)).slice(0, -before);
    expect(fresh.map(({ event }) => event)).toContain('invoice_created');
    expect(new Set(fresh.map(({ source }) => source))).toEqual(new Set(['clock']));
    expect(
      fresh.every(
        ({ actor, actorId, actorName }) => actor === null && actorId === null && actorName === null,
      ),
    ).toBe(true);
  });

  test("contains the ID of the provider's webhook message", async () => {
    const { shop: own, emit, active } = await StripeShop.open({ t, stripe, wall });
    const { intent } = await active();
    const dispute = stripe.opens(intent, 'needs_response');
    expect(await emit('charge.dispute.created', stripe.rows.get(dispute))).toBe(200);
    const event = await latest(own, 'payment_disputed');
    expect(event).toMatchObject({
      source: 'provider',
      actorId: expect.stringMatching(/^evt_/),
      actorName: null,
      actor: null,
    });
    expect(event.subject).toEqual({ __typename: 'Transaction' });
  });
});

test('usage events recorded in one batch keep their individual callers', async () => {
  const own = await otherShop(t);
  const { customerId, planId } = await createActiveSubscription(own);
  const { id: featureId, code } = await createFeature(own, 'usage');
  await attachFeature(own, planId, featureId, { includedAmount: 100 });
  const keys = await Promise.all(
    ['North', 'South', 'East'].map((name) => keyOf(own, name, ['read', 'write'])),
  );
  const track = (key: string) =>
    t.rest(
      'POST',
      '/usage/events',
      { customerId, featureCode: code, value: 1, eventId: randomUUID() },
      { key },
    );
  const answers = await Promise.all([...keys, ...keys].map(({ apiKey }) => track(apiKey)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
  const recorded = await readEvents(own, ['usage_recorded']);
  expect(recorded.map(({ actorName }) => actorName).toSorted()).toEqual([
    'East',
    'East',
    'North',
    'North',
    'South',
    'South',
  ]);
  expect(new Set(recorded.map(({ requestId }) => requestId)).size).toBe(6);
});

test('the list of events reads actors, names, and subjects with the same number of SQL statements for any page size', async () => {
  const query = `query ($first: Int!) { events(first: $first) { edges { node { summary actorName
    actor { __typename ... on ApiKey { name } ... on Member { name } ... on Customer { email } }
    subject { __typename ... on Customer { email } ... on Subscription { status } ... on Invoice { total } ... on Transaction { status } } } } } }`;
  const first = { ...shop, key: t.sandboxKey, environmentId: t.sandboxId };
  await createApiKey(await t.context(), { name: 'Another', scopes: ['read', 'write'] });
  for (let count = 0; count < 4; count++) await createSubscription(first);
  await createActiveSubscription({ ...first, next: (kind) => `${kind}${randomUUID().slice(0, 8)}` });
  const few = await columnsRead(t, query, { first: 9 });
  const many = await columnsRead(t, query, { first: 40 });
  const tables = (read: readonly string[]) => read.map((one) => one.split(':')[0]).toSorted();
  expect(tables(many.read)).toEqual(tables(few.read));
});

test('an overdue renewal is attributed to the worker even if an API request triggers it, and the requested change is attributed to the caller', async () => {
  const own = await otherShop(t);
  const { id } = await createActiveSubscription(own);
  wall.set('2027-03-05T12:00:00.000Z');
  await own.rest('POST', `/subscriptions/${id}/cancel`, {});
  expect(await latest(own, 'invoice_created')).toMatchObject({
    source: 'worker',
    actorId: null,
    requestId: null,
  });
  expect(await latest(own, 'subscription_cancellation_scheduled')).toMatchObject({
    source: 'api',
    actorName: 'Test key',
  });
});
