import type { WritePart } from '../../platform/db/bulk.ts';
import { textArray } from '../../platform/db/column-arrays.ts';
import type { Query } from '../../platform/db/pool.ts';
import { orRaise } from '../../platform/db/raised-errors.ts';
import { limitsPart } from './cached-limits.ts';
import type { UsageRows } from './load.ts';
import { modelsPart } from './models.ts';
import { anyActivation, isHeld, lookAt, serverStamp } from './row-sets.ts';
import type { CachedCustomer, CachedRows } from './snapshot-cache.ts';

// Locks and verifies cached rows. A batch that is decided on cached rows locks the same rows in the same
// order as a batch that reads them. Before the writes, a statement compares the row versions.

// Locks customers in order of seq, then their accounts.
const locks = `WITH customer AS MATERIALIZED (
    SELECT 1 FROM unnest($2::text[]) AS named(id) ${lookAt('Customer', 'named.id', '1', 'FOR KEY SHARE')} c),
  account AS MATERIALIZED (
    SELECT 1 FROM unnest($3::text[]) AS named(id) ${lookAt('ConsumptionAccount', 'named.id', '1', 'FOR UPDATE')} a
    WHERE (SELECT count(*) FROM customer) >= 0)
  SELECT count(*) FROM account`;

const inOrder = (
  customers: readonly CachedCustomer[],
  rootOf: (cached: CachedCustomer) => { readonly id: string; readonly seq: bigint | null },
) =>
  textArray(
    customers
      .map(rootOf)
      .toSorted((a, b) => Number((a.seq ?? 0n) - (b.seq ?? 0n)))
      .map(({ id }) => id),
  );

export async function lockRows(sql: Query, { customers }: CachedRows): Promise<void> {
  await sql(locks, [
    inOrder(customers, ({ customer }) => customer),
    inOrder(customers, ({ account }) => account),
  ]);
}

/**
 * Converts cached rows to the form in which rows are read. Each row appears once, even if requests contain
 * both the ID and the external ID of a customer.
 */
export function rowsOf({ environment, customers, counters, cells, limits, models }: CachedRows): UsageRows {
  const distinct = [...new Map(customers.map((cached) => [cached.customer.id, cached])).values()];
  return {
    customers: distinct.map(({ customer }) => customer),
    holdings: distinct.map(({ subscription, account }) => ({ subscription, account })),
    lots: new Map(distinct.map(({ subscription, lots }) => [subscription.id, lots])),
    sets: {
      counters,
      events: [],
      counts: [],
      activations: distinct.flatMap(({ activations }) => activations),
      numbers: [
        {
          catalogVersion: environment.catalogVersion,
          limitVersion: environment.limitVersion,
          stamp: environment.server,
        },
      ],
    },
    models: models.found,
    cells,
    limits: limits?.rows ?? null,
  };
}

// Row versions for a customer. Add-on versions come last, because most environments don't use add-ons.
const stampOf = ({ customer, subscription, account, activations }: CachedCustomer): string =>
  [customer, subscription, account, ...activations].map(({ stamp }) => stamp).join(' ');
const storedStamp = `concat_ws(' ', c.stamp, s.stamp, a.stamp, CASE WHEN ${anyActivation} THEN (
    SELECT string_agg(a.xmin::text, ' ' ORDER BY a.seq) FROM "AddonActivation" a
    WHERE a."environmentId" = $1 AND a."subscriptionId" = k.subscription AND ${isHeld('s."periodStart"')}) END)`;

const stamp = 'xmin AS stamp';

const holds = `(SELECT count(*) FROM unnest($2::text[], $3::text[], $4::text[]) AS k(customer, subscription, stamp)
       ${lookAt('Customer', 'k.customer', stamp)} c ${lookAt('Subscription', 'k.subscription', `${stamp}, "periodStart"`)} s
       ${lookAt('ConsumptionAccount', 'k.subscription', stamp)} a
       WHERE ${storedStamp} = k.stamp) = $5
    AND (SELECT count(*) FROM unnest($6::text[], $7::xid[]) AS k(id, stamp) ${lookAt('UsageCounter', 'k.id', stamp)} t WHERE t.stamp = k.stamp) = $8
    AND EXISTS (SELECT FROM "EnvironmentCounter" WHERE "environmentId" = $1 AND "catalogVersion" = $9 AND "limitVersion" = $11)
    AND ${serverStamp} = $10::timestamptz`;
const verification = `SELECT ${orRaise(holds, 'staleSnapshot')} AS holds`;

/** Returns the statement that raises `staleSnapshot` if a row version differs from the cached version. */
function verifyPart({ environment, customers, counters }: CachedRows): WritePart {
  return {
    text: verification,
    params: [
      textArray(customers.map(({ customer }) => customer.id)),
      textArray(customers.map(({ subscription }) => subscription.id)),
      textArray(customers.map(stampOf)),
      customers.length,
      textArray(counters.map(({ id }) => id)),
      textArray(counters.map(({ stamp }) => stamp)),
      counters.length,
      environment.catalogVersion,
      environment.server,
      environment.limitVersion,
    ],
  };
}

/** Returns the statements that raise `staleSnapshot` if a row, a gauge, or the price of an AI model has changed. */
export const verifyParts = (rows: CachedRows): readonly WritePart[] => [
  verifyPart(rows),
  ...(rows.limits === null ? [] : [limitsPart(rows.limits)]),
  ...(rows.models.names.length === 0 ? [] : [modelsPart(rows.models.names, rows.models.found)]),
];
