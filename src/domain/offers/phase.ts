import type { RecurringInterval } from '../enums.ts';
import type { FieldProblem } from '../errors.ts';
import { isCurrency } from '../money.ts';

/** An amount in one currency, in its minor units. */
export type CurrencyAmount = { readonly currency: string; readonly amount: number };

type Discount = {
  /** Billing cycles, from 1; null for an open end. */
  readonly durationCycles: number | null;
  /** The interval a fixed price is billed in; null for that of the plan. */
  readonly durationInterval: RecurringInterval | null;
};

/** One benefit of an offer (OFR-2): days, basis points, or amounts by currency. */
export type OfferPhase =
  | { readonly type: 'free_trial'; readonly durationDays: number }
  | (Discount & { readonly type: 'percentage'; readonly percentage: number })
  | (Discount & { readonly type: 'amount_off'; readonly amounts: readonly CurrencyAmount[] })
  | (Discount & { readonly type: 'fixed_price'; readonly prices: readonly CurrencyAmount[] });

/** The amounts of a phase by currency, and what the list is called; null where it has none. */
function amountsOf(
  phase: OfferPhase,
): { name: 'amounts' | 'prices'; list: readonly CurrencyAmount[] } | null {
  if (phase.type === 'amount_off') return { name: 'amounts', list: phase.amounts };
  return phase.type === 'fixed_price' ? { name: 'prices', list: phase.prices } : null;
}

/**
 * The amount of a phase in a currency; undefined when it has none there. Amounts are never converted (OFR-6).
 */
export const amountIn = (list: readonly CurrencyAmount[], currency: string): number | undefined =>
  list.find((entry) => entry.currency === currency)?.amount;

/** Whether every amount a phase needs is given in a currency; free trials and percentages need none. */
export const isPricedIn = (phase: OfferPhase, currency: string): boolean => {
  const amounts = amountsOf(phase);
  return amounts === null || amountIn(amounts.list, currency) !== undefined;
};

function currencyProblems(phase: OfferPhase, path: string): FieldProblem[] {
  const amounts = amountsOf(phase);
  if (amounts === null) return [];
  return amounts.list.flatMap(({ currency }, index) => {
    const field = `${path}.${amounts.name}.${index}.currency`;
    if (!isCurrency(currency)) return [{ field, message: `${currency} is no supported currency.` }];
    const isRepeated = amounts.list.slice(0, index).some((earlier) => earlier.currency === currency);
    return isRepeated ? [{ field, message: `The phase has an amount in ${currency} already.` }] : [];
  });
}

/**
 * Everything that is wrong with the phases of an offer beyond their shape (OFR-3): a trial that is not first,
 * an open end that is not last, an interval on something else than a fixed price, currencies that repeat or
 * are not supported. Empty when they agree.
 */
export const phaseProblems = (phases: readonly OfferPhase[]): FieldProblem[] =>
  phases.flatMap((phase, index) => {
    const path = `phases.${index}`;
    if (phase.type === 'free_trial')
      return index === 0
        ? []
        : [{ field: `${path}.type`, message: 'A free trial can only be the first phase.' }];
    const problems: FieldProblem[] = [];
    if (phase.durationCycles === null && index < phases.length - 1)
      problems.push({
        field: `${path}.durationCycles`,
        message: 'Only the last phase can have an open end.',
      });
    if (phase.durationInterval !== null && phase.type !== 'fixed_price')
      problems.push({
        field: `${path}.durationInterval`,
        message: 'Only a fixed price has an interval of its own.',
      });
    return [...problems, ...currencyProblems(phase, path)];
  });
