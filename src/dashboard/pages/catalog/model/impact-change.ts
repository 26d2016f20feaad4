import type { Line, Step } from './step.ts';

/** What the service says the impact of: one change of a stored price or feature. */
export type ImpactChange =
  | { readonly priceUpdate: { readonly planId: string; readonly priceId: string; readonly price: number } }
  | { readonly priceArchive: { readonly planId: string; readonly priceId: string } }
  | { readonly featureRemove: { readonly planId: string; readonly featureId: string } };

/** The change a line of a step makes; null for those whose reach the line says itself. */
export function impactChange(planId: string, step: Step, line: Line): ImpactChange | null {
  const { about } = step;
  if (about !== null && 'priceId' in about) {
    const { priceId } = about;
    if (line.what === 'price' && typeof line.to === 'number')
      return { priceUpdate: { planId, priceId, price: line.to } };
    if (line.what === 'priceArchived') return { priceArchive: { planId, priceId } };
  }
  if (line.what !== 'featureRemoved') return null;
  const { featureId } = step.input((id) => id);
  return typeof featureId === 'string' ? { featureRemove: { planId, featureId } } : null;
}
