import { type GraphQLArgument, type GraphQLInputField, isInputObjectType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ruleOf } from '../../../../src/graphql/declare/rules.ts';
import { schema } from '../../../../src/schema.ts';
import { watchChanges } from '../../../support/changes.ts';
import { createSubscription, firstShop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

describe('the list of countries', () => {
  const text = 'query ($language: Language) { countries(language: $language) { code name } }';
  type Data = { countries: { code: string; name: string }[] };

  test('is public and sorted by name', async () => {
    const { countries } = await t.graphql<Data>(text, {}, { key: null });
    expect(countries).toHaveLength(250);
    expect(countries.slice(0, 2)).toEqual([
      { code: 'AF', name: 'Afghanistan' },
      { code: 'AX', name: 'Åland Islands' },
    ]);
    expect(countries.filter(({ code }) => code === 'GB' || code === 'UK')).toEqual([
      { code: 'GB', name: 'United Kingdom' },
    ]);
  });

  test("includes each country's currency if prices in that currency are supported", async () => {
    const { countries } = await t.graphql<{ countries: { code: string; currency: string | null }[] }>(
      '{ countries { code currency } }',
      {},
      { key: null },
    );
    const known = new Map(countries.map(({ code, currency }) => [code, currency]));
    expect(['BR', 'DE', 'US', 'ET'].map((code) => known.get(code))).toEqual(['brl', 'eur', 'usd', null]);
  });

  test('is available in every language used for customer emails', async () => {
    const { countries } = await t.graphql<Data>(text, { language: 'es' }, { key: null });
    expect(countries.find(({ code }) => code === 'DE')).toEqual({ code: 'DE', name: 'Alemania' });
  });
});

type Input = GraphQLArgument | GraphQLInputField;

/** Returns every argument and input field in the schema with its location. */
function inputs(): (readonly [place: string, input: Input])[] {
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    if (isInputObjectType(type))
      return Object.values(type.getFields()).map((field) => [`${type.name}.${field.name}`, field] as const);
    if (!isObjectType(type)) return [];
    return Object.values(type.getFields()).flatMap(({ name, args }) =>
      args.map((input) => [`${type.name}.${name}.${input.name}`, input] as const),
    );
  });
}

describe('a country in an input', () => {
  test('is validated against the list of countries', () => {
    const named = inputs().filter(([, { name }]) => /countr/i.test(name));
    expect(named.length).toBeGreaterThanOrEqual(13);
    // Each batch item is validated individually with the rules for AddressInput.
    expect(named.filter(([, input]) => ruleOf(input).format !== 'country').map(([place]) => place)).toEqual([
      'BatchAddressInput.country',
    ]);
  });

  const address = { line1: '1 High St', city: 'London', postalCode: 'E1', country: 'UK' };
  const emitted = '`UK` is not an ISO 3166-1 code. Use GB';
  const rejected = (field: string) => ({
    code: 'validation_error',
    message: `${field}: ${emitted}.`,
    param: field,
    details: [{ field, message: emitted }],
  });

  test.each([
    ['POST', '/customers', 'address.country', { email: 'a@example.com', address }],
    ['POST', '/markets', 'countryCodes.1', { name: 'Isles', countryCodes: ['IE', 'UK'] }],
    ['POST', '/provision', 'country', { name: 'Shop', country: 'UK', businessType: 'company' }],
  ])('%s %s rejects an alias, and the error names the correct code', async (method, path, field, body) => {
    const changes = await watchChanges(t.app.database.query);
    const { status, body: answer } = await t.rest<{ error: object }>(method, path, body);
    expect({ status, error: answer.error }).toEqual({
      status: 400,
      error: expect.objectContaining(rejected(field)),
    });
    expect(await changes()).toEqual([]);
  });

  test.each([
    [
      'taxRegistrationCreate',
      'TaxRegistrationCreateInput',
      'id',
      'country',
      { country: 'UK', rateBps: 2_000 },
    ],
    ['organizationUpdate', 'OrganizationUpdateInput', 'id', 'country', { country: 'UK' }],
    [
      'paymentRouteSet',
      'PaymentRouteSetInput',
      'country',
      'country',
      { country: 'UK', provider: 'platform' },
    ],
    ['marketCreate', 'MarketCreateInput', 'id', 'countryCodes.0', { name: 'Isles', countryCodes: ['UK'] }],
    ['customerCreate', 'CustomerCreateInput', 'id', 'address.country', { email: 'a@example.com', address }],
  ])('%s rejects an alias over GraphQL', async (name, type, shown, field, input) => {
    const text = `mutation ($input: ${type}!) { ${name}(input: $input) { ${shown} } }`;
    // An API key can change organization settings only in the live environment.
    const key = name === 'organizationUpdate' ? t.liveKey : t.sandboxKey;
    expect(await rejection(t, text, { input }, { key })).toEqual({ status: 400, ...rejected(field) });
  });

  test('is rejected only in the batch item that contains an alias', async () => {
    const items = [{ email: 'b@example.com', address }, { email: 'c@example.com' }];
    const { body } = await t.rest('POST', '/customers/batch', { customers: items });
    expect(body).toMatchObject({
      successful: [{ email: 'c@example.com' }],
      failed: [{ index: 0, error: `address.country: ${emitted}.` }],
    });
  });

  test("is rejected as an argument of `publishableKey` if it's an alias", async () => {
    const { token } = await createSubscription(firstShop(t));
    const text =
      'query ($token: String!, $country: String) { checkout(token: $token) { publishableKey(country: $country) } }';
    expect(await rejection(t, text, { token, country: 'UK' }, { key: null })).toEqual({
      status: 400,
      ...rejected('country'),
    });
  });
});

test('an argument of a nested field is validated like an argument of a root field', async () => {
  const text =
    'query ($first: Int) { customers(first: 1) { edges { node { invoices(first: $first) { edges { node { id } } } } } } }';
  await t.rest('POST', '/customers', { email: 'page@example.com' });
  for (const first of [0, -1, 101]) {
    const { code, param } = await rejection(t, text, { first });
    expect({ first, code, param }).toEqual({ first, code: 'validation_error', param: 'first' });
  }
});
