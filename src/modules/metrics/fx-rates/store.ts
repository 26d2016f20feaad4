import { type Day, midnightOf } from '../../../domain/metrics/range.ts';
import type { Query } from '../../../platform/db/pool.ts';

const idOf = (currency: string, day: Day): string => `${currency} ${day}`;

/** Stores a currency's exchange rate for a day. Replaces an existing rate. */
export async function storeRate(
  sql: Query,
  rate: { readonly currency: string; readonly day: Day; readonly unitsPerUsd: bigint },
  now: Date,
): Promise<void> {
  const { currency, day, unitsPerUsd } = rate;
  await sql(
    `INSERT INTO "FxRate" ("environmentId", id, currency, day, "unitsPerUsd", "createdAt", "updatedAt") VALUES ($1, $2, $3, $4, $5, $6, $6)
     ON CONFLICT ("environmentId", id) DO UPDATE SET "unitsPerUsd" = EXCLUDED."unitsPerUsd", "updatedAt" = EXCLUDED."updatedAt"`,
    [idOf(currency, day), currency, midnightOf(day), unitsPerUsd, now],
  );
}

/** Deletes the exchange rate that was set for a currency and a day. Returns its ID, or `null` if no rate was set. */
export async function deleteRate(sql: Query, currency: string, day: Day): Promise<string | null> {
  const [row] = await sql<{ id: string }>(
    'DELETE FROM "FxRate" WHERE "environmentId" = $1 AND id = $2 RETURNING id',
    [idOf(currency, day)],
  );
  return row?.id ?? null;
}

/** Exchange rate from the installation's exchange rate feed. */
export type FeedRate = { readonly currency: string; readonly unitsPerUsd: bigint };

/** Stores the feed's exchange rates for a day and replaces existing rates. All environments share the table. */
export async function storeFeedRates(query: Query, day: Day, rates: readonly FeedRate[]): Promise<void> {
  await query(
    `INSERT INTO "FxFeedRate" (currency, day, "unitsPerUsd") SELECT r.currency, $1, r.units FROM unnest($2::text[], $3::bigint[]) AS r(currency, units)
     ON CONFLICT (currency, day) DO UPDATE SET "unitsPerUsd" = EXCLUDED."unitsPerUsd"`,
    [midnightOf(day), rates.map(({ currency }) => currency), rates.map(({ unitsPerUsd }) => unitsPerUsd)],
  );
}
