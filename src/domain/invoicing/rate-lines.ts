// Invoice lines for the units of a feature, priced with the feature's rate (PRM-105).
import { minorPerUnit, minorToRate, rateScale, rateToMinor } from '../money/money.ts';
import { exactOf } from '../rates/decimal.ts';
import { exactText, plus, ratio, roundedTo, zero } from '../rates/exact.ts';
import { type HeldRate, heldUnitPrice } from '../rates/held.ts';
import { linesOfUse, type RateLine } from '../rates/lines.ts';
import { heldUsePrice, plainUse, type Use } from '../rates/use-price.ts';
import { explain } from '../rows/explanation.ts';
import type { LineDraft } from './line.ts';

/** Invoice line fields that depend on the rate. `units` is the number of charged units, rounded to a whole number. */
export type PricedLine = Pick<
  LineDraft,
  | 'description'
  | 'quantity'
  | 'exactQuantity'
  | 'unitAmountRate'
  | 'exactUnitAmount'
  | 'amount'
  | 'explanation'
> & { readonly units: bigint };

/**
 * Feature, billing rule, and currency of the lines. A feature with a plain unit price has a single line with the text
 * `plainDescription`.
 */
export type PricedFeature = {
  readonly name: string;
  readonly rule: string;
  readonly plainDescription: string;
  readonly currency: string;
  /** Number of counted units in one unit. Defaults to 1. */
  readonly scale?: bigint;
  /** Usage by dimension values. Absent if the units have no dimensions. */
  readonly use?: Use | undefined;
};

/** Returns the name of the feature, with the cell if the line charges for a single cell. */
const nameOf = (name: string, { cell }: RateLine): string => (cell === null ? name : `${name} (${cell})`);

/**
 * Returns the English text to store with a line. `documents/line-text.ts` translates the text. A tier starts one counted
 * unit above the previous tier; `scale` is the number of counted units in one unit.
 */
function descriptionOf({ kind, tier, units, rate }: RateLine, scale: bigint): string {
  const count = exactText(units);
  const { per = 1n, tiers = [] } = rate ?? {};
  const lower = tiers[tier - 1]?.upTo ?? null;
  const upper = tiers[tier]?.upTo ?? null;
  const first = exactText(plus(lower === null ? zero : exactOf(lower), ratio(1n, scale)));
  switch (kind) {
    case 'units':
      return upper === null
        ? `${count} (${first} and above)`
        : `${count} (${first} to ${exactText(exactOf(upper))})`;
    case 'flat':
      return `fee for tier ${tier + 1}`;
    case 'package':
      return `${count} in packages of ${per}`;
    case 'stairs':
      return `${count} at a flat price`;
    case 'minimum':
      return 'minimum price';
    case 'maximum':
      return 'maximum price';
    case 'rest':
      return `${count} in other combinations`;
  }
}

/**
 * Returns the invoice lines for the units of a feature. A feature with a plain unit price always has one line. Other
 * rates have one line for each part of the price, except for parts with an amount of 0. These lines add up to the
 * rounded price. `rates` are per unit, and `units` is the number of counted units above the included amount.
 */
export function pricedLines(
  rates: HeldRate,
  units: bigint,
  { name, rule, plainDescription, currency, scale = 1n, use }: PricedFeature,
): readonly PricedLine[] {
  const perUnit = minorPerUnit(currency);
  const plain = heldUnitPrice(rates);
  if (plain !== null && scale === 1n)
    return [
      {
        description: plainDescription,
        quantity: units,
        exactQuantity: null,
        unitAmountRate: plain,
        exactUnitAmount: null,
        amount: rateToMinor(units * plain, currency),
        explanation: explain(rule, 'units', { units, rate: plain, minor_per_unit: perUnit }),
        units,
      },
    ];
  const used = use ?? plainUse(ratio(units, scale));
  const { list } = heldUsePrice(rates, used);
  return linesOfUse(list, used, perUnit).map((line) => {
    // Adding 0 as a fraction with the other sum's denominator gives both sums the same denominator.
    const before = plus(line.before, ratio(0n, line.after.denominator));
    const after = plus(line.after, ratio(0n, before.denominator));
    const isPerUnit = line.kind === 'units';
    const exactRate = roundedTo(line.unitAmount, rateScale / perUnit);
    const isExact =
      line.unitAmount.numerator * (rateScale / perUnit) === exactRate * line.unitAmount.denominator;
    return {
      description: plain === null ? `${nameOf(name, line)}: ${descriptionOf(line, scale)}` : plainDescription,
      quantity: isPerUnit ? roundedTo(line.quantity, 1n) : 1n,
      exactQuantity: isPerUnit && scale > 1n ? exactText(line.quantity) : null,
      unitAmountRate: isPerUnit ? exactRate : minorToRate(line.amount, currency),
      exactUnitAmount: isPerUnit && !isExact ? exactText(line.unitAmount) : null,
      amount: line.amount,
      explanation: explain(rule, 'tier', {
        before: before.numerator,
        after: after.numerator,
        scale: after.denominator,
        minor_per_unit: perUnit,
      }),
      units: roundedTo(line.units, 1n),
    };
  });
}
