import type { Context } from '../../context.ts';
import { UsageBook } from '../../domain/consumption/book.ts';
import { checkUnits, type UsageCheckResult } from '../../domain/consumption/check.ts';
import type { Refusal } from '../../domain/errors.ts';
import { loadUsageFacts } from './load.ts';

/** Whether a number of units of a feature could be consumed now, without moving or reserving anything (CON-54, CON-56). */
export async function checkUsage(
  ctx: Context,
  { customerId, featureCode, quantity }: { readonly customerId: string; readonly featureCode: string; readonly quantity: bigint },
): Promise<UsageCheckResult | Refusal> {
  const needs = { customers: [customerId], featureCodes: [featureCode], eventIds: [], models: [] };
  const book = new UsageBook(await loadUsageFacts(ctx, needs, 'look'));
  const subject = book.subjectOf(customerId, featureCode);
  return 'code' in subject ? subject : checkUnits(subject, book.meterOf(subject), quantity);
}
