import { rateToMinor } from '../../../../domain/money.ts';
import { type PhaseDraft, priceInPhase } from './phases.ts';
import type { FeatureDraft, PlanDraft, PriceDraft } from './plan-draft.ts';

// An example of what a new customer is billed, worked out on the page because the plan may not be stored yet. Before tax.

/** A line of an example invoice. Amounts are minor units. */
export type ExampleLine =
  | { readonly kind: 'base'; readonly amount: number }
  | { readonly kind: 'discount'; readonly amount: number }
  | {
      readonly kind: 'seats';
      readonly feature: string;
      readonly quantity: number;
      readonly unitPrice: number;
      readonly amount: number;
    };

/** What a period costs for an example use. */
export type ExampleInvoice = {
  readonly currency: string;
  /** Days before the first invoice; 0 for at once. */
  readonly afterDays: number;
  readonly lines: readonly ExampleLine[];
  readonly total: number;
  /** Charged at the end of the period for use above what is included. */
  readonly later: readonly UsageLine[];
};

/** Use above the included units, charged when the period ends. */
export type UsageLine = {
  readonly feature: string;
  readonly used: number;
  readonly included: number;
  readonly over: number;
  readonly unitPrice: number;
  readonly amount: number;
};

/** The amount of a plan base in the currency of the example, with the unit prices that go with it. */
export type ExampleTerms = {
  readonly amount: number;
  readonly currency: string;
  readonly unitPriceOf: (feature: FeatureDraft) => number | null;
  /** The phases of the introductory offer; none without one. It takes the place of the price's own trial. */
  readonly phases?: readonly PhaseDraft[];
};

const unitsOver = (feature: FeatureDraft, used: number): number =>
  feature.unlimited || !feature.enabled || !feature.overageEnabled
    ? 0
    : Math.max(0, used - feature.includedAmount);

/**
 * The first invoice of a customer who uses so many units of each feature, and what the use costs at the end of the period. Seats and quota above the
 * included count are paid in advance, usage afterwards.
 */
export function exampleInvoice(
  plan: Pick<PlanDraft, 'features' | 'model'>,
  price: Pick<PriceDraft, 'trialDays'>,
  terms: ExampleTerms,
  use: Readonly<Record<string, number>>,
): ExampleInvoice {
  const { amount, currency, unitPriceOf, phases = [] } = terms;
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
    const unitPrice = unitPriceOf(feature);
    if (over === 0 || unitPrice === null) continue;
    const cost = Number(rateToMinor(BigInt(over) * BigInt(unitPrice), currency));
    if (feature.type === 'usage' && plan.model === 'metered')
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
