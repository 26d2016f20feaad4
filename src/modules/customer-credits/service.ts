import DataLoader from 'dataloader';
import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { type CreditBalance, readCreditBalances } from '../../infra/credit-rows.ts';
import type { Row } from '../../infra/rows.ts';

export type CustomerCreditRow = Row<'CustomerCredit'>;

/** A credit of the customer. Throws `not_found`, also for one of another customer. */
export async function requireCredit(context: Context, customerId: string, creditId: string): Promise<CustomerCreditRow> {
  const credit = await context.db.customerCredit.findFirst({ where: { id: creditId, customerId } });
  if (credit === null) throw new QuittanceError('not_found', 'The customer has no such credit.', { param: 'creditId' });
  return credit;
}

/** What the customer can use now, by currency in alphabetical order; currencies without anything are left out. Batched. */
export function loadCreditBalances(context: Context, customerId: string): Promise<readonly CreditBalance[]> {
  const loader = context.once('credit:balances', () => {
    return new DataLoader<string, readonly CreditBalance[]>(async (customerIds) => {
      const balances = Map.groupBy(await readCreditBalances(context.sql, customerIds, context.clock.now()), (row) => row.customerId);
      return customerIds.map((id) => balances.get(id) ?? []);
    });
  });
  return loader.load(customerId);
}
