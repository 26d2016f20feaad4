// Terms of plans and add-ons that a meter doesn't support (PRM-11).
import type { FieldProblem, Rejection } from '../errors/errors.ts';
import type { AddonConsumptionModel } from '../rows/enums.ts';
import { canFall, type MeterDocument } from './meter.ts';
import { meterRejection } from './read-meter.ts';

/** Terms on which a plan or an add-on includes a feature. */
export type MeteredUse = {
  readonly consumptionModel: AddonConsumptionModel;
  /** True if AI models determine the price. */
  readonly isPricedByModel: boolean;
};

/**
 * Returns the rejection if a meter doesn't support the terms. `field` is the input field that causes the problem. `null` if
 * the meter is `null` or supports the terms.
 */
export function unfitRejection(
  meter: MeterDocument | null,
  { consumptionModel, isPricedByModel }: MeteredUse,
  field: string,
): Rejection | null {
  if (meter === null) return null;
  const problem = (message: string): readonly FieldProblem[] => [{ field, message }];
  if (isPricedByModel)
    return meterRejection('bad_meter', problem('A feature with the prices of AI models counts all tokens.'));
  const isPool = consumptionModel === 'credits' || consumptionModel === 'balance';
  return isPool && canFall(meter)
    ? meterRejection(
        'not_known_at_once',
        problem(`The aggregation ${meter.aggregation} can't be deducted from credits or a balance.`),
      )
    : null;
}
