import DataLoader from 'dataloader';
import { specificError } from '../../../domain/errors/errors.ts';
import type { Query } from '../../../platform/db/pool.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';

/** Available customer credit in one currency, in minor units. Always positive. */
export type CreditBalance = {
  readonly customerId: string;
  readonly currency: string;
  readonly amountMinor: bigint;
};

/** Reads several customers' available credits at a given time, by currency. Runs one SQL statement. */
const readCreditBalances = (sql: Query, customerIds: readonly string[], at: Date): Promise<CreditBalance[]> =>
  sql<CreditBalance>(
    `SELECT t."customerId", t.currency, SUM(t."remainingMinor")::bigint AS "amountMinor" FROM "CustomerCredit" t
     WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) AND t."remainingMinor" > 0 AND (t."expiresAt" IS NULL OR t."expiresAt" > $3)
     GROUP BY t."customerId", t.currency ORDER BY t.currency`,
    [customerIds, at],
  );

export type CustomerCreditRow = Row<'CustomerCredit'>;

/** Returns a customer's credit. Throws `not_found` if the credit doesn't exist or belongs to another customer. */
export async function requireCredit(
  ctx: Context,
  customerId: string,
  creditId: string,
): Promise<CustomerCreditRow> {
  const credit = await ctx.db.customerCredit.findFirst({ where: { id: creditId, customerId } });
  if (credit === null) throw specificError('not_found', 'customer_credit', { param: 'creditId' });
  return credit;
}

/**
 * Returns the customer's available credits, sorted by currency. Omits currencies without credits. Lookups are batched.
 */
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

/** Returns the customer's credits in a currency that have a remaining amount, including expired credits. */
export const findRemainingCredits = (
  ctx: Context,
  customerId: string,
  currency: string,
): Promise<CustomerCreditRow[]> =>
  ctx.db.customerCredit.findMany({ where: { customerId, currency, remainingMinor: { gt: 0n } } });
