import type { ConsumptionModel, FeatureType, PricingMode } from '../enums.ts';
import type { FieldProblem } from '../errors.ts';
import type { FeatureTerms } from './terms.ts';

// Which terms a feature can have in a plan depends on its type, the plan's consumption model and the pricing
// mode: its cell (CAT-33, CAT-34).

/**
 * Terms as a caller gives them; undefined and null are both "not given". Amounts are units, prices at rate
 * scale, the margin basis points.
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

/** What of the plan and the feature the cell depends on. */
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
  // On balance plans the unit price is what a unit takes from the balance; switching overage on is accepted
  // and means nothing.
  fixed: ['overage.enabled', 'overage.unitPrice'],
  ai_model: ['overage.enabled', 'margin'],
};

function cellOf({ type, consumptionModel }: CellDetails, pricingMode: PricingMode): Cell {
  if (type === 'boolean') return 'switch';
  if (type !== 'usage' || consumptionModel === 'metered') return 'counted';
  return consumptionModel === 'credits' ? 'credits' : pricingMode;
}

/** Whether units of a feature are taken from a balance, which accepts overage and ignores it (CAT-34). */
export const isTakenFromBalance = ({
  type,
  consumptionModel,
}: Pick<CellDetails, 'type' | 'consumptionModel'>): boolean =>
  type === 'usage' && consumptionModel === 'balance';

/** Whether a feature can have a unit price in a plan (CAT-33). */
export const hasUnitPrice = (details: CellDetails, pricingMode: PricingMode): boolean =>
  termsByCell[cellOf(details, pricingMode)].includes('overage.unitPrice');

const isProvided = (value: unknown): boolean => value !== undefined && value !== null;

/** The names of the given terms but for those every cell has. */
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

const orStored = (provided: number | null | undefined, stored: bigint | null): bigint | null =>
  provided === undefined || provided === null ? stored : BigInt(provided);

/**
 * The given terms laid over the stored ones. A null `creditsPerUnit` takes it away; overage switched on
 * without a price costs 0.
 */
export function laidOver(stored: FeatureTerms, provided: ProvidedTerms): FeatureTerms {
  const overageEnabled = provided.overage?.enabled ?? stored.overageEnabled;
  return {
    enabled: provided.enabled ?? stored.enabled,
    includedAmount: BigInt(provided.includedAmount ?? stored.includedAmount),
    unlimited: provided.unlimited ?? stored.unlimited,
    overageEnabled,
    unitPriceRate: orStored(provided.overage?.unitPrice, stored.unitPriceRate),
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
    problems.push({ field: 'overage.enabled', message: 'A free plan cannot sell overage.' });
  if (cell !== 'fixed' && isProvided(provided.overage?.unitPrice)) {
    problems.push({ field: 'overage.unitPrice', message: 'A free plan cannot sell overage.' });
  }
  return problems;
}

/**
 * What is wrong with the given terms, which lead to `next`: terms outside the cell, `ai_model` where no
 * balance pays for usage (CAT-35), missing credits per unit, overage on a free plan (CAT-8). Empty when they
 * agree.
 */
export function problemsOf(
  details: CellDetails,
  provided: ProvidedTerms,
  next: FeatureTerms,
): FieldProblem[] {
  if (
    next.pricingMode === 'ai_model' &&
    (details.consumptionModel !== 'balance' || details.type !== 'usage')
  ) {
    return [
      {
        field: 'pricingMode',
        message: 'Pricing by AI model exists for usage features of balance plans only.',
      },
    ];
  }
  const cell = cellOf(details, next.pricingMode);
  const allowed = termsByCell[cell];
  const problems: FieldProblem[] = providedNames(provided)
    .filter((name) => !allowed.includes(name))
    .map((name) => ({
      field: name,
      message: `${name} does not apply to a ${details.type} feature of a ${details.consumptionModel} plan${cell === 'fixed' || cell === 'ai_model' ? ` priced ${cell}` : ''}.`,
    }));
  if (cell === 'credits' && next.creditsPerUnit === null) {
    problems.push({
      field: 'creditsPerUnit',
      message: 'A usage feature of a credits plan needs creditsPerUnit.',
    });
  }
  return [...problems, ...problemsOfFreePlan(details, cell, provided)];
}
