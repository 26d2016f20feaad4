import { executeOne } from '../../../engine/execute.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { requireCustomer } from '../customers/store.ts';
import { type CustomerCreditRow, requireCredit } from './store.ts';

/** Credit to grant. The amount is positive and in minor units. */
export type GrantCreditInput = {
  readonly customerId: string;
  readonly amount: number;
  readonly currency: string;
  readonly reason: string;
  readonly expiresAt?: Date | null | undefined;
};

/** Grants a customer credit (BIL-19) and returns it. Throws `customer_not_found`, and `validation_error` if `expiresAt` isn't in the future. */
export async function grantCredit(ctx: Context, input: GrantCreditInput): Promise<CustomerCreditRow> {
  const customer = await requireCustomer(ctx, input.customerId, 'customerId');
  const creditId = newId('crd');
  await executeOne(ctx, customer.id, {
    kind: 'credit.grant',
    creditId,
    amountMinor: BigInt(input.amount),
    currency: input.currency,
    source: 'api',
    reason: input.reason,
    expiresAt: input.expiresAt ?? null,
  });
  return requireCredit(ctx, customer.id, creditId);
}
