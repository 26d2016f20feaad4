import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MovableClock } from '../../../support/billing-world.ts';
import { createSubscription, otherShop, type Shop, shopOf } from '../../../support/factories.ts';
import { newTenant, startApp, type TestApp } from '../../../support/harness.ts';
import { type Rejection, rejection } from '../../../support/refusals.ts';
import { openStripe, type StripeServer } from '../../../support/stripe.ts';

// Managing the organization's payment provider accounts: connecting, reading, updating, and setting the
// default (PAY-11, PAY-12).

type Body = Record<string, unknown>;
type Account = { readonly id: string; readonly [field: string]: unknown };

const fields =
  'id name publishableKey isDefault countries webhookUrl hasWebhookSecret createdAt updatedAt object livemode';
const create = `mutation ($input: ConnectedAccountCreateInput!) { connectedAccountCreate(input: $input) { ${fields} } }`;
const update = `mutation ($input: ConnectedAccountUpdateInput!) { connectedAccountUpdate(input: $input) { ${fields} } }`;
const get = `query ($id: ID!) { connectedAccount(id: $id) { ${fields} } }`;
const list = `query ($first: Int, $after: String) {
  connectedAccounts(first: $first, after: $after) { edges { node { ${fields} } } pageInfo { hasNextPage endCursor } } }`;

const morning = '2027-03-01T08:00:00.000Z';
const noon = '2027-03-01T12:00:00.000Z';
const wall = new MovableClock(morning);
const keys = { name: 'Main', secretKey: 'sk_test_1', publishableKey: 'pk_test_1' };

let t: TestApp;
let stripe: StripeServer;
let shop: Shop;
beforeAll(async () => {
  stripe = await openStripe();
  t = await startApp({ wall, env: { STRIPE_URL: stripe.url } });
});
beforeEach(async () => {
  wall.set(morning);
  shop = await otherShop(t);
});
afterAll(async () => {
  await t.close();
  await stripe.close();
});

const run = async <T = Account>(text: string, variables: Body = {}, key = shop.key): Promise<T> =>
  Object.values(await t.graphql<Record<string, T>>(text, variables, { key }))[0] as T;
const connect = (more: Body = {}): Promise<Account> => run(create, { input: { ...keys, ...more } });
const change = (id: string, changes: Body): Promise<Account> => run(update, { input: { id, ...changes } });
const rejected = (text: string, variables: Body, key = shop.key): Promise<Rejection> =>
  rejection(t, text, variables, { key });
const statesIssuer = () => t.settings({ issuerAddress: '1 Main St' }, shop.environmentId);
const accounts = async (): Promise<Account[]> =>
  (await run<{ edges: { node: Account }[] }>(list)).edges.map(({ node }) => node);
const defaults = async (): Promise<unknown[]> =>
  (await accounts()).map(({ name, isDefault }) => [name, isDefault]);

const invalid = (field: string, message: string): Rejection => ({
  code: 'validation_error',
  status: 400,
  message: expect.stringContaining(message),
  param: field,
  details: [{ field, message }],
});
const needsIssuer = "Set the organization's address first. Use `organizationUpdate` with `issuerAddress`.";

