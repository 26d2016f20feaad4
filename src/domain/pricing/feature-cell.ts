import type { FieldProblem } from '../errors/errors.ts';
import { type CostDocument, isDerived, isFromModels, type PriceDocument } from '../rates/derived.ts';
import { perUnitRate } from '../rates/held.ts';
import { rateDocument } from '../rates/rate.ts';
import type { ConsumptionModel, FeatureType } from '../rows/enums.ts';
import { overridesFitting } from './local-rates.ts';
import { creditsPool, isCustom, moneyPool, type Pool } from './pools.ts';
import type { StoredTerms } from './terms.ts';

// A cell is the combination of feature type, settlement, and source of the price. It determines which terms a feature in a plan can have
// (CAT-33, CAT-34).

/** Source of a unit price in the API: the plan, or the token prices of AI models (CAT-35). */
export type PricingMode = 'fixed' | 'ai_model';

/** Price and cost of a feature in a plan. */
type Prices = { readonly rate: PriceDocument | null; readonly costRate: CostDocument | null };

/** Returns the source of a feature's unit price in the API. */
export const pricingModeOf = ({ rate, costRate }: Prices): PricingMode =>
  isDerived(rate) && isFromModels(costRate) ? 'ai_model' : 'fixed';

/** Returns the margin on the prices of AI models in basis points. `null` if no margin was set. */
export const marginOf = (prices: Prices): number | null =>
  isDerived(prices.rate) && pricingModeOf(prices) === 'ai_model' ? (prices.rate.marginBps ?? null) : null;

/**
 * Terms from an API client. `undefined` and `null` both mean "not provided". Included amounts are numbers of
 * units, prices are rates (10,000 = 1.00), and the margin is in basis points.
 */
export type ProvidedTerms = {
  readonly enabled?: boolean | null | undefined;
  readonly includedAmount?: number | null | undefined;
  readonly unlimited?: boolean | null | undefined;
  readonly overage?:
    | { readonly enabled?: boolean | null | undefined; readonly unitPrice?: number | null | undefined }
    | null
    | undefined;
  readonly creditsPerUnit?: number | null | undefined;
  readonly pricingMode?: PricingMode | null | undefined;
  readonly margin?: number | null | undefined;
  /** Settlement: `invoice`, or a pool. */
  readonly settle?: string | null | undefined;
};

/** Properties of the plan and the feature that determine which terms are allowed. */
export type CellDetails = {
  readonly type: FeatureType;
  readonly consumptionModel: ConsumptionModel;
  /** Pool from which usage is deducted. `null` if the units are invoiced. */
  readonly pool: Pool | null;
  /** True if the feature has its own settlement. The feature can then include units of a pool. */
  readonly isOwn?: boolean;
  readonly isFree: boolean;
};

type Cell = 'switch' | 'counted' | 'credits' | 'fixed' | 'derived';

const termsByCell: Record<Cell, readonly string[]> = {
  switch: [],
  counted: ['includedAmount', 'unlimited', 'overage.enabled', 'overage.unitPrice'],
  credits: ['creditsPerUnit'],
  // On balance plans, the unit price is the amount deducted from the balance per unit. `overage.enabled` is
  // accepted but has no effect.
  fixed: ['overage.enabled', 'overage.unitPrice'],
  derived: ['overage.enabled', 'margin'],
};

function cellOf({ type, pool }: CellDetails, rate: PriceDocument | null): Cell {
  if (type === 'boolean') return 'switch';
  if (pool === null) return 'counted';
  if (isCustom(pool)) return 'credits';
  return isDerived(rate) ? 'derived' : 'fixed';
}

/** Additional terms that a feature with its own settlement can have. A derived rate includes no units (PRM-113). */
const ownTerms = (cell: Cell): readonly string[] =>
  cell === 'credits' || cell === 'fixed' ? ['includedAmount', 'unlimited'] : [];

/** Returns true if a feature can have a unit price in a plan (CAT-33). `rate` is its current price. */
export const hasUnitPrice = (details: CellDetails, rate: PriceDocument | null): boolean =>
  termsByCell[cellOf(details, rate)].includes('overage.unitPrice');

/** Returns true if a feature can have a rate in a plan: a unit price, or credits per unit (CAT-34a). */
export const canHaveRate = (details: CellDetails, rate: PriceDocument | null): boolean =>
  isCustom(details.pool) || hasUnitPrice(details, rate);

const isProvided = <T>(value: T): value is NonNullable<T> => value !== undefined && value !== null;

