import { exponentOf, rateToMinor } from '../../../../domain/money/money.ts';
import { whole } from '../../../../domain/rates/exact.ts';
import { roundedPrice } from '../../../../domain/rates/price.ts';
import type { Rate } from '../../../../domain/rates/rate.ts';
import { modelOf } from './feature-fields.ts';
import { type PhaseDraft, priceInPhase } from './phases.ts';
import type { FeatureDraft, PlanDraft, PriceDraft } from './plan-draft.ts';

// Calculates the first charges of a new customer in the browser, because the plan may not be saved yet. Amounts are before tax.

/** Line item of an example invoice. Amounts are in minor units. */
type ExampleLine =
  | { readonly kind: 'base'; readonly amount: number }
  | { readonly kind: 'discount'; readonly amount: number }
  | {
      readonly kind: 'seats';
      readonly feature: string;
      readonly quantity: number;
      /** Price of each unit. `null` if the price of a unit depends on the quantity. */
      readonly unitPrice: number | null;
      readonly amount: number;
    };

/** Charges for a billing period with example usage. */
export type ExampleInvoice = {
  readonly currency: string;
  /** Number of days until the first invoice. 0 if the first invoice is issued immediately. */
  readonly afterDays: number;
  readonly lines: readonly ExampleLine[];
  readonly total: number;
  /** Charges at the end of the period for usage above the included amount. */
  readonly later: readonly UsageLine[];
};

/** Charge at the end of the period for a feature's usage above the included amount. */
type UsageLine = {
  readonly feature: string;
  readonly used: number;
  readonly included: number;
  readonly over: number;
  /** Price of each unit. `null` if the price of a unit depends on the quantity. */
  readonly unitPrice: number | null;
  readonly amount: number;
};

/** Base amount of a plan in the currency of the example, and the unit prices in that currency. */
export type ExampleTerms = {
  readonly amount: number;
  readonly currency: string;
  readonly unitPriceOf: (feature: FeatureDraft) => number | null;
  /** Returns the rate of a feature. `null` if the feature has only a price per unit. By default, no feature has a rate. */
  readonly rateOf?: (feature: FeatureDraft) => Rate | null;
  /** Phases of the introductory offer, which replaces the price's own trial. Defaults to no offer. */
  readonly phases?: readonly PhaseDraft[];
};

const unitsOver = (feature: FeatureDraft, used: number): number =>
  feature.unlimited || !feature.enabled || !feature.overageEnabled
    ? 0
    : Math.max(0, used - feature.includedAmount);

/** Returns the price of a number of units in minor units. `null` if there is no price. */
function costOf(units: number, unitPrice: number | null, rate: Rate | null, currency: string): number | null {
  if (rate !== null)
    return Number(roundedPrice(rate, whole(BigInt(units)), 10n ** BigInt(exponentOf(currency))));
  return unitPrice === null ? null : Number(rateToMinor(BigInt(units) * BigInt(unitPrice), currency));
}

/**
 * Returns the first invoice of a customer with the given usage, and the usage charges at the end of the period. Seats and quota above the included
 * amount are charged in advance, usage in arrears.
 */
export function exampleInvoice(
  plan: Pick<PlanDraft, 'features' | 'model'>,
  price: Pick<PriceDraft, 'trialDays'>,
  terms: ExampleTerms,
  use: Readonly<Record<string, number>>,
): ExampleInvoice {
  const { amount, currency, unitPriceOf, rateOf = () => null, phases = [] } = terms;
  const trial = phases.find(({ type }) => type === 'free_trial');
  const discount = phases.find(({ type }) => type !== 'free_trial');
  const discounted = discount === undefined ? null : priceInPhase(discount, amount, currency);
  const lines: ExampleLine[] = [{ kind: 'base', amount }];
  if (discounted !== null && discounted < amount)
    lines.push({ kind: 'discount', amount: discounted - amount });
  const later: UsageLine[] = [];
  for (const feature of plan.features) {
    const used = use[feature.code] ?? 0;
    const over = unitsOver(feature, used);
    const rate = rateOf(feature);
    const unitPrice = rate === null ? unitPriceOf(feature) : null;
    const cost = costOf(over, unitPrice, rate, currency);
    if (over === 0 || cost === null) continue;
    if (feature.type === 'usage' && modelOf(feature, plan) === 'metered')
      later.push({
        feature: feature.name,
        used,
        included: feature.includedAmount,
        over,
        unitPrice,
        amount: cost,
      });
    if (feature.type === 'seats' || feature.type === 'quota')
      lines.push({ kind: 'seats', feature: feature.name, quantity: over, unitPrice, amount: cost });
  }
  return {
    currency,
    afterDays: phases.length === 0 ? price.trialDays : (trial?.days ?? 0),
    lines,
    total: lines.reduce((sum, line) => sum + line.amount, 0),
    later,
  };
}
