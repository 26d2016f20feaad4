import { type FieldProblem, QuittanceError } from '../../../domain/errors/errors.ts';
import { minorPerUnit } from '../../../domain/money/money.ts';
import type { PriceList } from '../../../domain/rates/card.ts';
import { exactDecimal } from '../../../domain/rates/decimal.ts';
import { type Exact, exactText, plus, roundedTo, zero } from '../../../domain/rates/exact.ts';
import { heldUseAmount } from '../../../domain/rates/held.ts';
import { linesOfUse, type RateLine } from '../../../domain/rates/lines.ts';
import { isPriceBillable } from '../../../domain/rates/price.ts';
import { type CardInput, readList } from '../../../domain/rates/read-card.ts';
import { mostQuantityDecimals, type RateInput, readQuantity } from '../../../domain/rates/read-rate.ts';
import { problemsInInput, type RateReason, rateRejection } from '../../../domain/rates/rejections.ts';
import { type CellQuantity, canPrice, plainUse, type Use } from '../../../domain/rates/use-price.ts';
import type { Context } from '../../../request/context.ts';
import { rateCardRows } from './store.ts';

/** Price of a quantity. Exact numbers are decimals in major units of the currency, and amounts are in minor units. */
export type RatePreviewResult = {
  readonly quantity: string;
  readonly exact: string;
  readonly rounded: bigint;
  readonly lines: readonly RateLine[];
};

/** Maximum number of quantities in a preview. */
export const mostQuantities = 100;

/** Maximum number of quantities by dimension values in a preview. */
export const mostUsage = 500;

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
function quantitiesOf(
  texts: readonly string[],
  problems: Problem[],
  pathOf: (index: number) => string,
): readonly Exact[] {
  return texts.flatMap((text, index) => {
    const read = readQuantity(text);
    if (typeof read === 'object' && 'quantity' in read) return [read.quantity];
    problems.push(
      read === 'too_large'
        ? { field: pathOf(index), message: tooLarge, reason: 'too_large' }
        : { field: pathOf(index), message: read.problem, reason: 'bad_quantity' },
    );
    return [];
  });
}

/** Returns the price of usage by a price list. */
function pricedUse(list: PriceList, use: Use, scale: bigint): RatePreviewResult {
  const price = heldUseAmount([list], use);
  return {
    quantity: exactText(use.quantities.reduce((sum, { units }) => plus(sum, units), zero)),
    exact: exactText(price),
    rounded: roundedTo(price, scale),
    lines: linesOfUse(list, use, scale),
  };
}

/** Reads the quantities by dimension values, which are priced together. Adds a problem for each invalid part. */
function usageOf(parts: readonly UsagePart[], problems: Problem[]): readonly CellQuantity[] {
  return parts.flatMap(({ values, quantity }, index): CellQuantity[] => {
    const [units] = quantitiesOf([quantity], problems, () => `usage.${index}.quantity`);
    const entries = Object.entries(values);
    if (entries.every((entry): entry is [string, string] => typeof entry[1] === 'string'))
      return units === undefined ? [] : [{ values: Object.fromEntries(entries), units }];
    problems.push({
      field: `usage.${index}.values`,
      message: 'must contain one string for each dimension',
      reason: 'bad_quantity',
    });
    return [];
  });
}

/** Quantity with its dimension values. The values may be invalid. */
type UsagePart = { readonly values: object; readonly quantity: string };

/** Rate or card by which a preview prices quantities. `cells` and `default` are the rates by dimension of a card. */
type PreviewedRate = RateInput & Pick<CardInput, 'cells' | 'default'>;

/** Reads a rate or a card. Adds its problems. */
function listOf(input: PreviewedRate, problems: Problem[]): PriceList | null {
  const read = readList(input, mostQuantityDecimals);
  if ('list' in read) return read.list;
  const { reason } = read;
  problems.push(...problemsInInput(read.problems).map((problem) => ({ ...problem, reason })));
  return null;
}

/** Problem of a preview whose usage has no rate. */
const unpriced = (field: string): Problem => ({
  field,
  message: 'has no rate in the rate card',
  reason: 'no_price_for_dimensions',
});

/**
 * Prices quantities by a rate or a card, in the order of the quantities, and then the usage by dimension values. Throws
 * `validation_error` with all problems, and with the reason of the first problem.
 */
function previewRate(
  input: PreviewedRate,
  {
    quantities: texts,
    usage,
  }: { readonly quantities: readonly string[]; readonly usage: readonly UsagePart[] },
  currency: string,
): readonly RatePreviewResult[] {
  const problems: Problem[] = [];
  const list = listOf(input, problems);
  const quantities = quantitiesOf(texts, problems, fieldOf);
  const parts = usageOf(usage, problems);
  reject(problems);
  if (list === null) return [];
  const uses = [
    ...quantities.map((quantity, index) => ({ use: plainUse(quantity), field: fieldOf(index) })),
    ...(parts.length === 0 ? [] : [{ use: { quantities: parts, free: zero }, field: 'usage' }]),
  ];
  reject(uses.flatMap(({ use, field }) => (canPrice(list, use.quantities) ? [] : [unpriced(field)])));
  const scale = minorPerUnit(currency);
  const results = uses.map(({ use, field }) => ({ field, result: pricedUse(list, use, scale) }));
  reject(
    results.flatMap(({ field, result }): Problem[] =>
      isPriceBillable(exactDecimal(result.exact), scale)
        ? []
        : [{ field, message: tooLarge, reason: 'too_large' }],
    ),
  );
  return results.map(({ result }) => result);
}

/** Parameters of a preview. */
type PreviewInput = {
  readonly rate?: PreviewedRate | null | undefined;
  readonly rateCardId?: string | null | undefined;
  readonly quantities?: readonly string[] | null | undefined;
  readonly usage?: readonly UsagePart[] | null | undefined;
  readonly currency?: string | null | undefined;
};

/** Prices quantities by a rate, or by a saved card. Throws `not_found` if the card doesn't exist, and `validation_error`. */
export async function ratePreview(
  ctx: Context,
  { rate, rateCardId, quantities, usage, currency }: PreviewInput,
): Promise<readonly RatePreviewResult[]> {
  const [own, saved] = [rate ?? null, rateCardId ?? null];
  if ((own === null) === (saved === null))
    reject([
      { field: 'rate', message: "is required, and can't be combined with `rateCardId`", reason: 'bad_rate' },
    ]);
  if ((quantities ?? []).length + (usage ?? []).length === 0)
    reject([{ field: 'quantities', message: 'is required unless `usage` is set', reason: 'bad_quantity' }]);
  const input = saved === null ? (own ?? {}) : (await rateCardRows.require(ctx, saved, 'rateCardId')).card;
  return previewRate(input, { quantities: quantities ?? [], usage: usage ?? [] }, currency ?? 'usd');
}
