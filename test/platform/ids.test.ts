import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstShop, otherShop } from '../support/factories.ts';
import { rootFields } from '../support/fields.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { memberOf } from '../support/people.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

/** ID prefixes that the glossary documents for API clients (GLO-1), by table. */
const promised: Readonly<Record<string, string>> = {
  Addon: 'adn',
  ApiKey: 'key',
  CardPromotion: 'cpr',
  CreditPack: 'cpk',
  Customer: 'cus',
  CustomerCredit: 'crd',
  Feature: 'ftr',
  Invoice: 'inv',
  Market: 'pmg',
  Offer: 'ofr',
  OfferApplication: 'oap',
  Organization: 'org',
  Plan: 'pln',
  PlanGroup: 'plg',
  PlanPrice: 'pp',
  PricingTable: 'ptb',
  PromoCode: 'prc',
  Subscription: 'sub',
  TestClockRun: 'tcr',
  Transaction: 'txn',
  UsageEvent: 'evt',
  Webhook: 'whe',
  WebhookDelivery: 'whd',
};

/** Tables that generate their own IDs. Other tables share a referenced table's ID or store a deleted row's ID. */
const ownIds = `SELECT t.relname AS name FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attname = 'id' AND a.atttypid = 'text'::regtype
  WHERE t.relkind = 'r' AND t.relnamespace = 'public'::regnamespace AND t.relname NOT LIKE '\\_%' AND t.relname <> 'FormerActor' AND NOT EXISTS (
    SELECT FROM pg_constraint c WHERE c.conrelid = t.oid AND c.contype = 'f' AND a.attnum = ANY (c.conkey))`;

/** Returns the prefixes of the IDs in a table. IDs composed of other IDs have no prefix. */
async function prefixesOf(table: string): Promise<string[]> {
  const rows = await t.app.database.query<{ prefix: string | null }>(
    `SELECT DISTINCT substring(id FROM '^([a-z]+)_[0-9A-Za-z]{22}$') AS prefix FROM "${table}" ORDER BY 1`,
  );
  return rows.flatMap(({ prefix }) => prefix ?? []);
}

test('ID prefixes are unique per type, and match the glossary (GLO-1)', async () => {
  let shop = firstShop(t);
  for (const [index, field] of rootFields.filter(({ kind }) => kind === 'mutation').entries()) {
    // Advancing the clock renews all subscriptions in the organization, so a new organization is used every 20 fields.
    if (index % 20 === 19) shop = await otherShop(t);
    const { text, variables } = (await field.make(shop)).operation;
    // Ignores errors. Fields that reject API keys fail here, but their setup has already created objects.
    await t.graphql(text, variables, { key: shop.key }).catch(() => null);
  }
  const { headers } = await memberOf(t, t.organizationId, 'admin');
  const invite = 'mutation { memberInvite(input: { email: "ada@people.test", role: member }) { id } }';
  await t.graphql(invite, {}, { key: null, headers: { ...headers, 'x-environment': 'live' } });
  const tables = await t.app.database.query<{ name: string }>(ownIds);
  const found = new Map(
    await Promise.all(tables.map(async ({ name }) => [name, await prefixesOf(name)] as const)),
  );
  const owners = Map.groupBy(
    [...found].flatMap(([table, prefixes]) => prefixes.map((prefix) => ({ table, prefix }))),
    ({ prefix }) => prefix,
  );
  const shared = [...owners.values()].filter((of) => of.length > 1);
  expect(shared).toEqual([]);
  expect(Object.fromEntries(Object.keys(promised).map((table) => [table, found.get(table)?.join()]))).toEqual(
    promised,
  );
  expect(found.get('MemberInvitation')).toEqual(['ivt']);
  expect(found.get('Credential')).toEqual(['lgn']);
}, 240_000);
