// Terms of plans and add-ons that a meter doesn't support (PRM-11).
import type { FieldProblem, Rejection } from '../errors/errors.ts';
import { isCardDocument, type PriceListDocument } from '../rates/card.ts';
import { rateRejection } from '../rates/rejections.ts';
import { dimensionProblems } from './dimensions.ts';
import { canFall, isFinal, type MeterDocument } from './meter.ts';
import { meterRejection } from './read-meter.ts';

/** Terms on which a plan or an add-on includes a feature. */
export type MeteredUse = {
  /** True if usage is deducted from credits or a balance. */
  readonly isPool: boolean;
  /** True if usage above a limit is rejected. */
  readonly hasHardLimit: boolean;
  /** True if AI models determine the price. */
  readonly isPricedByModel: boolean;
  /** Rate or card of the feature. `null` if the feature has no price. */
  readonly list: PriceListDocument | null;
};

/**
 * Returns the rejection if a meter doesn't support the terms. `field` is the input field that causes the problem. `null` if
 * the meter is `null` or supports the terms.
 */
export function unfitRejection(
  meter: MeterDocument | null,
  { isPool, hasHardLimit, isPricedByModel, list }: MeteredUse,
  field: string,
): Rejection | null {
  const problem = (message: string): readonly FieldProblem[] => [{ field, message }];
  const unknown = list !== null && isCardDocument(list) ? dimensionProblems(list, meter) : [];
  if (unknown.length > 0)
    return rateRejection(
      'unknown_dimension',
      problem('A rate card has a dimension or a band that the meter lacks.'),
    );
  if (meter === null) return null;
  if (isPricedByModel)
    return meterRejection('bad_meter', problem('A feature with the prices of AI models counts all tokens.'));
  if (isPool && (canFall(meter) || isFinal(meter)))
    return meterRejection(
      'not_known_at_once',
      problem("The total isn't known after each event, so it can't be deducted from credits or a balance."),
    );
  return isFinal(meter) && hasHardLimit
    ? meterRejection(
        'not_known_at_once',
        problem("The total isn't known after each event, so the plan can't reject usage above a limit."),
      )
    : null;
}
