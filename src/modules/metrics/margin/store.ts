import type { Query } from '../../../platform/db/pool.ts';
import {
  added,
  bucketOf,
  dayText,
  follows,
  freshFor,
  inMillionths,
  type RowSource,
  reachedBy,
  readSums,
  type Spans,
  type Sum,
  spanParameters,
  storedDays,
  summed,
} from '../day-sums/store.ts';
import {
  marginAmounts,
  marginCustomerDays,
  marginDays,
  marginSums,
  pricedChanges,
  pricedEvents,
  pricedOf,
} from '../margin-days/store.ts';
import { usageSource } from '../usage-days/store.ts';

const position = { name: 'margin', reached: 'seq' } as const;

/** Maximum number of changes after the cursor that a read includes. */
const mostFresh = 50_000;

/** SQL for the price or the cost by day and group, as rows to compare. All plans are compared as one group, because a subscription's plan can change. */
const compared = (rows: string): string =>
  ['price', 'costUsd']
    .map(
      (amount) =>
        `SELECT subject, ${inMillionths('SUM(amount)')} AS amount FROM (
           SELECT concat_ws(' ', 'MarginDay ${amount}', ${dayText('day')}, scope, nullif("featureId", ''), CASE scope WHEN 'plan' THEN NULL ELSE nullif("groupKey", '') END, currency) AS subject,
             "${amount}" AS amount FROM ${rows}) AS s GROUP BY 1`,
    )
    .join(' UNION ALL ');

/**
 * Changes of prices and costs after their usage events. Added to the same sums as usage events, so both sources are deleted
 * and rebuilt together. The check compares the prices and costs of both sources.
 */
export const marginSource: RowSource = {
  ...position,
  sums: marginSums(pricedChanges('fresh')),
  derived: [],
  table: 'UsagePriceChange',
  columns: 'e.*',
  at: 'seq',
  after: '>',
  order: 'e.seq',
  mostFresh,
  counter: 'seq',
  hasRows: follows('UsagePriceChange', 'e.seq > k.seq', 'e.seq'),
  retention: 'usageEventRetentionDays',
  check: {
    isOfRows: true,
    before: pricedOf(
      `${pricedEvents(`(SELECT * FROM "UsageEvent" u WHERE u."environmentId" = $1 AND u."createdAt" < ${reachedBy(usageSource)})`)}
       UNION ALL ${pricedChanges(`(SELECT * FROM "UsagePriceChange" u WHERE u."environmentId" = $1 AND u.seq <= ${reachedBy(position)})`)}`,
    ),
    expected: compared(`(${marginDays.rows}) AS r`),
    actual: compared(storedDays(marginDays)),
  },
};

/** Prices and costs that the sums don't include yet: events after the cursor of usage, and changes after the cursor of margins. */
const waiting = pricedOf(
  `${pricedEvents('fresh')} UNION ALL ${pricedChanges(
    `(SELECT * FROM "UsagePriceChange" u WHERE u."environmentId" = $1 AND u.seq > ${reachedBy(position)} ORDER BY u.seq LIMIT ${mostFresh})`,
  )}`,
);

const readDays: Sum = { ...marginDays, before: waiting };
const readCustomers: Sum = { ...marginCustomerDays, before: waiting };

/** Amounts in the order of `marginAmounts`. */
export type MarginAmounts = readonly bigint[];

/** Price and cost in one bucket, group, and currency. The ID is `null` if the group combines all smaller groups. */
export type MarginSum = {
  readonly span: number;
  readonly id: string | null;
  readonly currency: string;
  readonly amounts: MarginAmounts;
};

/** Reads prices and costs by bucket and by feature, AI model, or plan. Runs one SQL statement. */
export async function readMarginSums(
  sql: Query,
  spans: Spans,
  scope: 'feature' | 'model' | 'plan',
): Promise<MarginSum[]> {
  const condition = `scope = '${scope}' AND "featureId" = ''`;
  const found = await readSums(sql, usageSource, readDays, spans, { where: condition });
  return found.map(({ span, keys: [, , id = '', currency = ''], amounts }) => ({
    span,
    id,
    currency,
    amounts,
  }));
}

type CustomerSum = { readonly [amount in (typeof marginAmounts)[number]]: string } & {
  readonly id: string | null;
  readonly currency: string;
};

/**
 * Reads prices and costs by customer. The `most` customers with the largest amounts are separate; all other customers are
 * combined. Runs one SQL statement that aggregates in the database, because the number of customers isn't limited.
 */
export async function readCustomerMargins(sql: Query, spans: Spans, most: number): Promise<MarginSum[]> {
  const sums = added(marginCustomerDays);
  const texts = marginAmounts.map((amount) => `SUM(g."${amount}")::text AS "${amount}"`).join(', ');
  const rows = await sql<CustomerSum>(
    `WITH ${freshFor(usageSource, readCustomers)},
       groups AS MATERIALIZED (SELECT ${bucketOf} AS span, "customerId" AS id, currency, ${sums} FROM ${summed(readCustomers)} GROUP BY 1, 2, 3),
       largest AS (SELECT g.id FROM groups g GROUP BY g.id ORDER BY SUM(abs(g."priceUsd") + abs(g."costUsd")) DESC, g.id LIMIT $6)
     SELECT l.id, g.currency, ${texts} FROM groups g LEFT JOIN largest l ON l.id = g.id GROUP BY 1, 2`,
    [...spanParameters(spans), most],
  );
  return rows.map(({ id, currency, ...amounts }) => ({
    span: 0,
    id,
    currency,
    amounts: marginAmounts.map((amount) => BigInt(amounts[amount])),
  }));
}
