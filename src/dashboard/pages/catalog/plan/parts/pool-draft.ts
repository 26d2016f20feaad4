import { moneyAsset } from '../../../../parts/catalog/model/feature-fields.ts';
import type { PlanDraft } from '../../../../parts/catalog/model/plan-draft.ts';
import type { PoolTermsFragment } from '../edit.graphql';
import type { CatalogPlanPoolSetMutationVariables } from '../pool.graphql';

/** Maximum number of pools of a plan. */
export const mostPools = 5;

/** Decimals of the stored amounts of a balance, which are in ten-thousandths of a US dollar. */
const moneyDecimals = 4;

/** Asset of a pool, with the number of decimals of its amounts. */
export type PoolUnit = { readonly asset: string; readonly decimals: number };

/** Returns the unit of an asset. `units` contains the custom units. */
export const unitOf = (
  asset: string,
  units: readonly { readonly code: string; readonly decimals: number }[],
): PoolUnit => ({
  asset,
  decimals: asset === moneyAsset ? moneyDecimals : (units.find(({ code }) => code === asset)?.decimals ?? 0),
});

/** Values of the pool form. Amounts are strings in the unit, such as credits or US dollars. */
export type PoolDraft = {
  readonly asset: string;
  /** Empty if the prices of the plan include different amounts. */
  readonly included: string;
  readonly onEmpty: PoolTermsFragment['onEmpty'];
  /** Price of one unit below zero, in US dollars. Empty for money, and if the pool can't be overdrawn. */
  readonly overdraftRate: string;
  readonly rollsOver: boolean;
  /** `null` if rolled over amounts don't expire. */
  readonly windows: number | null;
  /** Empty if there is no maximum. */
  readonly cap: string;
};

/** Converts a stored amount to a string in the unit. */
const textOf = ({ decimals }: PoolUnit, amount: number | null): string =>
  amount === null ? '' : String(amount / 10 ** decimals);

/** Reads an amount in the unit. Returns `null` if it's invalid, such as an amount with more decimals than the unit. */
export function poolAmount({ decimals }: PoolUnit, text: string): number | null {
  const digits = 15 - decimals;
  const pattern = decimals === 0 ? `\\d{1,${digits}}` : `\\d{1,${digits}}(\\.\\d{1,${decimals}})?`;
  return new RegExp(`^${pattern}$`).test(text) ? Math.round(Number(text) * 10 ** decimals) : null;
}

/**
 * Returns the amount that all base prices include. `null` if the plan has no price, or if the amounts differ. Only the amounts of
 * credits and money can differ.
 */
export function includedOf(
  { asset, includedPerWindow }: Pick<PoolTermsFragment, 'asset' | 'includedPerWindow'>,
  { prices }: Pick<PlanDraft, 'prices'>,
): number | null {
  if (asset !== 'credits' && asset !== moneyAsset) return includedPerWindow;
  const amounts = prices
    .filter(({ baseId }) => baseId === null)
    .map(
      ({ includedCredits, includedBalance }) =>
        (asset === 'credits' ? includedCredits : includedBalance) ?? 0,
    );
  return new Set(amounts).size === 1 ? (amounts[0] ?? null) : null;
}

/** Returns the form values of a pool. `pool` is `null` if the pool is new. */
export const draftOfPool = (
  pool: PoolTermsFragment | null,
  unit: PoolUnit,
  plan: Pick<PlanDraft, 'prices'>,
): PoolDraft => ({
  asset: unit.asset,
  included: pool === null ? '' : textOf(unit, includedOf(pool, plan)),
  onEmpty: pool?.onEmpty ?? 'reject',
  overdraftRate: pool?.overdraftRate ?? '',
  rollsOver: pool !== null && pool.rollover !== null,
  windows: pool === null || pool.rollover === null ? 1 : pool.rollover.windows,
  cap: textOf(unit, pool?.rollover?.cap ?? null),
});

/** Returns true if the form asks for the price of an overdraft. Balances never have this price. */
export const hasOverdraftRate = ({ asset, onEmpty }: Pick<PoolDraft, 'asset' | 'onEmpty'>): boolean =>
  asset !== moneyAsset && onEmpty === 'overdraw';

/** Returns true if all amounts are valid. The included amount can only be empty if the prices have no common amount. */
export function isPoolReady(
  plan: Pick<PlanDraft, 'prices'>,
  pool: PoolTermsFragment | null,
  unit: PoolUnit,
  draft: PoolDraft,
): boolean {
  const { included, rollsOver, cap, overdraftRate } = draft;
  const isIncludedValid =
    included === '' ? pool === null || includedOf(pool, plan) === null : poolAmount(unit, included) !== null;
  return (
    draft.asset !== '' &&
    isIncludedValid &&
    (!hasOverdraftRate(draft) || /^\d{1,9}(\.\d{1,12})?$/.test(overdraftRate)) &&
    (!rollsOver || cap === '' || (poolAmount(unit, cap) ?? 0) > 0)
  );
}

/** Returns the input for a pool. Contains the included amount only if it changed, because it replaces the amounts of all prices. */
export function poolInput(
  plan: Pick<PlanDraft, 'id' | 'prices'>,
  pool: PoolTermsFragment | null,
  unit: PoolUnit,
  draft: PoolDraft,
): CatalogPlanPoolSetMutationVariables['input'] {
  const { included, onEmpty, overdraftRate, rollsOver, windows, cap } = draft;
  const amount = poolAmount(unit, included);
  const rate = hasOverdraftRate(draft) ? overdraftRate : null;
  return {
    planId: plan.id,
    asset: unit.asset,
    ...(amount !== null && amount !== (pool && includedOf(pool, plan)) && { includedPerWindow: amount }),
    ...(onEmpty !== (pool?.onEmpty ?? 'reject') && { onEmpty }),
    ...(rate !== (pool?.overdraftRate ?? null) && { overdraftRate: rate }),
    rollover: rollsOver ? { windows, cap: cap === '' ? null : poolAmount(unit, cap) } : null,
  };
}
