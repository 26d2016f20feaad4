import DataLoader from 'dataloader';
import { specificError } from '../../../domain/errors/errors.ts';
import { rateToMinor } from '../../../domain/money/money.ts';
import type { Page } from '../../../graphql/reading/connections.ts';
import { loadPageBy } from '../../../graphql/reading/loaders.ts';
import type { PageArguments } from '../../../graphql/reading/pages.ts';
import type { Query } from '../../../platform/db/pool.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { creditList } from './list.ts';

/** Available customer credit in one currency, in minor units. Always positive. */
export type CreditBalance = {
  readonly customerId: string;
  readonly currency: string;
  readonly amountMinor: bigint;
};

/** Reads several customers' available credits at a given time, by currency. Runs one SQL statement. */
async function readCreditBalances(
  sql: Query,
  customerIds: readonly string[],
  at: Date,
): Promise<CreditBalance[]> {
  const sums = await sql<Omit<CreditBalance, 'amountMinor'> & { readonly amount: bigint }>(
    `SELECT t."customerId", t.asset AS currency, SUM(t.remaining)::bigint AS amount FROM "Lot" t
     WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) AND t."subscriptionId" IS NULL AND t."isOpen"
       AND (t."expiresAt" IS NULL OR t."expiresAt" > $3)
     GROUP BY t."customerId", t.asset ORDER BY t.asset`,
    [customerIds, at],
  );
  return sums.map(({ customerId, currency, amount }) => ({
    customerId,
    currency,
    amountMinor: rateToMinor(amount, currency),
  }));
}

export type CustomerCreditRow = Row<'Lot'>;

/** Sums of a credit's entries by type, in minor units. */
export type CreditSums = {
  /** Amount that invoices used, including amounts that voided invoices returned. */
  readonly appliedMinor: bigint;
  readonly reversedMinor: bigint;
  readonly revokedMinor: bigint;
};

const noSums: CreditSums = { appliedMinor: 0n, reversedMinor: 0n, revokedMinor: 0n };

type EntrySums = {
  readonly lotId: string;
  readonly asset: string;
  readonly applied: bigint;
  readonly reversed: bigint;
  readonly revoked: bigint;
};

const readCreditSums = (sql: Query, creditIds: readonly string[]): Promise<EntrySums[]> =>
  sql<EntrySums>(
    `SELECT "lotId", asset, coalesce(-sum(amount) FILTER (WHERE type = 'applied'), 0)::bigint AS applied,
       coalesce(sum(amount) FILTER (WHERE type = 'reversed'), 0)::bigint AS reversed,
       coalesce(-sum(amount) FILTER (WHERE type = 'revoke'), 0)::bigint AS revoked
     FROM "ConsumptionEntry" WHERE "environmentId" = $1 AND "lotId" = ANY($2) GROUP BY "lotId", asset`,
    [creditIds],
  );

/** Returns the sums of a credit's entries. Lookups are batched. */
export function loadCreditSums(ctx: Context, id: string): Promise<CreditSums> {
  const loader = ctx.once('credit:sums', () => {
    return new DataLoader<string, CreditSums>(async (ids) => {
      const sums = await readCreditSums(ctx.sql, ids);
      const found = new Map(
        sums.map(({ lotId, asset, applied, reversed, revoked }) => [
          lotId,
          {
            appliedMinor: rateToMinor(applied, asset),
            reversedMinor: rateToMinor(reversed, asset),
            revokedMinor: rateToMinor(revoked, asset),
          },
        ]),
      );
      return ids.map((creditId) => found.get(creditId) ?? noSums);
    });
  });
  return loader.load(id);
}

/** Returns a customer's credit. Throws `not_found` if the credit doesn't exist or belongs to another customer. */
export async function requireCredit(
  ctx: Context,
  customerId: string,
  creditId: string,
): Promise<CustomerCreditRow> {
  const credit = await ctx.db.lot.findFirst({ where: { id: creditId, customerId, subscriptionId: null } });
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

/** Returns the customer's available credit in a currency, in minor units. */
export async function loadCreditBalance(ctx: Context, customerId: string, currency: string): Promise<bigint> {
  const balances = await readCreditBalances(ctx.sql, [customerId], ctx.clock.now());
  return balances.find((balance) => balance.currency === currency)?.amountMinor ?? 0n;
}

/** Returns a page of a customer's credits, newest first. Batched. */
export const loadCredits = (
  ctx: Context,
  customerId: string,
  args: PageArguments,
): Promise<Page<CustomerCreditRow>> =>
  loadPageBy(ctx, creditList, 'customerId', customerId, args, 'all', 'credits');
