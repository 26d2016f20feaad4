import type { ResultOf } from '../../../../ui/documents.ts';
import type { Interval } from '../../../parts/catalog/model/plan-draft.ts';
import type { CatalogPricingTableChoicesDocument, CatalogPricingTablesDocument } from './page.graphql';

export type PricingTable = ResultOf<typeof CatalogPricingTablesDocument>['pricingTables']['nodes'][number];
export type Choices = ResultOf<typeof CatalogPricingTableChoicesDocument>;

/** Unsaved values of a pricing table. */
export type TableDraft = {
  readonly name: string;
  readonly source: 'group' | 'plans';
  readonly planGroupId: string | null;
  readonly plans: readonly { readonly planId: string; readonly text: string }[];
  readonly highlightedPlanId: string | null;
  readonly intervals: readonly Interval[];
  readonly signUpUrl: string;
  readonly successUrl: string;
  readonly isActive: boolean;
};

/** Returns the draft of a pricing table. If `table` is `null`, returns the draft of a new table. */
export const draftOf = (table: PricingTable | null): TableDraft => ({
  name: table?.name ?? '',
  source: table !== null && table.planGroupId !== null ? 'group' : 'plans',
  planGroupId: table?.planGroupId ?? null,
  plans: (table?.plans ?? []).map(({ planId, text }) => ({ planId, text: text ?? '' })),
  highlightedPlanId: table?.highlightedPlanId ?? null,
  intervals: table?.intervals ?? [],
  signUpUrl: table?.signUpUrl ?? '',
  successUrl: table?.successUrl ?? '',
  isActive: table?.isActive ?? true,
});

/** Returns the plans of a draft, in display order. */
export function plansOf(draft: TableDraft, choices: Choices | null) {
  if (draft.source === 'group')
    return choices?.planGroups.nodes.find(({ id }) => id === draft.planGroupId)?.plans ?? [];
  const names = new Map((choices?.plans.nodes ?? []).map(({ id, name }) => [id, name]));
  return draft.plans.map(({ planId }) => ({ id: planId, name: names.get(planId) ?? planId }));
}

/** True if the draft can be saved. */
export const isComplete = ({ name, source, planGroupId, plans }: TableDraft): boolean =>
  name.trim() !== '' && (source === 'group' ? planGroupId !== null : plans.length > 0);

/** Returns the mutation input that saves a draft. */
export function inputOf(draft: TableDraft, choices: Choices | null) {
  const { name, source, planGroupId, plans, highlightedPlanId, intervals, isActive } = draft;
  const isThere = plansOf(draft, choices).some(({ id }) => id === highlightedPlanId);
  return {
    name,
    ...(source === 'group'
      ? { planGroupId }
      : { plans: plans.map(({ planId, text }) => ({ planId, text: text.trim() || null })) }),
    highlightedPlanId: isThere ? highlightedPlanId : null,
    intervals: [...intervals],
    signUpUrl: draft.signUpUrl.trim() || null,
    successUrl: draft.successUrl.trim() || null,
    isActive,
  };
}

/** Returns the HTML code that embeds a pricing table in another page. */
export const embedCode = (url: string): string =>
  `<script async src="${url.replace(/\/pricing\/[^/]*$/, '')}/embed.js"></script>\n<div data-quittance-url="${url}"></div>`;
