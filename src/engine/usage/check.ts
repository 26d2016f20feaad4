import type { Rejection } from '../../domain/errors/errors.ts';
import { checkUnits, type UsageCheckResult } from '../../domain/usage/check.ts';
import type { Context } from '../../request/context.ts';
import { lookUpUsage, type UsageLookup } from './lookup.ts';

/** Checks whether units of a feature can be used now. Deducts and reserves nothing (CON-54, CON-56). */
export async function checkUsage(
  ctx: Context,
  { customerId, featureCode, quantity }: UsageLookup & { readonly quantity: bigint },
): Promise<UsageCheckResult | Rejection> {
  const { book } = await lookUpUsage(ctx, { customerId, featureCode });
  const subject = book.subjectOf(customerId, featureCode);
  return 'code' in subject ? subject : checkUnits(subject, book.meterOf(subject), quantity);
}
