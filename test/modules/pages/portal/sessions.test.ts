import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { removeOld } from '../../../../src/worker/retention.ts';
import { MovableClock } from '../../../support/billing-world.ts';
import {
  createActiveSubscription,
  createCustomer,
  firstShop,
  openPortal,
  otherShop,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { liveClient } from '../../../support/live.ts';
import { rejection } from '../../../support/refusals.ts';

const create =
  'mutation ($input: PortalSessionCreateInput!) { portalSessionCreate(input: $input) { portalUrl object livemode } }';
const email =
  'query ($token: String) { portal(token: $token) { customer { email } returnUrl sessionEndsAt } }';

const wall = new MovableClock('2026-03-02T09:00:00.000Z');
const at = (time: string) => wall.set(`2026-03-02T${time}${time.length === 5 ? ':00' : ''}.000Z`);

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp({ wall });
  shop = firstShop(t);
});
beforeEach(() => at('09:00'));
afterAll(() => t.close());

type Seen = { portal: { customer: { email: string }; returnUrl: string | null; sessionEndsAt: string } };

const look = async (token: string): Promise<Seen['portal']> =>
  (await t.graphql<Seen>(email, { token }, { key: null })).portal;
const bearer = (token: string) => ({ key: null, headers: { authorization: `Bearer ${token}` } });
const isDead = async (token: string): Promise<boolean> =>
  (await rejection(t, email, { token }, { key: null })).code === 'unauthorized';

describe('portal session creation', () => {
  it('returns the portal URL for the ID, external ID, and email address', async () => {
    const { id, externalId } = await createCustomer(shop);
    for (const named of [
      { customerId: id },
      { customerId: externalId },
      { email: `${externalId}@shop.test` },
    ]) {
      const { status, body } = await t.rest<{ portalUrl: string }>('POST', '/portal/sessions', named);
      expect([status, body]).toEqual([
        200,
        {
          portalUrl: expect.stringMatching(`^${t.app.config.publicUrl}/portal/[\\w.-]+$`),
          object: 'portal_session',
          livemode: false,
        },
      ]);
      expect(await look(body.portalUrl.split('/').at(-1) ?? '')).toEqual({
        customer: { email: `${externalId}@shop.test` },
        returnUrl: null,
        sessionEndsAt: '2026-03-02T09:30:00.000Z',
      });
    }
  });

  it('uses the newest of several customers with the same email address, ignoring case (PLT-20a)', async () => {
    const twin = (externalId: string) =>
      t.rest<{ id: string }>('POST', '/customers', { email: 'Twin@shop.test', externalId });
    await twin('first');
    at('09:01');
    const { body } = await twin('second');
    await t.rest('POST', '/portal/sessions', { email: 'twin@Shop.test' });
    const ctx = await t.context();
    const [session] = await ctx.db.portalSession.findMany({ where: { customerId: body.id } });
    expect(session).toMatchObject({ customerId: body.id, createdAt: wall.now(), lastUsedAt: wall.now() });
    expect(await rejection(t, create, { input: { email: 'twin@shop.example' } })).toMatchObject({
      code: 'customer_not_found',
      param: 'email',
    });
  });

  it('stores the return URL', async () => {
    const { id } = await createCustomer(shop);
    const returnUrl = 'http://localhost:3000/konto?ansicht=größe&emoji=🧾';
    const { body } = await t.rest<{ portalUrl: string }>('POST', '/portal/sessions', {
      customerId: id,
      returnUrl,
    });
    expect((await look(body.portalUrl.split('/').at(-1) ?? '')).returnUrl).toBe(returnUrl);
  });

  it.each([
    ['neither a customer ID nor an email address', {}, 'customerId', 'is required unless email is given'],
    [
      'a customer ID together with an email address',
      { customerId: 'c', email: 'c@shop.test' },
      'email',
      "can't be combined with customerId",
    ],
    ['an invalid email address', { email: 'nobody' }, 'email', 'must be an email address'],
    ['an empty ID', { customerId: '' }, 'customerId', 'must have at least 1 character'],
    [
      'an ID of 201 characters',
      { customerId: 'x'.repeat(201) },
      'customerId',
      'must have at most 200 characters',
    ],
    [
      'a return URL with a script',
      { customerId: 'c', returnUrl: 'javascript:alert(1)' },
      'returnUrl',
      'must be an HTTP or HTTPS URL',
    ],
    [
      'a return URL without a host',
      { customerId: 'c', returnUrl: '/account' },
      'returnUrl',
      'must be an HTTP or HTTPS URL',
    ],
  ])('rejects %s', async (_name, input, field, message) => {
    expect(await rejection(t, create, { input })).toEqual({
      code: 'validation_error',
      status: 400,
      message: `${field}: ${message}.`,
      param: field,
      details: [{ field, message }],
    });
  });

  it.each(['cus_none', 'x'.repeat(200), '🦊', 'مستخدم'])(
    'rejects the unknown customer %s',
    async (customerId) => {
      expect(await rejection(t, create, { input: { customerId } })).toMatchObject({
        code: 'customer_not_found',
        param: 'customerId',
      });
    },
  );

  it("doesn't find other organizations' customers", async () => {
    const { id, externalId } = await createCustomer(await otherShop(t));
    for (const input of [{ customerId: id }, { email: `${externalId}@other.test` }])
      expect((await rejection(t, create, { input })).code).toBe('customer_not_found');
  });

  it('returns the same session for a repeated request with the same key, and stores the session encrypted', async () => {
    const { id } = await createCustomer(shop);
    const call = () =>
      t.rest(
        'POST',
        '/portal/sessions',
        { customerId: id },
        { headers: { 'idempotency-key': 'portal-again' } },
      );
    const [first, second] = [await call(), await call()];
    expect(second.body).toEqual(first.body);
    const ctx = await t.context();
    expect(await ctx.db.portalSession.count({ where: { customerId: id } })).toBe(1);
    const [stored] = await ctx.db.idempotencyKey.findMany({ where: { id: 'portal-again' } });
    expect([stored?.isEncrypted, stored?.body?.includes('portal')]).toEqual([true, false]);
  });

  it('creates separate sessions for simultaneous requests', async () => {
    const { id } = await createCustomer(shop);
    const [one, other] = await Promise.all([openPortal(shop, id), openPortal(shop, id)]);
    expect(one).not.toBe(other);
    expect([await look(one), await look(other)]).toHaveLength(2);
  });
});

