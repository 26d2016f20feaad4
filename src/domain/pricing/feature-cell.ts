import type { FieldProblem } from '../errors/errors.ts';
import { perUnitRate } from '../rates/held.ts';
import { rateDocument } from '../rates/rate.ts';
import type { ConsumptionModel, FeatureType, PricingMode } from '../rows/enums.ts';
import type { StoredTerms } from './terms.ts';

// A cell is the combination of feature type, consumption model, and pricing mode. It determines which terms a feature in a plan can have
// (CAT-33, CAT-34).

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
};

/** Properties of the plan and the feature that determine which terms are allowed. */
export type CellDetails = {
  readonly type: FeatureType;
  readonly consumptionModel: ConsumptionModel;
  readonly isFree: boolean;
};

type Cell = 'switch' | 'counted' | 'credits' | 'fixed' | 'ai_model';

const termsByCell: Record<Cell, readonly string[]> = {
  switch: [],
  counted: ['includedAmount', 'unlimited', 'overage.enabled', 'overage.unitPrice'],
  credits: ['creditsPerUnit'],
  // On balance plans, the unit price is the amount deducted from the balance per unit. `overage.enabled` is
  // accepted but has no effect.
  fixed: ['overage.enabled', 'overage.unitPrice'],
  ai_model: ['overage.enabled', 'margin'],
};

function cellOf({ type, consumptionModel }: CellDetails, pricingMode: PricingMode): Cell {
  if (type === 'boolean') return 'switch';
  if (type !== 'usage' || consumptionModel === 'metered') return 'counted';
  return consumptionModel === 'credits' ? 'credits' : pricingMode;
}

/**
 * Returns true if usage of the feature is deducted from a balance. Overage is then accepted but ignored
 * (CAT-34).
 */
export const isDeductedFromBalance = ({
  type,
  consumptionModel,
}: Pick<CellDetails, 'type' | 'consumptionModel'>): boolean =>
  type === 'usage' && consumptionModel === 'balance';

/** Returns true if a feature can have a unit price in a plan (CAT-33). */
export const hasUnitPrice = (details: CellDetails, pricingMode: PricingMode): boolean =>
  termsByCell[cellOf(details, pricingMode)].includes('overage.unitPrice');

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
  creditsPerUnit: null,
  pricingMode: 'fixed',
  marginBps: null,
};

const orStored = (provided: number | null | undefined, stored: bigint | null): bigint | null =>
  provided === undefined || provided === null ? stored : BigInt(provided);

/**
 * Merges the provided terms into the stored terms. `creditsPerUnit: null` removes the value. Overage that is
 * enabled without a price costs 0. A provided unit price replaces the rate.
 */
export function mergedTerms(stored: StoredTerms, provided: ProvidedTerms): StoredTerms {
  const { enabled: overageEnabled, unitPrice } = provided.overage ?? {};
  return {
    enabled: provided.enabled ?? stored.enabled,
    includedAmount: BigInt(provided.includedAmount ?? stored.includedAmount),
    unlimited: provided.unlimited ?? stored.unlimited,
    overageEnabled: overageEnabled ?? stored.overageEnabled,
    rate: isProvided(unitPrice) ? rateDocument(perUnitRate(BigInt(unitPrice))) : stored.rate,
    creditsPerUnit:
      provided.creditsPerUnit === null ? null : orStored(provided.creditsPerUnit, stored.creditsPerUnit),
    pricingMode: provided.pricingMode ?? stored.pricingMode,
    marginBps: provided.margin ?? stored.marginBps,
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
 * don't allow, an AI model price without a balance (CAT-35), missing credits per unit, and overage on a free plan
 * (CAT-8). Empty if the terms are valid.
 */
export function problemsOf(details: CellDetails, provided: ProvidedTerms, next: StoredTerms): FieldProblem[] {
  if (
    next.pricingMode === 'ai_model' &&
    (details.consumptionModel !== 'balance' || details.type !== 'usage')
  ) {
    return [
      {
        field: 'pricingMode',
        message: 'Pricing by AI model is only available for usage features of balance plans.',
      },
    ];
  }
  const cell = cellOf(details, next.pricingMode);
  const allowed = termsByCell[cell];
  const problems: FieldProblem[] = providedNames(provided)
    .filter((name) => !allowed.includes(name))
    .map((name) => ({
      field: name,
      message: `${name} isn't supported for ${details.type} features of ${details.consumptionModel} plans${cell === 'fixed' || cell === 'ai_model' ? ` if the pricing mode is ${cell}` : ''}.`,
    }));
  if (cell === 'credits' && next.creditsPerUnit === null) {
    problems.push({
      field: 'creditsPerUnit',
      message: 'A usage feature of a credits plan requires creditsPerUnit.',
    });
  }
  return [...problems, ...problemsOfFreePlan(details, cell, provided)];
}
