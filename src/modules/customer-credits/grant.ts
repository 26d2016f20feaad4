import type { Context } from '../../context.ts';
import { executeOne } from '../../engine/execute.ts';
import { newId } from '../../infra/ids.ts';
import { requireCustomer } from '../customers/service.ts';
import { type CustomerCreditRow, requireCredit } from './service.ts';

/** A credit to grant: minor units above 0, a supported currency, and when it ends, never unless told. */
export type GrantCreditInput = {
  /** Our id of the customer, else its external id. */
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly reason: string;
  readonly expiresAt?: Date | null | undefined;
};

/** Grants a customer credit (BIL-19) and answers it. Throws `customer_not_found`, and `validation_error` for an `expiresAt` that is not in the future. */
export async function grantCredit(context: Context, input: GrantCreditInput): Promise<CustomerCreditRow> {
  const customer = await requireCustomer(context, input.id);
  const creditId = newId('crd');
  await executeOne(context, customer.id, {
    kind: 'credit.grant',
    creditId,
    amountMinor: BigInt(input.amount),
    currency: input.currency,
    source: 'api',
    reason: input.reason,
    expiresAt: input.expiresAt ?? null,
  });
  return requireCredit(context, customer.id, creditId);
}
