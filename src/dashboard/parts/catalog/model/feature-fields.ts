import type { FeatureDraft, Model, PlanDraft } from './plan-draft.ts';

export type FeatureField =
  | 'includedAmount'
  | 'unlimited'
  | 'overage'
  | 'unitPrice'
  | 'creditsPerUnit'
  | 'margin';

const counted: readonly FeatureField[] = ['includedAmount', 'unlimited', 'overage', 'unitPrice'];

/** Asset of a plan's balance. */
export const moneyAsset = 'usd';

const assets: Readonly<Record<Model, string | null>> = {
  metered: null,
  credits: 'credits',
  balance: moneyAsset,
};

type Settled = Pick<FeatureDraft, 'type' | 'settle'>;

/** Returns the asset of the pool from which usage of a feature is deducted. `null` if the units are invoiced. */
export function poolOf({ type, settle }: Settled, { model }: Pick<PlanDraft, 'model'>): string | null {
  if (type !== 'usage') return null;
  return settle === null ? assets[model] : settle.pool;
}

/** Returns the consumption model in which a feature is billed. Custom units are billed like credits. */
export function modelOf(feature: Settled, plan: Pick<PlanDraft, 'model'>): Model {
  const pool = poolOf(feature, plan);
  if (pool === null) return 'metered';
  return pool === moneyAsset ? 'balance' : 'credits';
}

/**
 * Returns the terms that a feature can have in a plan, depending on its type, its settlement and the pricing mode. The service rejects
 * all other terms. A free plan has no overage.
 */
export function featureFields(
  feature: Settled & Pick<FeatureDraft, 'pricingMode'>,
  plan: Pick<PlanDraft, 'model' | 'isFree'>,
): readonly FeatureField[] {
  if (feature.type === 'boolean') return [];
  const model = modelOf(feature, plan);
  if (model === 'metered') return plan.isFree ? ['includedAmount', 'unlimited'] : counted;
  if (feature.pricingMode === 'ai_model') return ['margin'];
  const own: readonly FeatureField[] = feature.settle === null ? [] : ['includedAmount', 'unlimited'];
  return [...own, model === 'credits' ? 'creditsPerUnit' : 'unitPrice'];
}

/** True if usage of a feature can be priced by AI model in a plan. */
export const canBePricedByModel = (feature: Settled, plan: Pick<PlanDraft, 'model'>): boolean =>
  modelOf(feature, plan) === 'balance';

/** Returns the terms of a feature after its settlement changed. The price is removed, because it's in another asset. */
export function withSettlement(
  feature: FeatureDraft,
  plan: Pick<PlanDraft, 'model'>,
  pool: string | null,
): Partial<FeatureDraft> {
  const model = modelOf({ type: feature.type, settle: { pool } }, plan);
  return {
    settle: { pool },
    rate: null,
    overrides: [],
    card: null,
    derived: null,
    pricingMode: 'fixed',
    margin: null,
    overageEnabled: false,
    unitPrice: model === 'credits' ? null : 0,
    creditsPerUnit: model === 'credits' ? 1 : null,
  };
}
