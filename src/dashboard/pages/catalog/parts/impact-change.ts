import type { Line, Step } from '../../../parts/catalog/model/step.ts';
import type { CatalogImpactOfQuery, CatalogImpactOfQueryVariables } from './impact.graphql';

/** A change of the catalog the service knows the impact of. */
export type CatalogChange = CatalogImpactOfQueryVariables['change'];
/** A term of a feature that changes. */
export type CatalogTerm = CatalogImpactOfQuery['catalogImpact']['terms'][number]['term'];

/** What is asked about a line: the change it is part of, and for new terms of a feature which one it is. */
export type ImpactQuestion = { readonly change: CatalogChange; readonly term?: CatalogTerm };

/** The terms of a feature by what lines call them. */
const terms: Readonly<Record<string, CatalogTerm>> = {
  enabled: 'enabled',
  includedAmount: 'included_amount',
  unlimited: 'unlimited',
  overageEnabled: 'overage_enabled',
  unitPrice: 'unit_price',
  creditsPerUnit: 'credits_per_unit',
};

/** What the service is asked about a line of a step; null for those whose reach the line says itself. */
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
  const term = terms[line.what];
  if (command !== 'featureUpdate' || term === undefined) return null;
  return { change: { featureUpdate: { ...input, planId, featureId } }, term };
}
