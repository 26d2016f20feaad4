import type { Context } from '../../context.ts';
import { findFeature } from '../features/store.ts';
import { usageSeries } from '../usage/store.ts';

/** Which usage of a customer is charted. */
export type ChartedUsage = Omit<Parameters<typeof usageSeries>[1], 'customerId'>;

/** What a customer consumed of a feature, span by span; nothing for a code no feature has. Throws `validation_error` for the range. */
export async function loadUsage(
  ctx: Context,
  customerId: string,
  usage: ChartedUsage,
): Promise<Awaited<ReturnType<typeof usageSeries>>> {
  if ((await findFeature(ctx, usage.featureCode)) === null) return [];
  return usageSeries(ctx, { customerId, ...usage });
}
