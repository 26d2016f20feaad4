import type { Context } from '../../context.ts';
import type { PoolKind } from '../../domain/subscription/commands/balance-adjust.ts';
import { creditsOf } from '../../domain/usage/pools.ts';
import { executeOne } from '../../engine/execute.ts';
import { loadExistingRow } from '../../graphql/loaders.ts';
import { inTransaction } from '../../transaction.ts';
import { requireSubscription } from '../subscriptions/store.ts';
import { requireAccount } from './store.ts';
import type { AdjustmentShape } from './types.ts';

/** A correction: signed and not 0, credits or money at rate scale; without a type the pool of the plan is meant. */
export type BalanceAdjustInput = {
  readonly subscriptionId: string;
  readonly amount: number;
  readonly reason?: string | null | undefined;
  readonly type?: PoolKind | null | undefined;
};

/**
 * Corrects credits or balance of a subscription (CON-21, CON-26) and answers the pool as it was right afterwards. Throws
 * `subscription_not_found` and what the decision rejects, which leaves everything as it was.
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
      newBalance: plan.consumptionModel === 'credits' ? creditsOf(account) : account.balanceRate,
      reason,
    };
  });
}
