import { type FieldProblem, QuittanceError } from '../../../domain/errors/errors.ts';
import { minorPerUnit } from '../../../domain/money/money.ts';
import { type Exact, exactText } from '../../../domain/rates/exact.ts';
import { linesOf, type RateLine } from '../../../domain/rates/lines.ts';
import { isBillable, priceOf, roundedPrice } from '../../../domain/rates/price.ts';
import type { Rate } from '../../../domain/rates/rate.ts';
import { type RateInput, readQuantity, readRate } from '../../../domain/rates/read-rate.ts';
import { problemsInInput, type RateReason, rateRejection } from '../../../domain/rates/rejections.ts';

/** Price of a quantity. Exact numbers are decimals in major units of the currency, and amounts are in minor units. */
export type RatePreviewResult = {
  readonly quantity: string;
  readonly exact: string;
  readonly rounded: bigint;
  readonly lines: readonly RateLine[];
};

/** Maximum number of quantities in a preview. */
export const mostQuantities = 100;

const fieldOf = (index: number): string => `quantities.${index}`;

const tooLarge = 'exceeds what can be invoiced for one feature and period. Use a smaller quantity or price';

type Problem = FieldProblem & { readonly reason: RateReason };

/** Throws one error with all problems, and with the reason of the first problem. */
function reject(problems: readonly Problem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  throw new QuittanceError(
    rateRejection(
      first.reason,
      problems.map(({ field, message }) => ({ field, message })),
    ),
  );
}

/** Reads the quantities. Adds a problem for each invalid quantity. */
function quantitiesOf(texts: readonly string[], problems: Problem[]): readonly Exact[] {
  return texts.flatMap((text, index) => {
    const read = readQuantity(text);
    if (typeof read === 'object' && 'quantity' in read) return [read.quantity];
    problems.push(
      read === 'too_large'
        ? { field: fieldOf(index), message: tooLarge, reason: 'too_large' }
        : { field: fieldOf(index), message: read.problem, reason: 'bad_quantity' },
    );
    return [];
  });
}

const pricedBy =
  (rate: Rate, scale: bigint) =>
  (quantity: Exact): RatePreviewResult => ({
    quantity: exactText(quantity),
    exact: exactText(priceOf(rate, quantity)),
    rounded: roundedPrice(rate, quantity, scale),
    lines: linesOf(rate, quantity, scale),
  });

/**
 * Prices quantities by a rate, in the order of the quantities. Throws `validation_error` with all problems and the reason
 * `bad_rate`, `bad_quantity` or `too_large`.
 */
export function previewRate(
  rateInput: RateInput,
  texts: readonly string[],
  currency: string,
): readonly RatePreviewResult[] {
  const read = readRate(rateInput);
  const problems: Problem[] =
    'problems' in read
      ? problemsInInput(read.problems).map((problem) => ({ ...problem, reason: 'bad_rate' }))
      : [];
  const quantities = quantitiesOf(texts, problems);
  if ('problems' in read || problems.length > 0) {
    reject(problems);
    return [];
  }
  const scale = minorPerUnit(currency);
  reject(
    quantities.flatMap((quantity, index): Problem[] =>
      isBillable(read.rate, quantity, scale)
        ? []
        : [{ field: fieldOf(index), message: tooLarge, reason: 'too_large' }],
    ),
  );
  return quantities.map(pricedBy(read.rate, scale));
}
