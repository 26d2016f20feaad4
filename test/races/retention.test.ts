import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createActiveSubscription,
  createOffer,
  firstShop,
  nameRetentionOffer,
  off,
  openPortal,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { expectLedgerBalanced } from '../support/stories.ts';

// Accepting a retention offer while the subscription also changes in other ways. The embedded database executes transactions one after
// another, so only their order varies. On a server, transactions overlap.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
  await nameRetentionOffer(shop, (await createOffer(shop, [off.percent(2_500, 3)])).id);
});
afterAll(() => t.close());

type Answer<T> = { data?: T | null; errors?: { extensions: { code: string } }[] };

const ask = async <T>(token: string, query: string, variables: object = {}): Promise<Answer<T>> =>
  (
    await fetch(`${t.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query, variables }),
    })
  ).json() as Promise<Answer<T>>;

const leaving = async () => {
  const { id, customerId } = await createActiveSubscription(shop);
  const token = await openPortal(shop, customerId);
  type Shown = { portal: { subscription: { retentionOffer: { key: string } } } };
  const { data } = await ask<Shown>(token, '{ portal { subscription { retentionOffer { key } } } }');
  return { id, token, key: data?.portal.subscription.retentionOffer.key ?? '' };
};
const accept = async ({ token, key }: { token: string; key: string }): Promise<string> => {
  const query = 'mutation ($key: String!) { portalRetentionOfferAccept(input: { key: $key }) { status } }';
  const { errors } = await ask(token, query, { key });
  return errors?.[0]?.extensions.code ?? 'stays';
};
type Read = {
  status: string;
  cancelAtPeriodEnd: boolean;
  offerApplications: { source: string; status: string }[];
};
const read = async (id: string): Promise<string> => {
  const { body } = await shop.rest<Read>('GET', `/subscriptions/${id}`);
  const offers = body.offerApplications.map(({ source, status }) => `${source} ${status}`);
  return [body.status, ...offers].join(', ');
};
const retained = async (id: string): Promise<number> => {
  const text = `SELECT count(*)::int AS n FROM "Event" WHERE "environmentId" = $1 AND "subscriptionId" = $2 AND kind = 'subscription.retained'`;
  const [row] = await t.app.database.query<{ n: number }>(text, [shop.environmentId, id]);
  return row?.n ?? -1;
};

test('a retention offer that is accepted in four tabs concurrently is applied once (OFR-43)', async () => {
  const visit = await leaving();
  expect(await Promise.all([accept(visit), accept(visit), accept(visit), accept(visit)])).toEqual(
    Array(4).fill('stays'),
  );
  expect(await read(visit.id)).toBe('active, retention applied');
  expect(await retained(visit.id)).toBe(1);
});

test.each([1, 2, 3])(
  'accepting a retention offer never undoes a concurrent cancellation by the merchant (OFR-42), round %i',
  async () => {
    const visit = await leaving();
    const [outcome, canceled] = await Promise.all([
      accept(visit),
      shop.rest('POST', `/subscriptions/${visit.id}/cancel`, { reason: 'Asked by telephone' }),
    ]);
    expect(canceled.status).toBe(200);
    const { subscription } = await t.graphql<{ subscription: { cancellation: { reason: string } | null } }>(
      'query ($id: ID!) { subscription(id: $id) { cancellation { reason } } }',
      { id: visit.id },
      { key: shop.key },
    );
    expect(subscription.cancellation?.reason).toBe('Asked by telephone');
    expect([outcome, await read(visit.id)]).toEqual(
      outcome === 'stays' ? ['stays', 'active, retention applied'] : ['offer_not_applicable', 'active'],
    );
  },
);

test.each([1, 2])(
  'an immediate cancellation while a retention offer is accepted leaves a consistent state, round %i',
  async () => {
    const visit = await leaving();
    const [outcome, canceled] = await Promise.all([
      accept(visit),
      shop.rest('POST', `/subscriptions/${visit.id}/cancel`, { immediate: true }),
    ]);
    expect(canceled.status).toBe(200);
    expect(await retained(visit.id)).toBe(outcome === 'stays' ? 1 : 0);
    expect(await read(visit.id)).toBe(outcome === 'stays' ? 'canceled, retention applied' : 'canceled');
    await expectLedgerBalanced(t);
  },
);
