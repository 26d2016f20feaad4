import type { FieldProblem } from '../../domain/errors.ts';
import type { FeatureTerms } from '../../domain/pricing/terms.ts';
import type { ConsumptionModel, FeatureType, PricingMode } from '../../domain/words.ts';

// Which terms a feature can have in a plan depends on its type, the plan's consumption model and the pricing mode: its cell (CAT-33, CAT-34).

/** Terms as a caller gives them; undefined and null are both "not given". Amounts are units, prices at rate scale, the margin basis points. */
export type GivenTerms = {
  readonly enabled?: boolean | null | undefined;
  readonly includedAmount?: number | null | undefined;
  readonly unlimited?: boolean | null | undefined;
  readonly overage?: { readonly enabled?: boolean | null | undefined; readonly unitPrice?: number | null | undefined } | null | undefined;
  readonly creditsPerUnit?: number | null | undefined;
  readonly pricingMode?: PricingMode | null | undefined;
  readonly margin?: number | null | undefined;
};

/** What of the plan and the feature the cell depends on. */
export type CellFacts = { readonly type: FeatureType; readonly consumptionModel: ConsumptionModel; readonly isFree: boolean };

type Cell = 'switch' | 'counted' | 'credits' | 'fixed' | 'ai_model';

const termsByCell: Record<Cell, readonly string[]> = {
  switch: [],
  counted: ['includedAmount', 'unlimited', 'overage.enabled', 'overage.unitPrice'],
  credits: ['creditsPerUnit'],
  // On balance plans the unit price is what a unit takes from the balance; switching overage on is accepted and means nothing.
  fixed: ['overage.enabled', 'overage.unitPrice'],
  ai_model: ['overage.enabled', 'margin'],
};

function cellOf({ type, consumptionModel }: CellFacts, pricingMode: PricingMode): Cell {
  if (type === 'boolean') return 'switch';
  if (type !== 'usage' || consumptionModel === 'metered') return 'counted';
  return consumptionModel === 'credits' ? 'credits' : pricingMode;
}

/** Whether a feature can have a unit price in a plan (CAT-33). */
export const hasUnitPrice = (facts: CellFacts, pricingMode: PricingMode): boolean =>
  termsByCell[cellOf(facts, pricingMode)].includes('overage.unitPrice');

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** The names of the given terms but for those every cell has. */
const givenNames = (given: GivenTerms): string[] =>
  Object.entries({
    includedAmount: given.includedAmount,
    unlimited: given.unlimited,
    'overage.enabled': given.overage?.enabled,
    'overage.unitPrice': given.overage?.unitPrice,
    creditsPerUnit: given.creditsPerUnit,
    margin: given.margin,
  })
    .filter(([, value]) => isGiven(value))
    .map(([name]) => name);

/** Terms before any were given. */
export const defaultTerms: FeatureTerms = {
  enabled: true,
  includedAmount: 0n,
  unlimited: false,
  overageEnabled: false,
  unitPriceRate: null,
  creditsPerUnit: null,
  pricingMode: 'fixed',
  marginBps: null,
};

const orStored = (given: number | null | undefined, stored: bigint | null): bigint | null =>
  given === undefined || given === null ? stored : BigInt(given);

/** The given terms laid over the stored ones. A null `creditsPerUnit` takes it away; overage switched on without a price costs 0. */
export function laidOver(stored: FeatureTerms, given: GivenTerms): FeatureTerms {
  const overageEnabled = given.overage?.enabled ?? stored.overageEnabled;
  return {
    enabled: given.enabled ?? stored.enabled,
    includedAmount: BigInt(given.includedAmount ?? stored.includedAmount),
    unlimited: given.unlimited ?? stored.unlimited,
    overageEnabled,
    unitPriceRate: orStored(given.overage?.unitPrice, stored.unitPriceRate),
    creditsPerUnit: given.creditsPerUnit === null ? null : orStored(given.creditsPerUnit, stored.creditsPerUnit),
    pricingMode: given.pricingMode ?? stored.pricingMode,
    marginBps: given.margin ?? stored.marginBps,
  };
}

function problemsOfFreePlan({ isFree }: CellFacts, cell: Cell, given: GivenTerms): FieldProblem[] {
  if (!isFree) return [];
  const problems: FieldProblem[] = [];
  if (given.overage?.enabled === true) problems.push({ field: 'overage.enabled', message: 'A free plan cannot sell overage.' });
  if (cell !== 'fixed' && isGiven(given.overage?.unitPrice)) {
    problems.push({ field: 'overage.unitPrice', message: 'A free plan cannot sell overage.' });
  }
  return problems;
}

/**
 * What is wrong with the given terms, which lead to `next`: terms outside the cell, `ai_model` where no balance pays for usage (CAT-35),
 * missing credits per unit, overage on a free plan (CAT-8). Empty when all is well.
 */
export function problemsOf(facts: CellFacts, given: GivenTerms, next: FeatureTerms): FieldProblem[] {
  if (next.pricingMode === 'ai_model' && (facts.consumptionModel !== 'balance' || facts.type !== 'usage')) {
    return [{ field: 'pricingMode', message: 'Pricing by AI model exists for usage features of balance plans only.' }];
  }
  const cell = cellOf(facts, next.pricingMode);
  const allowed = termsByCell[cell];
  const problems: FieldProblem[] = givenNames(given)
    .filter((name) => !allowed.includes(name))
    .map((name) => ({
      field: name,
      message: `${name} does not apply to a ${facts.type} feature of a ${facts.consumptionModel} plan${cell === 'fixed' || cell === 'ai_model' ? ` priced ${cell}` : ''}.`,
    }));
  if (cell === 'credits' && next.creditsPerUnit === null) {
    problems.push({ field: 'creditsPerUnit', message: 'A usage feature of a credits plan needs creditsPerUnit.' });
  }
  return [...problems, ...problemsOfFreePlan(facts, cell, given)];
}
