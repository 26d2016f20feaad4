import { dayOf, quoted, type Sum } from '../day-sums/store.ts';

/** Amounts in 10^-18 of a currency unit, and the numbers of amounts that have no exchange rate. */
export const marginAmounts = ['price', 'cost', 'priceUsd', 'costUsd', 'missingCost', 'missingUsd'] as const;

/** SQL for a decimal in 10^-18 of a currency unit. */
const fine = (decimal: string): string => `round(coalesce(${decimal}, '0')::numeric * 1000000000000000000)`;

/** SQL for the amounts of a row in the subscription's currency and in US dollars. */
const converted = (rows: string): string =>
  `SELECT day, "featureId", model, "planId", "customerId", currency, price,
     CASE WHEN currency = 'usd' THEN usd ELSE coalesce(round(usd * rate / 100000000), 0) END AS cost,
     CASE WHEN currency = 'usd' THEN price ELSE coalesce(round(price * 100000000 / rate), 0) END AS "priceUsd", usd AS "costUsd",
     (currency <> 'usd' AND rate IS NULL AND usd <> 0)::int AS "missingCost", (currency <> 'usd' AND rate IS NULL AND price <> 0)::int AS "missingUsd"
   FROM (${rows}) AS r`;

const columns = `${dayOf('e.ts')} AS day, e."featureId", coalesce(e.model, '') AS model, e."customerId", ${fine('e.price')} AS price, ${fine('e.cost')} AS usd, e."exchangeRateE8" AS rate`;

/** SQL for the prices and costs of usage events. `rows` is a table or a CTE of usage events. */
export const pricedEvents = (rows: string): string =>
  converted(
    `SELECT ${columns}, coalesce(s."planId", '') AS "planId", s.currency FROM ${rows} e
     JOIN "Subscription" s ON s."environmentId" = $1 AND s.id = e."subscriptionId" WHERE e.price IS NOT NULL OR e.cost IS NOT NULL`,
  );

/** SQL for the changes to prices and costs. `rows` is a table or a CTE of changes. */
export const pricedChanges = (rows: string): string =>
  converted(`SELECT ${columns}, e."planId", e.currency FROM ${rows} e`);

/** CTE `priced` that the sums read. */
export const pricedOf = (rows: string): string => `priced AS MATERIALIZED (${rows})`;

const total = marginAmounts.map((amount) => `SUM("${amount}")::numeric AS "${amount}"`).join(', ');

/** Sums of prices and costs by feature, AI model, and plan. */
export const marginDays = {
  table: 'MarginDay',
  keys: ['scope', 'featureId', 'groupKey', 'currency'],
  amounts: marginAmounts,
  type: 'numeric',
  rows: `SELECT u.day, g.scope, g."featureId", g."groupKey", u.currency, ${quoted(marginAmounts, 'u.')} FROM (
      SELECT day, "featureId", model, "planId", currency, ${total} FROM priced GROUP BY 1, 2, 3, 4, 5) AS u
    CROSS JOIN LATERAL (VALUES ('feature', '', u."featureId"), ('model', '', u.model), ('plan', '', u."planId"),
      ('model', u."featureId", u.model), ('plan', u."featureId", u."planId")) AS g(scope, "featureId", "groupKey")`,
} as const satisfies Sum;

/** Sums of prices and costs by feature and customer. */
export const marginCustomerDays = {
  table: 'MarginCustomerDay',
  keys: ['featureId', 'customerId', 'currency'],
  amounts: marginAmounts,
  type: 'numeric',
  rows: `SELECT day, "featureId", "customerId", currency, ${total} FROM priced GROUP BY 1, 2, 3, 4`,
} as const satisfies Sum;

/** Sums of prices and costs, for a source. `priced` is the SQL for the prices and costs of its rows. Only the first sum adds the CTE. */
export const marginSums = (priced: string): readonly Sum[] => [
  { ...marginDays, before: pricedOf(priced) },
  marginCustomerDays,
];
