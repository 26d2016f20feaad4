import type { Line, Step } from '../../../parts/catalog/model/step.ts';
import type { CatalogImpactOfQuery, CatalogImpactOfQueryVariables } from './impact.graphql';

/** Catalog change whose impact can be queried. */
type CatalogChange = CatalogImpactOfQueryVariables['change'];
/** Feature term that a catalog change can affect, such as the unit price. */
type CatalogTerm = CatalogImpactOfQuery['catalogImpact']['terms'][number]['term'];

/** Arguments of an impact query: the change, and the changed term if the change affects several terms. */
export type ImpactQuestion = { readonly change: CatalogChange; readonly term?: CatalogTerm };

/** API names of feature terms, by field name. */
const terms: Readonly<Record<string, CatalogTerm>> = {
  enabled: 'enabled',
  includedAmount: 'included_amount',
  unlimited: 'unlimited',
  overageEnabled: 'overage_enabled',
  unitPrice: 'unit_price',
  creditsPerUnit: 'credits_per_unit',
};

/**
 * Returns the impact query for a changed value. `null` if the text shown with the value already states which
 * subscribers are affected.
 */
export function impactQuestion(planId: string, step: Step, line: Line): ImpactQuestion | null {
  const { about, command } = step;
  if (about !== null && 'priceId' in about) {
    const { priceId } = about;
    if (line.what === 'price' && typeof line.to === 'number')
      return { change: { priceUpdate: { planId, priceId, price: line.to } } };
    if (line.what === 'priceArchived') return { change: { priceArchive: { planId, priceId } } };
  }
  const { featureId, ...input } = step.input((id) => id);
  if (typeof featureId !== 'string') return null;
  if (line.what === 'featureRemoved') return { change: { featureRemove: { planId, featureId } } };
  if (command === 'featureRateSet' && line.what === 'rate')
    return { change: { featureRateSet: { ...input, planId, featureId } } };
  const term = terms[line.what];
  if (command !== 'featureUpdate' || term === undefined) return null;
  return { change: { featureUpdate: { ...input, planId, featureId } }, term };
}
