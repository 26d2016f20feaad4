import type { Query } from '../../src/platform/db/pool.ts';

/** ID prefixes that the glossary documents for API clients (GLO-1), by table. */
export const documentedPrefixes: Readonly<Record<string, string>> = {
  Addon: 'adn',
  ApiKey: 'key',
  CardPromotion: 'cpr',
  CreditPack: 'cpk',
  Customer: 'cus',
  Feature: 'ftr',
  Invoice: 'inv',
  Market: 'pmg',
  MemberInvitation: 'ivt',
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

/**
 * Query for the tables that generate their own IDs. Other tables share a referenced table's ID, or store the ID of a deleted row or of a
 * provider request's object.
 */
const ownIds = `SELECT t.relname AS name FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attname = 'id' AND a.atttypid = 'text'::regtype
  WHERE t.relkind = 'r' AND t.relnamespace = 'public'::regnamespace AND t.relname NOT LIKE '\\_%' AND t.relname NOT IN ('FormerActor', 'LimitState', 'OperationGauges', 'ProviderRequest') AND NOT EXISTS (
    SELECT FROM pg_constraint c WHERE c.conrelid = t.oid AND c.contype = 'f' AND a.attnum = ANY (c.conkey))`;

/** Returns the prefixes of the stored IDs by table. IDs composed of other IDs have no prefix. */
export async function storedPrefixes(query: Query): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  for (const { name } of await query<{ name: string }>(ownIds)) {
    const rows = await query<{ prefix: string | null }>(
      `SELECT DISTINCT substring(id FROM '^([a-z]+)_[0-9A-Za-z]{22}$') AS prefix FROM "${name}" ORDER BY 1`,
    );
    found.set(
      name,
      rows.flatMap(({ prefix }) => prefix ?? []),
    );
  }
  return found;
}

/** Returns the tables of each prefix that several tables use. */
export function sharedPrefixes(found: ReadonlyMap<string, readonly string[]>): Record<string, string[]> {
  const owners = new Map<string, string[]>();
  for (const [table, prefixes] of found)
    for (const prefix of prefixes) owners.getOrInsertComputed(prefix, () => []).push(table);
  return Object.fromEntries([...owners].filter(([, tables]) => tables.length > 1));
}
