import { type FieldProblem, type Rejection, validationRejection } from '../errors/errors.ts';

/**
 * Reason why a rate or quantity is rejected. `bad_rate`: the rate is invalid. `bad_quantity`: the quantity isn't a decimal
 * within the bounds. `too_large`: the quantity or its price can't be invoiced (PRM-106).
 * `derived_needs_cost`: the rate is derived from a cost that isn't set. `no_included`: a feature with a derived rate includes
 * units. `ambiguous_cells`: usage could belong to two cells of a card. `unknown_dimension`: a card has a dimension that the
 * meter doesn't have. `no_price_for_dimensions`: neither a cell nor the default of a card is the price of the usage.
 */
export type RateReason =
  | 'bad_rate'
  | 'bad_quantity'
  | 'too_large'
  | 'derived_needs_cost'
  | 'no_included'
  | 'ambiguous_cells'
  | 'unknown_dimension'
  | 'no_price_for_dimensions';

/** Returns the problems of a rate with their paths in an input that contains the rate as `rate`. */
export const problemsInInput = (problems: readonly FieldProblem[]): readonly FieldProblem[] =>
  problems.map(({ field, message }) => ({ field: field === '' ? 'rate' : `rate.${field}`, message }));

/**
 * Returns a `validation_error` with the reason and all problems in `details`. `param` is the field of the first problem.
 * Throws if the list is empty.
 */
export const rateRejection = (reason: RateReason, problems: readonly FieldProblem[]): Rejection => ({
  ...validationRejection(problems),
  details: { reason, problems },
});
