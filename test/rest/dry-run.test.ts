import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backgroundSettled } from '../support/background.ts';
import { watchChanges } from '../support/changes.ts';
import { everyFew } from '../support/every-few.ts';
import {
  createActiveSubscription,
  createCustomer,
  firstShop,
  type Shop,
  shopOf,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { isLiveOnly } from '../support/payouts.ts';
import { routeName, routes } from '../support/queries.ts';
import { addressOf, requests } from '../support/requests.ts';

type Effects = {
  readonly isSimulated: boolean;
  readonly events: readonly { readonly kind: string }[];
  readonly money: readonly object[];
};
type Simulated = Record<string, unknown> & { readonly dryRun?: Effects };

const now = new Date('2026-01-31T10:00:00.000Z');
const headers = { 'x-quittance-dry-run': '1' };

let t: TestApp;
beforeAll(async () => {
  t = await startApp({ wall: { now: () => now } });
});
afterAll(() => t.close());

const writes = routes.filter(({ kind, rest }) => kind === 'mutation' && rest.status !== 410);

describe('a dry run', () => {
  let shop: Shop;
  const nextShop = everyFew(25, async () => {
    const { sandboxKey, sandboxId } = await t.otherTenant();
    shop = shopOf(t, sandboxKey, sandboxId);
  });

  test.each(writes.map((route) => [routeName(route), route] as const).filter(([name]) => !isLiveOnly(name)))(
    'returns the response and the effects without any change: %s',
    async (name, route) => {
      await nextShop();
      const request = await requests[name]?.(shop);
      if (request === undefined) throw new Error('No request is known.');
      await backgroundSettled(t.app.database.query);
      const changes = await watchChanges(t.app.database.query, shop.environmentId);
      const { status, body } = await shop.rest<Simulated>(
        route.method,
        addressOf(route.path, request),
        request.body,
        { headers },
      );
      expect(body).toMatchObject({ dryRun: { isSimulated: expect.any(Boolean) as boolean } });
      expect(status).toBeLessThan(300);
      expect(await changes()).toEqual([]);
      // Policies of API keys preview only operations that are declared to move money.
      if ((body.dryRun?.money.length ?? 0) > 0)
        expect(route.field.extensions).toMatchObject({ movesMoney: true });
    },
  );
});

describe('the effects of a dry run', () => {
  test("are the mutation's events and payments", async () => {
    const shop = firstShop(t);
    const { id } = await createActiveSubscription(shop);
    const { body } = await shop.rest<Simulated>(
      'POST',
      `/subscriptions/${id}/cancel`,
      { immediate: true },
      { headers },
    );
    expect(body['status']).toBe('canceled');
    expect(body.dryRun?.events.map(({ kind }) => kind)).toContain('subscription.canceled');
    expect(body.dryRun?.money).toEqual([]);
    const after = await shop.rest('GET', `/subscriptions/${id}`);
    expect(after.body['status']).toBe('active');
  });

  test("include the mutation's errors unchanged", async () => {
    const shop = firstShop(t);
    const sent = await shop.rest('POST', '/customers', { email: 'no address' }, { headers });
    const real = await shop.rest('POST', '/customers', { email: 'no address' });
    expect(sent.status).toBe(400);
    expect(sent.body).toEqual(real.body);
  });

  test("don't use up the idempotency key", async () => {
    const shop = firstShop(t);
    const key = { 'idempotency-key': 'dry-run-then-run' };
    const customer = { email: 'once@example.com', fullName: 'Ada Once' };
    const simulated = await shop.rest<Simulated>('POST', '/customers', customer, {
      headers: { ...headers, ...key },
    });
    expect(simulated.body.dryRun?.events.map(({ kind }) => kind)).toEqual(['customer.created']);
    const created = await shop.rest('POST', '/customers', customer, { headers: key });
    expect(created.status).toBe(201);
    expect(created.body['id']).not.toBe(simulated.body['id']);
  });

  test("aren't included in the response to a read", async () => {
    const shop = firstShop(t);
    const { id } = await createCustomer(shop);
    const { body } = await shop.rest('GET', `/customers/${id}`, undefined, { headers });
    expect(body).not.toHaveProperty('dryRun');
  });
});
