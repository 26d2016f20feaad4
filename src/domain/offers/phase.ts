import type { FieldProblem } from '../errors/errors.ts';
import { isCurrency } from '../money/money.ts';
import type { RecurringInterval } from '../rows/enums.ts';

/** Amount in minor units of a currency. */
export type CurrencyAmount = { readonly currency: string; readonly amount: number };

type Discount = {
  /** Number of billing cycles, at least 1. `null` if the phase doesn't end. */
  readonly durationCycles: number | null;
  /** Billing interval of a fixed price. `null` if the plan's interval applies. */
  readonly durationInterval: RecurringInterval | null;
};

/** Phase of an offer (OFR-2). Values are days, basis points, or amounts by currency. */
export type OfferPhase =
  | { readonly type: 'free_trial'; readonly durationDays: number }
  | (Discount & { readonly type: 'percentage'; readonly percentage: number })
  | (Discount & { readonly type: 'amount_off'; readonly amounts: readonly CurrencyAmount[] })
  | (Discount & { readonly type: 'fixed_price'; readonly prices: readonly CurrencyAmount[] });

/**
 * Returns the amounts of a phase by currency, and the name of the field that contains them. `null` if
 * the phase has no amounts.
 */
function amountsOf(
  phase: OfferPhase,
): { name: 'amounts' | 'prices'; list: readonly CurrencyAmount[] } | null {
  if (phase.type === 'amount_off') return { name: 'amounts', list: phase.amounts };
  return phase.type === 'fixed_price' ? { name: 'prices', list: phase.prices } : null;
}

/**
 * Returns the amount in a currency. `undefined` if the phase has no amount in that currency, because amounts
 * are never converted (OFR-6).
 */
export const amountIn = (list: readonly CurrencyAmount[], currency: string): number | undefined =>
  list.find((entry) => entry.currency === currency)?.amount;

/**
 * Returns true if a phase has every amount that it needs in a currency. Free trials and percentages need no
 * amounts.
 */
export const isPricedIn = (phase: OfferPhase, currency: string): boolean => {
  const amounts = amountsOf(phase);
  return amounts === null || amountIn(amounts.list, currency) !== undefined;
};

function currencyProblems(phase: OfferPhase, path: string): FieldProblem[] {
  const amounts = amountsOf(phase);
  if (amounts === null) return [];
  return amounts.list.flatMap(({ currency }, index) => {
    const field = `${path}.${amounts.name}.${index}.currency`;
    if (!isCurrency(currency))
      return [
        {
          field,
          message: `The currency ${currency} isn't supported. Use a code from the list of currencies.`,
        },
      ];
    const isRepeated = amounts.list.slice(0, index).some((earlier) => earlier.currency === currency);
    return isRepeated
      ? [
          {
            field,
            message: `The phase has more than one amount in ${currency}. List each currency only once.`,
          },
        ]
      : [];
  });
}

/**
 * Returns the semantic problems with an offer's phases (OFR-3). Detects misplaced trials and unlimited phases,
 * intervals on phases without a fixed price, and repeated or unsupported currencies. Empty if the phases are valid.
 */
export const phaseProblems = (phases: readonly OfferPhase[]): FieldProblem[] =>
  phases.flatMap((phase, index) => {
    const path = `phases.${index}`;
    if (phase.type === 'free_trial')
      return index === 0 ? [] : [{ field: `${path}.type`, message: 'A free trial must be the first phase.' }];
    const problems: FieldProblem[] = [];
    if (phase.durationCycles === null && index < phases.length - 1)
      problems.push({
        field: `${path}.durationCycles`,
        message: 'Every phase except the last must have an end. Set `durationCycles`.',
      });
    if (phase.durationInterval !== null && phase.type !== 'fixed_price')
      problems.push({
        field: `${path}.durationInterval`,
        message: 'Only a phase with a fixed price can have its own interval.',
      });
    return [...problems, ...currencyProblems(phase, path)];
  });
