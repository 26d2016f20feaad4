import { QuittanceError } from '../../../domain/errors/errors.ts';
import { exactText, ratio } from '../../../domain/rates/exact.ts';
import { rateRejection } from '../../../domain/rates/rejections.ts';
import { counterId } from '../../../domain/usage/counter.ts';
import { shownUnits, unitScale } from '../../../domain/usage/metered-terms.ts';
import { lookUpUsage } from '../../../engine/usage/lookup.ts';
import type { Context } from '../../../request/context.ts';
import { rejected } from './track.ts';

/** Usage of the current window with the same values. `quantity` is the exact total; `null` if the meter has no decimals. */
export type UsageTotal = {
  readonly values: Readonly<Record<string, string>>;
  readonly total: bigint;
  readonly quantity: string | null;
};

/** Value that stands for all values that are counted together (PRM-12). */
const other = 'other';

/**
 * Returns the totals of a feature's current usage window by the values of dimensions, largest first. Throws if the customer has no
 * access to the feature, and `validation_error` with the reason `unknown_dimension` if the meter lacks a dimension.
 */
export async function usageTotals(
  ctx: Context,
  {
    customerId,
    featureCode,
    groupBy,
  }: { readonly customerId: string; readonly featureCode: string; readonly groupBy: readonly string[] },
): Promise<UsageTotal[]> {
  const { book, details } = await lookUpUsage(ctx, { customerId, featureCode });
  const subject = book.subjectOf(customerId, featureCode);
  if ('code' in subject) throw rejected(subject, false);
  const { terms, subscription, feature } = subject;
  const { dimensions = [] } = terms.meter?.document ?? {};
  const unknown = groupBy.filter((name) => !dimensions.some(({ property }) => property === name));
  if (unknown.length > 0)
    throw new QuittanceError(
      rateRejection(
        'unknown_dimension',
        unknown.map((name) => ({
          field: 'groupBy',
          message: `contains ${name}, which isn't a dimension of the meter`,
        })),
      ),
    );
  const sums = new Map<string, { readonly values: UsageTotal['values']; readonly units: bigint }>();
  for (const row of details.cells.get(counterId(subscription.id, feature.id)) ?? []) {
    const values = Object.fromEntries(groupBy.map((name) => [name, row.values[name] ?? other]));
    const key = JSON.stringify(values);
    sums.set(key, { values, units: (sums.get(key)?.units ?? 0n) + row.total });
  }
  const scale = unitScale(terms);
  return [...sums.values()]
    .filter(({ units }) => units > 0n)
    .sort((a, b) => (a.units < b.units ? 1 : a.units > b.units ? -1 : 0))
    .map(({ values, units }) => ({
      values,
      total: shownUnits(terms, units),
      quantity: scale === 1n ? null : exactText(ratio(units, scale)),
    }));
}