describe('a portal session (PLT-30, PLT-E7)', () => {
  it('ends at 10:20 after activity at 09:25 and 09:50', async () => {
    const token = await openPortal(shop, (await createCustomer(shop)).id);
    for (const time of ['09:25', '09:50']) {
      at(time);
      await look(token);
    }
    // A request with the token would extend the session, so isDead uses a different token.
    at('10:20');
    expect(await isDead(token)).toBe(true);
  });

  it('is still valid at 10:19:59 after activity at 09:25 and 09:50', async () => {
    const token = await openPortal(shop, (await createCustomer(shop)).id);
    for (const time of ['09:25', '09:50']) {
      at(time);
      await look(token);
    }
    at('10:19:59');
    // The session ends 30 minutes after this request.
    expect((await look(token)).sessionEndsAt).toBe('2026-03-02T10:49:59.000Z');
  });

  it('ends at 11:00 despite activity every 20 minutes', async () => {
    const token = await openPortal(shop, (await createCustomer(shop)).id);
    for (const time of ['09:20', '09:40', '10:00', '10:20', '10:40', '10:59:59']) {
      at(time);
      expect((await look(token)).sessionEndsAt <= '2026-03-02T11:00:00.000Z').toBe(true);
    }
    at('11:00');
    expect(await isDead(token)).toBe(true);
  });

  it('records activity at most once per minute', async () => {
    const token = await openPortal(shop, (await createCustomer(shop)).id);
    at('09:00:59');
    expect((await look(token)).sessionEndsAt).toBe('2026-03-02T09:30:00.000Z');
    at('09:01');
    expect((await look(token)).sessionEndsAt).toBe('2026-03-02T09:31:00.000Z');
  });

  it('is rejected after its end as a bearer token, as an argument, and over WebSocket', async () => {
    const token = await openPortal(shop, (await createCustomer(shop)).id);
    at('09:30');
    const plain = '{ portal { returnUrl } }';
    expect((await t.graphqlFailure(plain, {}, bearer(token))).status).toBe(401);
    expect(await isDead(token)).toBe(true);
    const client = liveClient(t.url, { token });
    const started = client.iterate({ query: plain }).next();
    await expect(started).rejects.toMatchObject({ code: 4403 });
    await client.dispose();
  });

  it('uses real time, regardless of the test clock', async () => {
    const own = await otherShop(t);
    const token = await openPortal(own, (await createActiveSubscription(own)).customerId);
    await own.rest('POST', '/test-clock', { advanceDays: 3 });
    expect((await look(token)).sessionEndsAt).toBe('2026-03-02T09:30:00.000Z');
  });

  it('is deleted two hours after its creation', async () => {
    const ctx = await t.context();
    const { id } = await createCustomer(shop);
    at('09:10');
    await openPortal(shop, id);
    at('11:09:59');
    await removeOld(t.app, 'portalSessions');
    expect(await ctx.db.portalSession.count({ where: { customerId: id } })).toBe(1);
    at('11:10');
    expect(await removeOld(t.app, 'portalSessions')).toBeGreaterThan(0);
    expect(await ctx.db.portalSession.count({ where: {} })).toBe(0);
  });
});
