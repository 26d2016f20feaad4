import type { PlanDraft } from '../../../../parts/catalog/model/plan-draft.ts';
import type { CatalogPlanPoolSetMutationVariables, PoolTermsFragment } from '../pool.graphql';

/** Ten-thousandths of a currency unit, which amounts of a balance are stored in. */
const scale = 10_000;

/** Values of the pool form. Amounts are strings in credits or US dollars. */
export type PoolDraft = {
  /** Empty if the prices of the plan include different amounts. */
  readonly included: string;
  readonly onEmpty: PoolTermsFragment['onEmpty'];
  readonly rollsOver: boolean;
  /** `null` if rolled over amounts don't expire. */
  readonly windows: number | null;
  /** Empty if there is no maximum. */
  readonly cap: string;
};

const isCredits = ({ asset }: PoolTermsFragment): boolean => asset === 'credits';

/** Converts a stored amount to a string in credits or US dollars. */
const textOf = (pool: PoolTermsFragment, amount: number | null): string => {
  if (amount === null) return '';
  return String(isCredits(pool) ? amount : amount / scale);
};

/** Reads an amount in credits or US dollars. Returns `null` if it's invalid: credits are whole, and dollars have up to four decimals. */
export function poolAmount(pool: PoolTermsFragment, text: string): number | null {
  const pattern = isCredits(pool) ? /^\d{1,15}$/ : /^\d{1,11}(\.\d{1,4})?$/;
  if (!pattern.test(text)) return null;
  return isCredits(pool) ? Number(text) : Math.round(Number(text) * scale);
}

/** Returns the amount that all base prices include. `null` if the plan has no price, or if the amounts differ. */
export function includedOf(pool: PoolTermsFragment, { prices }: Pick<PlanDraft, 'prices'>): number | null {
  const amounts = prices
    .filter(({ baseId }) => baseId === null)
    .map(
      ({ includedCredits, includedBalance }) => (isCredits(pool) ? includedCredits : includedBalance) ?? 0,
    );
  return new Set(amounts).size === 1 ? (amounts[0] ?? null) : null;
}

/** Returns the form values of a pool. */
export const draftOfPool = (pool: PoolTermsFragment, plan: Pick<PlanDraft, 'prices'>): PoolDraft => ({
  included: textOf(pool, includedOf(pool, plan)),
  onEmpty: pool.onEmpty,
  rollsOver: pool.rollover !== null,
  windows: pool.rollover === null ? 1 : pool.rollover.windows,
  cap: textOf(pool, pool.rollover?.cap ?? null),
});

/** Returns true if all amounts are valid. The included amount can only be empty if the prices have no common amount. */
export function isPoolReady(
  plan: Pick<PlanDraft, 'prices'>,
  pool: PoolTermsFragment,
  { included, rollsOver, cap }: PoolDraft,
): boolean {
  const isIncludedValid =
    included === '' ? includedOf(pool, plan) === null : poolAmount(pool, included) !== null;
  return isIncludedValid && (!rollsOver || cap === '' || (poolAmount(pool, cap) ?? 0) > 0);
}

/** Returns the input for a pool. Contains the included amount only if it changed, because it replaces the amounts of all prices. */
export function poolInput(
  plan: Pick<PlanDraft, 'id' | 'prices'>,
  pool: PoolTermsFragment,
  { included, onEmpty, rollsOver, windows, cap }: PoolDraft,
): CatalogPlanPoolSetMutationVariables['input'] {
  const amount = poolAmount(pool, included);
  return {
    planId: plan.id,
    asset: pool.asset,
    ...(amount !== null && amount !== includedOf(pool, plan) && { includedPerWindow: amount }),
    ...(!isCredits(pool) && onEmpty !== pool.onEmpty && { onEmpty }),
    rollover: rollsOver ? { windows, cap: cap === '' ? null : poolAmount(pool, cap) } : null,
  };
}
