import type { Context } from '../../../request/context.ts';
import { featureRows } from '../../catalog/features/store.ts';
import { usageSeries } from '../../usage/usage/store.ts';

export type ChartedUsage = Omit<Parameters<typeof usageSeries>[1], 'customerId'>;

/**
 * Returns a customer's usage of a feature by interval. Empty if no feature has the given code. Throws `validation_error` if the range is
 * invalid.
 */
export async function loadUsage(
  ctx: Context,
  customerId: string,
  usage: ChartedUsage,
): Promise<Awaited<ReturnType<typeof usageSeries>>> {
  if ((await featureRows.find(ctx, usage.featureCode)) === null) return [];
  return usageSeries(ctx, { customerId, ...usage });
}
