import type { Context } from '../../context.ts';
import type { Rejection } from '../../domain/errors.ts';
import { checkUnits, type UsageCheckResult } from '../../domain/usage/check.ts';
import { lookAtUsage, type UsageQuestion } from './lookup.ts';

/** Whether a number of units of a feature could be consumed now, without moving or reserving anything (CON-54, CON-56). */
export async function checkUsage(
  ctx: Context,
  { customerId, featureCode, quantity }: UsageQuestion & { readonly quantity: bigint },
): Promise<UsageCheckResult | Rejection> {
  const { book } = await lookAtUsage(ctx, { customerId, featureCode });
  const subject = book.subjectOf(customerId, featureCode);
  return 'code' in subject ? subject : checkUnits(subject, book.meterOf(subject), quantity);
}
