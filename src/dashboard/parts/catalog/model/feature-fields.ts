import type { FeatureKind, Model, PricingMode } from './plan-draft.ts';

export type FeatureField =
  | 'includedAmount'
  | 'unlimited'
  | 'overage'
  | 'unitPrice'
  | 'creditsPerUnit'
  | 'margin';

const counted: readonly FeatureField[] = ['includedAmount', 'unlimited', 'overage', 'unitPrice'];

/**
 * Returns the terms that a feature can have in a plan, depending on its type, the plan's consumption model and the pricing mode. The service rejects
 * all other terms. A free plan has no overage.
 */
export function featureFields(
  type: FeatureKind,
  plan: { readonly model: Model; readonly isFree: boolean },
  mode: PricingMode,
): readonly FeatureField[] {
  if (type === 'boolean') return [];
  if (type !== 'usage' || plan.model === 'metered')
    return plan.isFree ? ['includedAmount', 'unlimited'] : counted;
  if (plan.model === 'credits') return ['creditsPerUnit'];
  return mode === 'fixed' ? ['unitPrice'] : ['margin'];
}

/** True if usage of a feature can be priced by AI model in a plan. */
export const canBePricedByModel = (type: FeatureKind, model: Model): boolean =>
  type === 'usage' && model === 'balance';