describe('a payment connection', () => {
  test('is returned with all fields when created, by ID, and in the list', async () => {
    const account = await connect({ webhookSecret: 'whsec_1' });
    expect(account).toEqual({
      id: expect.stringMatching(/^con_[0-9A-Za-z]{22}$/),
      name: 'Main',
      publishableKey: 'pk_test_1',
      isDefault: false,
      countries: [],
      webhookUrl: `${t.app.config.publicUrl}/webhooks/stripe/${shop.environmentId}/${account.id}`,
      hasWebhookSecret: true,
      createdAt: morning,
      updatedAt: morning,
      object: 'payment_connection',
      livemode: false,
    });
    expect(await run(get, { id: account.id })).toEqual(account);
    expect(await accounts()).toEqual([account]);
    expect(await connect({ name: 'Without a webhook' })).toMatchObject({ hasWebhookSecret: false });
  });

  test('never exposes a secret in a field or an error (PAY-12)', async () => {
    const { id } = await connect({ secretKey: 'rk_test_sealed', webhookSecret: 'whsec_sealed' });
    for (const field of ['secretKey', 'webhookSecret']) {
      const text = `query ($id: ID!) { connectedAccount(id: $id) { ${field} } }`;
      const { errors, data } = await t.graphqlFailure(text, { id }, { key: shop.key });
      expect(data ?? null).toBeNull();
      expect(errors[0]?.message).toMatch(
        new RegExp(`^Cannot query field "${field}" on type "ConnectedAccount"`),
      );
    }
    const changed = await change(id, { secretKey: 'sk_test_sealed_too', webhookSecret: 'whsec_sealed_too' });
    const events = await run<object>('{ events(first: 100) { edges { node { event data } } } }');
    expect(JSON.stringify([changed, await accounts(), events])).not.toMatch(/sealed/);
    // Errors don't contain the rejected keys either.
    const wrong = { ...keys, secretKey: 'sk_live_sealed', webhookSecret: 'sealed' };
    expect(JSON.stringify(await rejected(create, { input: wrong }))).not.toMatch(/sealed/);
  });

  test('is rejected with a list of all problems with its keys', async () => {
    const wrong = { ...keys, secretKey: 'sk_live_1', publishableKey: 'sk_test_1', webhookSecret: 'secret' };
    const before = stripe.calls.length;
    expect(await rejected(create, { input: wrong })).toMatchObject({
      code: 'validation_error',
      status: 400,
      details: [
        { field: 'secretKey', message: 'The sandbox requires a test key. This is a live key.' },
        { field: 'publishableKey', message: 'Enter a Stripe publishable key.' },
        { field: 'webhookSecret', message: 'Enter the signing secret of a Stripe webhook.' },
      ],
    });
    // Stripe isn't called with live keys in the sandbox, or with test keys in the live environment.
    expect(stripe.calls).toHaveLength(before);
    expect(await rejected(create, { input: { ...keys, secretKey: 'sk_test_refused' } })).toEqual(
      invalid('secretKey', 'Stripe rejected this key. Check the key in your Stripe dashboard.'),
    );
    expect(await rejected(create, { input: { ...keys, name: '' } })).toEqual(
      invalid('name', 'must have at least 1 character'),
    );
  });

  test('accepts live keys only in the live environment, and belongs to one environment (PAY-12)', async () => {
    const { liveKey, liveId } = await newTenant(t.app, 'Live');
    const live = shopOf(t, liveKey, liveId);
    expect(await rejected(create, { input: keys }, live.key)).toMatchObject({
      details: [
        { field: 'secretKey', message: 'The live environment requires a live key. This is a test key.' },
        { field: 'publishableKey', message: 'The live environment requires a live key. This is a test key.' },
      ],
    });
    const input = { ...keys, secretKey: 'sk_live_1', publishableKey: 'pk_live_1' };
    const account = await run(create, { input }, live.key);
    expect(account).toMatchObject({
      livemode: true,
      webhookUrl: `${t.app.config.publicUrl}/webhooks/stripe/${liveId}/${account.id}`,
    });
    const missing = {
      code: 'not_found',
      status: 404,
      message: "The payment connection doesn't exist in this environment.",
      param: 'id',
    };
    expect(await rejected(get, { id: account.id })).toEqual(missing);
    expect(await rejected(update, { input: { id: account.id, name: 'Mine' } })).toEqual(missing);
    expect(await accounts()).toEqual([]);
  });
});

