import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { watchChanges } from '../../../support/changes.ts';
import { createConnection, otherShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { type Rejection, rejection } from '../../../support/refusals.ts';

// Routes that select the payment provider for new checkouts by country (PAY-12, PAY-13).

type Body = Record<string, unknown>;

const route = `mutation ($input: PaymentRouteSetInput!) {
  paymentRouteSet(input: $input) { country isRouted connection { id } } }`;
const makeDefault =
  'mutation ($id: ID!) { connectedAccountUpdate(input: { id: $id, isDefault: true }) { isDefault countries } }';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
});
beforeEach(async () => {
  shop = await otherShop(t);
});
afterAll(() => t.close());

const run = async <T = Body>(text: string, variables: Body = {}): Promise<T> =>
  Object.values(await t.graphql<Record<string, T>>(text, variables, { key: shop.key }))[0] as T;
const setRoute = (country: string, provider: string | null) => run(route, { input: { country, provider } });
const statesIssuer = () => t.settings({ issuerAddress: '1 Main St' }, shop.environmentId);
type Account = { readonly name: string; readonly countries: readonly string[] };
const accounts = async (): Promise<Account[]> =>
  (
    await run<{ edges: { node: Account }[] }>('{ connectedAccounts { edges { node { name countries } } } }')
  ).edges.map(({ node }) => node);

const invalid = (field: string, message: string): Rejection => ({
  code: 'validation_error',
  status: 400,
  message: expect.stringContaining(message),
  param: field,
  details: [{ field, message }],
});
const needsIssuer = "Set the organization's address first. Use `organizationUpdate` with `issuerAddress`.";

describe('a payment route', () => {
  test('assigns a country to one account, and the account lists its countries in ascending order (PAY-13)', async () => {
    await statesIssuer();
    const [one, other] = [
      await createConnection(shop, { name: 'One' }),
      await createConnection(shop, { name: 'Other' }),
    ];
    expect(await setRoute('FR', one.id)).toEqual({
      country: 'FR',
      isRouted: true,
      connection: { id: one.id },
    });
    await setRoute('DE', one.id);
    await setRoute('ES', other.id);
    const countries = async () => (await accounts()).map(({ name, countries: routed }) => [name, routed]);
    expect(await countries()).toEqual([
      ['Other', ['ES']],
      ['One', ['DE', 'FR']],
    ]);
    // Each country has one route.
    await setRoute('DE', other.id);
    expect(await setRoute('FR', 'platform')).toEqual({ country: 'FR', isRouted: true, connection: null });
    expect(await countries()).toEqual([
      ['Other', ['DE', 'ES']],
      ['One', []],
    ]);
    expect(await setRoute('DE', null)).toEqual({ country: 'DE', isRouted: false, connection: null });
    expect(await countries()).toEqual([
      ['Other', ['ES']],
      ['One', []],
    ]);
    // Routes don't depend on the default account, and remain if another account becomes the default.
    expect(await run(makeDefault, { id: other.id })).toMatchObject({ countries: ['ES'], isDefault: true });
  });

  test('is the only route for its country after several simultaneous changes', async () => {
    await statesIssuer();
    const [one, other] = [
      await createConnection(shop, { name: 'One' }),
      await createConnection(shop, { name: 'Other' }),
    ];
    const places = [one.id, other.id, 'platform', one.id];
    const answers = await Promise.all(places.map((place) => setRoute('FR', place)));
    expect(answers.map(({ isRouted }) => isRouted)).toEqual([true, true, true, true]);
    const routed = (await accounts()).flatMap(({ countries }) => countries);
    expect([[], ['FR']]).toContainEqual(routed);
  });

  test('can be set to the platform and removed without an issuer address', async () => {
    expect(await setRoute('FR', 'platform')).toMatchObject({ isRouted: true });
    const changes = await watchChanges(t.app.database.query);
    expect(await setRoute('DE', null)).toMatchObject({ isRouted: false });
    expect(await changes()).toEqual([]);
  });

  test('is rejected for an unknown account, an account in another environment, a missing issuer address, or an invalid country', async () => {
    const { id } = await createConnection(shop);
    const to = (provider: string, country = 'FR') =>
      rejection(t, route, { input: { country, provider } }, { key: shop.key });
    expect(await to(id)).toEqual(invalid('country', needsIssuer));
    await statesIssuer();
    await setRoute('FR', id);
    const missing = {
      code: 'not_found',
      status: 404,
      message: "The payment connection doesn't exist in this environment.",
      param: 'provider',
    };
    expect(await to('con_none')).toEqual(missing);
    expect(await to('stripe')).toEqual(missing);
    const other = await otherShop(t);
    const { id: foreign } = await createConnection(other);
    expect(await to(foreign)).toEqual(missing);
    expect(await to(id, 'XX')).toMatchObject({ code: 'validation_error', param: 'country' });
    expect(await accounts()).toMatchObject([{ countries: ['FR'] }]);
  });
});
