import DataLoader from 'dataloader';
import type { Context } from '../../context.ts';
import { specificError } from '../../domain/errors.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { Row } from '../../platform/db/rows.ts';

/** What a customer can use of its credits in one currency; minor units, above 0. */
export type CreditBalance = {
  readonly customerId: string;
  readonly currency: string;
  readonly amountMinor: bigint;
};

/** What each of the customers can use at an instant, by currency. One statement for all customers. */
export const readCreditBalances = (
  sql: Query,
  customerIds: readonly string[],
  at: Date,
): Promise<CreditBalance[]> =>
  sql<CreditBalance>(
    `SELECT t."customerId", t.currency, SUM(t."remainingMinor")::bigint AS "amountMinor" FROM "CustomerCredit" t
     WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) AND t."remainingMinor" > 0 AND (t."expiresAt" IS NULL OR t."expiresAt" > $3)
     GROUP BY t."customerId", t.currency ORDER BY t.currency`,
    [customerIds, at],
  );

export type CustomerCreditRow = Row<'CustomerCredit'>;

/** A credit of the customer. Throws `not_found`, also for one of another customer. */
export async function requireCredit(
  ctx: Context,
  customerId: string,
  creditId: string,
): Promise<CustomerCreditRow> {
  const credit = await ctx.db.customerCredit.findFirst({ where: { id: creditId, customerId } });
  if (credit === null) throw specificError('not_found', 'customer_credit', { param: 'creditId' });
  return credit;
}

/** What the customer can use now, by currency in alphabetical order; currencies without anything are left out. Batched. */
export function loadCreditBalances(ctx: Context, customerId: string): Promise<readonly CreditBalance[]> {
  const loader = ctx.once('credit:balances', () => {
    return new DataLoader<string, readonly CreditBalance[]>(async (customerIds) => {
      const balances = Map.groupBy(
        await readCreditBalances(ctx.sql, customerIds, ctx.clock.now()),
        (row) => row.customerId,
      );
      return customerIds.map((id) => balances.get(id) ?? []);
    });
  });
  return loader.load(customerId);
}

/** The credits of a customer in a currency with something left of them, expired or not. */
export const findRemainingCredits = (
  ctx: Context,
  customerId: string,
  currency: string,
): Promise<CustomerCreditRow[]> =>
  ctx.db.customerCredit.findMany({ where: { customerId, currency, remainingMinor: { gt: 0n } } });
