import type { Convert } from '../../domain/limits/currencies.ts';
import { fxScale, type PlanRate, rateLookup } from '../../domain/metrics/conversion.ts';
import { addToDay, type Day, dayOf, midnightOf } from '../../domain/metrics/range.ts';
import { minorPerUnit } from '../../domain/money/money.ts';
import { textArray } from '../../platform/db/column-arrays.ts';
import type { Query } from '../../platform/db/pool.ts';

/** Stored exchange rate. `unitsPerUsd` is in hundred-millionths of a currency unit. */
export type StoredRate = {
  readonly currency: string;
  readonly day: Date;
  readonly unitsPerUsd: bigint;
  readonly source: 'manual' | 'feed';
};

/**
 * Returns the organization's and the installation's rates between two days, inclusive, of some currencies or of all. Runs one SQL
 * statement.
 */
export const readStoredRates = (
  sql: Query,
  from: Day,
  to: Day,
  currencies: readonly string[] | null = null,
): Promise<StoredRate[]> =>
  sql<StoredRate>(
    `SELECT 'manual' AS source, currency, day, "unitsPerUsd" FROM "FxRate"
       WHERE "environmentId" = $1 AND day BETWEEN $2 AND $3 AND ($4::text[] IS NULL OR currency = ANY($4))
     UNION ALL SELECT 'feed', currency, day, "unitsPerUsd" FROM "FxFeedRate"
       WHERE day BETWEEN $2 AND $3 AND ($4::text[] IS NULL OR currency = ANY($4))`,
    [midnightOf(from), midnightOf(to), currencies === null ? null : textArray(currencies)],
  );

/** Returns the plan exchange rates that were valid on any day between two days, inclusive. Runs one SQL statement. */
export const readPlanRates = (sql: Query, from: Day, to: Day): Promise<PlanRate[]> =>
  sql<PlanRate>(
    `SELECT currency, "rateE8" AS "unitsPerUsd", "validFrom" AS "from", "validTo" AS "to" FROM "PlanExchangeRate"
     WHERE "environmentId" = $1 AND "validFrom" < $3::timestamptz + interval '1 day' AND ("validTo" IS NULL OR "validTo" >= $2::timestamptz)`,
    [midnightOf(from), midnightOf(to)],
  );

/** Maximum age of a rate in days. */
const oldest = 7;

/**
 * Returns the conversion between currencies at the rates that the organization or the installation stored, or at the rates of plans.
 * Runs two SQL statements.
 */
export async function readConversion(
  sql: Query,
  currencies: readonly string[],
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<Convert> {
  const [first, last] = [dayOf(from), dayOf(to)];
  const [stored, plans] = await Promise.all([
    readStoredRates(sql, addToDay(first, -oldest), last, currencies),
    readPlanRates(sql, first, last),
  ]);
  const find = rateLookup(
    stored.map((rate) => ({ ...rate, day: dayOf(rate.day) })),
    plans,
  );
  const unitsOf = (currency: string, at: Date): bigint | null =>
    currency === 'usd' ? fxScale : (find(currency, dayOf(at))?.unitsPerUsd ?? null);
  return (amount, source, target, at) => {
    const [sold, bought] = [unitsOf(source, at), unitsOf(target, at)];
    if (sold === null || bought === null) return null;
    return (amount * bought * minorPerUnit(target)) / (sold * minorPerUnit(source));
  };
}
