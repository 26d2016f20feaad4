import type { Context } from '../../context.ts';
import type { UsageCheckResult } from '../../domain/usage/check.ts';
import { checkUsage } from '../../engine/usage/check.ts';
import { rejected } from './track.ts';

/** Whether a quantity could be consumed now. Throws what stands against any answer: no customer, subscription, feature or price. */
export async function usageCheck(
  ctx: Context,
  input: {
    readonly customerId: string | number;
    readonly featureCode: string;
    readonly quantity?: number | null | undefined;
  },
): Promise<UsageCheckResult> {
  const { customerId, featureCode, quantity } = input;
  const result = await checkUsage(ctx, {
    customerId: String(customerId),
    featureCode,
    quantity: BigInt(quantity ?? 1),
  });
  if ('code' in result) throw rejected(result, false);
  return result;
}