describe('a payment connection update', () => {
  test('changes only the provided fields, and changes nothing if none are provided', async () => {
    const made = await connect();
    wall.set(noon);
    expect(await change(made.id, {})).toEqual(made);
    const renamed = { ...made, name: 'Renamed', updatedAt: noon };
    expect(await change(made.id, { name: 'Renamed' })).toEqual(renamed);
    const rekeyed = { ...renamed, publishableKey: 'pk_test_2', hasWebhookSecret: true };
    expect(
      await change(made.id, {
        secretKey: 'sk_test_2',
        publishableKey: 'pk_test_2',
        webhookSecret: 'whsec_2',
      }),
    ).toEqual(rekeyed);
    expect(await run(get, { id: made.id })).toEqual(rekeyed);
  });

  test('is rejected for invalid keys and unknown connections, and nothing changes', async () => {
    const { id } = await connect();
    expect(await rejected(update, { input: { id, name: 'New', secretKey: 'sk_live_1' } })).toEqual(
      invalid('secretKey', 'The sandbox requires a test key. This is a live key.'),
    );
    expect(await rejected(update, { input: { id, name: 'New', secretKey: 'sk_test_refused' } })).toEqual(
      invalid('secretKey', 'Stripe rejected this key. Check the key in your Stripe dashboard.'),
    );
    expect(await rejected(update, { input: { id: 'con_none', name: 'New' } })).toEqual({
      code: 'not_found',
      status: 404,
      message: "The payment connection doesn't exist in this environment.",
      param: 'id',
    });
    expect(await rejected(update, { input: { id, isDefault: true } })).toEqual(
      invalid('isDefault', needsIssuer),
    );
  });
});

describe('the default payment connection', () => {
  test('is replaced by a new default, and can be removed (PAY-11)', async () => {
    await statesIssuer();
    const first = await connect({ name: 'First', isDefault: true });
    expect(await defaults()).toEqual([['First', true]]);
    const second = await connect({ name: 'Second', isDefault: true });
    expect(await defaults()).toEqual([
      ['Second', true],
      ['First', false],
    ]);
    await change(first.id, { isDefault: true });
    expect(await defaults()).toEqual([
      ['Second', false],
      ['First', true],
    ]);
    await change(second.id, { isDefault: false });
    expect(await defaults()).toEqual([
      ['Second', false],
      ['First', true],
    ]);
    await change(first.id, { isDefault: false });
    expect(await defaults()).toEqual([
      ['Second', false],
      ['First', false],
    ]);
    // New checkouts use the platform's provider again.
    const { token } = await createSubscription(shop);
    const page = 'query ($token: String!) { checkout(token: $token) { publishableKey } }';
    expect(await t.graphql(page, { token }, { key: null })).toEqual({ checkout: { publishableKey: null } });
  });

  test('stays the default if a request makes it the default again', async () => {
    await statesIssuer();
    const { id } = await connect({ name: 'Only', isDefault: true });
    await change(id, { isDefault: true });
    expect(await defaults()).toEqual([['Only', true]]);
  });

  test('requires an issuer address (PAY-12)', async () => {
    const before = stripe.calls.length;
    expect(await rejected(create, { input: { ...keys, isDefault: true } })).toEqual(
      invalid('isDefault', needsIssuer),
    );
    expect(stripe.calls).toHaveLength(before);
  });

  test('is the only default after several simultaneous changes', async () => {
    await statesIssuer();
    const [one, other] = [await connect({ name: 'One' }), await connect({ name: 'Other' })];
    const became = await Promise.all([
      change(one.id, { isDefault: true }),
      change(other.id, { isDefault: true }),
      connect({ name: 'New', isDefault: true }),
    ]);
    expect(became.map(({ isDefault }) => isDefault)).toEqual([true, true, true]);
    expect((await accounts()).filter(({ isDefault }) => isDefault)).toHaveLength(1);
  });
});

describe('the list of payment connections', () => {
  test('is sorted from newest to oldest and paginated', async () => {
    for (const name of ['a', 'b', 'c']) await connect({ name });
    type Page = { edges: { node: Account }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
    const names = ({ edges }: Page) => edges.map(({ node }) => node['name']);
    const first = await run<Page>(list, { first: 2 });
    expect([names(first), first.pageInfo.hasNextPage]).toEqual([['c', 'b'], true]);
    const second = await run<Page>(list, { first: 2, after: first.pageInfo.endCursor });
    expect([names(second), second.pageInfo.hasNextPage]).toEqual([['a'], false]);
  });
});