/** Returns the names of the provided terms. Omits terms that are allowed in every plan and for every feature type. */
const providedNames = (provided: ProvidedTerms): string[] =>
  Object.entries({
    includedAmount: provided.includedAmount,
    unlimited: provided.unlimited,
    'overage.enabled': provided.overage?.enabled,
    'overage.unitPrice': provided.overage?.unitPrice,
    creditsPerUnit: provided.creditsPerUnit,
    margin: provided.margin,
  })
    .filter(([, value]) => isProvided(value))
    .map(([name]) => name);

export const defaultTerms: StoredTerms = {
  enabled: true,
  includedAmount: 0n,
  unlimited: false,
  overageEnabled: false,
  rate: null,
  overrides: [],
  costRate: null,
  settle: null,
};

/** Merges the provided source of the price, margin, unit price and credits per unit into the stored prices. */
function mergedPrices(
  details: CellDetails,
  { rate, costRate }: Prices,
  { pricingMode, margin, overage, creditsPerUnit }: ProvidedTerms,
): Prices {
  if (pricingMode === 'ai_model')
    return {
      rate: { from: 'cost', ...(isProvided(margin) && { marginBps: margin }) },
      costRate: { from: 'ai_models' },
    };
  if (isCustom(details.pool)) {
    if (creditsPerUnit === undefined) return { rate, costRate };
    const inCredits = creditsPerUnit === null ? null : perUnitRate(BigInt(creditsPerUnit), 0);
    return { rate: inCredits === null ? null : rateDocument(inCredits), costRate };
  }
  const unitPrice = overage?.unitPrice;
  return isProvided(unitPrice) && !isDerived(rate)
    ? { rate: rateDocument(perUnitRate(BigInt(unitPrice))), costRate }
    : { rate, costRate };
}

/**
 * Merges the provided terms into the stored terms. Provided credits per unit or a provided unit price replace the rate, except for a
 * derived rate. `creditsPerUnit: null` removes the rate. Overage that is enabled without a price costs 0.
 */
export function mergedTerms(details: CellDetails, stored: StoredTerms, provided: ProvidedTerms): StoredTerms {
  const prices = mergedPrices(details, stored, provided);
  return {
    enabled: provided.enabled ?? stored.enabled,
    includedAmount: BigInt(provided.includedAmount ?? stored.includedAmount),
    unlimited: provided.unlimited ?? stored.unlimited,
    overageEnabled: provided.overage?.enabled ?? stored.overageEnabled,
    settle: provided.settle ?? stored.settle,
    overrides: overridesFitting(prices.rate, stored.overrides),
    ...prices,
  };
}

function problemsOfFreePlan({ isFree }: CellDetails, cell: Cell, provided: ProvidedTerms): FieldProblem[] {
  if (!isFree) return [];
  const problems: FieldProblem[] = [];
  if (provided.overage?.enabled === true)
    problems.push({ field: 'overage.enabled', message: "A free plan can't charge for overage." });
  if (cell !== 'fixed' && isProvided(provided.overage?.unitPrice)) {
    problems.push({ field: 'overage.unitPrice', message: "A free plan can't charge for overage." });
  }
  return problems;
}

/**
 * Returns the problems of the provided terms and of the resulting terms `next`. Rejects terms that the plan and feature
 * don't allow, a derived price without a balance (CAT-35), missing credits per unit, and overage on a free plan
 * (CAT-8). Empty if the terms are valid.
 */
export function problemsOf(details: CellDetails, provided: ProvidedTerms, next: StoredTerms): FieldProblem[] {
  if (isDerived(next.rate) && (details.pool !== moneyPool || details.type !== 'usage')) {
    return [
      {
        field: 'pricingMode',
        message: 'Pricing by AI model is only available for usage features of balance plans.',
      },
    ];
  }
  const cell = cellOf(details, next.rate);
  const allowed = [...termsByCell[cell], ...(details.isOwn === true ? ownTerms(cell) : [])];
  const problems: FieldProblem[] = providedNames(provided)
    .filter((name) => !allowed.includes(name))
    .map((name) => ({
      field: name,
      message: `${name} isn't supported for ${details.type} features of ${details.consumptionModel} plans${cell === 'fixed' || cell === 'derived' ? ` if the pricing mode is ${pricingModeOf(next)}` : ''}.`,
    }));
  if (details.pool === creditsPool && next.rate === null) {
    problems.push({
      field: 'creditsPerUnit',
      message: 'A usage feature of a credits plan requires creditsPerUnit.',
    });
  }
  return [...problems, ...problemsOfFreePlan(details, cell, provided)];
}
