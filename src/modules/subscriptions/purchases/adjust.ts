import { amountsIn } from '../../../domain/lots/account.ts';
import { type Pool, poolsOf } from '../../../domain/pricing/pools.ts';
import { executeOne } from '../../../engine/execute.ts';
import { loadExistingRow } from '../../../graphql/reading/loaders.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { requireSubscription } from '../subscriptions/store.ts';
import { requireAccount } from './store.ts';
import type { AdjustmentShape } from './types.ts';

/**
 * Credit or balance adjustment. `amount` can be negative. It's a number of credits, or, for a balance, an amount in ten-thousandths of the
 * currency unit (10,000 = 1.00). `type` defaults to the first pool of the plan.
 */
export type BalanceAdjustInput = {
  readonly subscriptionId: string;
  readonly amount: number;
  readonly reason?: string | null | undefined;
  readonly type?: Pool | null | undefined;
};

/**
 * Adjusts the credits or balance of a subscription (CON-21, CON-26) and returns the new balance. Throws `subscription_not_found`, and the
 * error of the command if the command is rejected.
 */
export async function adjustBalance(
  ctx: Context,
  { subscriptionId: id, amount, reason = null, type }: BalanceAdjustInput,
): Promise<AdjustmentShape> {
  const { customerId, planId } = await requireSubscription(ctx, id);
  return inTransaction(ctx, async (tx) => {
    const command = {
      kind: 'balance.adjust',
      subscriptionId: id,
      pool: type ?? null,
      amount: BigInt(amount),
      reason,
    } as const;
    await executeOne(tx, customerId, command);
    const account = await requireAccount(tx, id);
    const plan = await loadExistingRow(tx, 'Plan', planId);
    return {
      amount: BigInt(amount),
      newBalance: amountsIn(account, type ?? poolsOf(plan)[0]?.pool ?? '').amount,
      reason,
    };
  });
}
