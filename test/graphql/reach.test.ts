import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '../../src/domain/limits/permissions.ts';
import { createApiKey } from '../../src/modules/organization/api-keys/create.ts';
import { watchChanges } from '../support/changes.ts';
import { createActiveSubscription, firstShop, latestTransaction, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { createPayout } from '../support/payouts.ts';
import { rejection } from '../support/refusals.ts';

// PLT-13a: API keys can read only the objects that their scopes allow.

let t: TestApp;
let shop: Shop;
let customerId: string;
let transactionId: string;
const keys = new Map<string, string>();
const keyWith = async (...own: Scope[]): Promise<string> => {
  const known = keys.get(own.join(' '));
  if (known !== undefined) return known;
  const { apiKey } = await createApiKey(await t.context(), { name: own.join(' '), scopes: own });
  keys.set(own.join(' '), apiKey);
  return apiKey;
};

beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
  const active = await createActiveSubscription(shop);
  customerId = active.customerId;
  transactionId = await latestTransaction(shop, active.id);
  await createPayout(shop);
});
afterAll(() => t.close());

const updating = (fields: string): string =>
  `mutation ($id: ID!) { customerUpdate(input: { id: $id, fullName: "Changed" }) { ${fields} } }`;

describe('a key with only the write scope', () => {
  it('reads the values of the object that it changes (PLT-13a)', async () => {
    const { customerUpdate } = await t.graphql<{ customerUpdate: object }>(
      updating('id email fullName metadata __typename'),
      { id: customerId },
      { key: await keyWith('write') },
    );
    expect(customerUpdate).toMatchObject({ id: customerId, fullName: 'Changed', __typename: 'Customer' });
    await shop.rest('PATCH', `/customers/${customerId}`, { fullName: 'Before' });
  });

  it.each([
    'subscription { id }',
    'invoices(first: 5) { edges { node { total lineItems { description amount } } } }',
    '... on Customer { subscription { id } }',
    '...Beyond } } fragment Beyond on Customer { subscription { id ',
  ])('is rejected before anything changes if it selects %s (PLT-13a)', async (fields) => {
    const limited = [await keyWith('write'), await keyWith('write', 'finance')];
    const changes = await watchChanges(t.app.database.query);
    for (const key of limited) {
      const { data, errors } = await t.graphqlFailure(updating(fields), { id: customerId }, { key });
      expect([data, errors[0]?.extensions['code'], errors[0]?.message]).toEqual([
        { customerUpdate: null },
        'forbidden',
        "The API key doesn't have the scope read. Use a key with this scope.",
      ]);
    }
    expect((await changes()).filter((change) => !change.includes('lastUsedAt'))).toEqual([]);
  });

  it('receives the documented response over REST (PLT-13a)', async () => {
    const key = await keyWith('write');
    const { status, body } = await shop.t.rest(
      'PATCH',
      `/customers/${customerId}`,
      { fullName: 'REST' },
      { key },
    );
    expect([status, body]).toMatchObject([200, { id: customerId, fullName: 'REST', object: 'customer' }]);
  });
});

describe('a key with only the read scope', () => {
  it.each([
    ['the list of payouts', '{ payouts(first: 1) { edges { node { id } } } }'],
    ['the balance', '{ payoutBalance { available } }'],
    ['bank accounts', '{ payoutBankAccounts(first: 1) { edges { node { last4 } } } }'],
    ['ledger transfers', '{ ledgerTransfers(first: 1) { edges { node { id } } } }'],
    ['the transfers of an invoice', '{ invoices(first: 1) { edges { node { id ledger { id } } } } }'],
    ['the fee of a transaction', '{ transactions(first: 1) { edges { node { id fee } } } }'],
    ['the net amount of a transaction', '{ transactions(first: 1) { nodes { netAmount } } }'],
  ])('cannot read %s, which requires the finance scope (PLT-13b)', async (_what, query) => {
    const { code, message } = await rejection(t, query, {}, { key: await keyWith('read') });
    expect([code, message]).toEqual([
      'forbidden',
      "The API key doesn't have the scope finance. Use a key with this scope.",
    ]);
    expect(await t.graphql(query, {}, { key: await keyWith('read', 'finance') })).toBeTruthy();
  });

  it("can't read an event's payout (PLT-13b)", async () => {
    const query =
      '{ events(first: 50) { nodes { event subject { ... on Payout { id amount } ... on Customer { id } } } } }';
    type Told = { events: { nodes: { event: string; subject: object | null }[] } };
    const subjectFor = async (key: string) =>
      (await t.graphql<Told>(query, {}, { key })).events.nodes.find(({ event }) => event === 'payout_created')
        ?.subject;
    expect(await subjectFor(await keyWith('read'))).toBeNull();
    expect(await subjectFor(await keyWith('read', 'finance'))).toMatchObject({ amount: 1_500 });
  });

  it('reads transactions, refunds, and their relations (PLT-13b)', async () => {
    const { transaction } = await t.graphql<{ transaction: object }>(
      'query ($id: ID!) { transaction(id: $id) { id amount customer { id } invoice { id total } } refunds(first: 1) { nodes { id } } }',
      { id: transactionId },
      { key: await keyWith('read') },
    );
    expect(transaction).toMatchObject({ id: transactionId, customer: { id: customerId } });
  });
});
