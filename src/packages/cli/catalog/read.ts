import type { Quittance } from '../../sdk/index.ts';
import { UsageError } from '../output.ts';
import { type Fields, type Item, type Kind, nameOf } from './document.ts';

// Catalog of an environment, read over GraphQL.

/** Catalog of an environment with the IDs of its objects by name, such as `plan pro`. */
export type Stored = { readonly items: readonly Item[]; readonly ids: Map<string, string> };

const selections = {
  features: '{ id code name type description unitName }',
  planGroups: '{ id name description isPublic plans { code } }',
  plans: `{ id code name description consumptionModel isFree isPublic blockOnExhaustion metadata
    prices { id billingInterval price trialDays includedCredits includedBalance minimumSpend isDefault inheritsFromPriceId metadata }
    featureTerms { enabled includedAmount unlimited overage { enabled unitPrice } creditsPerUnit pricingMode margin
      rate(unlessPlain: true) { model } rateCard { rateCardId } feature { code type } } }`,
  addons:
    '{ id name description basePrice consumptionModel includedUnits overageRate creditCost featureCode }',
  creditPacks: '{ id name description credits asset price isActive validDays refundTakesBack }',
} as const;

type Section = keyof typeof selections;

type Price = {
  readonly id: string;
  readonly billingInterval: string;
  readonly inheritsFromPriceId: string | null;
} & Fields;

type Terms = {
  readonly enabled: boolean;
  readonly overage: Fields;
  readonly rate: object | null;
  readonly rateCard: object | null;
  readonly pricingMode: string;
  readonly feature: { readonly code: string; readonly type: string };
} & Fields;

type Node = {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly featureCode: string;
  readonly plans: readonly { readonly code: string }[];
  readonly prices: readonly Price[];
  readonly featureTerms: readonly Terms[];
} & Fields;

type Page = {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
};

const pageSize = 20;

/** Arguments that include the objects that a section omits by default. */
const hiddenOf: Partial<Record<Section, string>> = {
  plans: ', includePrivate: true',
  creditPacks: ', includeInactive: true',
};

/** Reads all objects of a section. */
async function readAll(client: Quittance, section: Section): Promise<Node[]> {
  const hidden = hiddenOf[section] ?? '';
  const document = `query ($after: String) { page: ${section}(first: ${pageSize}, after: $after${hidden}) {
    nodes ${selections[section]} pageInfo { hasNextPage endCursor } } }`;
  const found: Node[] = [];
  let after: string | null = null;
  do {
    const { page }: { page: Page } = await client.graphql<{ page: Page }>(document, { after });
    found.push(...page.nodes);
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
  return found;
}

/** Returns the terms of a feature in a plan. A rate replaces the unit price. */
function termsOf({ feature: _feature, rate, rateCard, overage, ...terms }: Terms): Fields {
  const hasRate = rate !== null || rateCard !== null || terms.pricingMode === 'ai_model';
  return { ...terms, overage: hasRate ? { enabled: overage['enabled'] } : overage };
}

/** Reads the catalog of an environment. Throws a usage error if two objects have the same natural key. */
export async function readCatalog(client: Quittance): Promise<Stored> {
  const items: Item[] = [];
  const ids = new Map<string, string>();
  const add = (kind: Kind, key: string, fields: Fields, id: string): void => {
    const item = { kind, key, fields };
    if (ids.has(nameOf(item)))
      throw new UsageError(`The catalog contains ${nameOf(item)} twice. Rename one of the objects.`);
    items.push(item);
    ids.set(nameOf(item), id);
  };
  for (const { id, code, ...fields } of await readAll(client, 'features')) add('feature', code, fields, id);
  const groups = await readAll(client, 'planGroups');
  for (const { id, name, plans: _plans, ...fields } of groups) add('plan_group', name, fields, id);
  for (const { id, code, prices, featureTerms, ...fields } of await readAll(client, 'plans')) {
    add('plan', code, fields, id);
    // Variants of a price are offered by promotions, not by the catalog.
    for (const { id: priceId, billingInterval, inheritsFromPriceId, ...price } of prices)
      if (inheritsFromPriceId === null) add('price', `${code}/${billingInterval}`, price, priceId);
    for (const terms of featureTerms)
      add('plan_feature', `${code}/${terms.feature.code}`, termsOf(terms), terms.feature.code);
  }
  for (const { id, name, plans } of groups)
    add('plan_order', name, { plans: plans.map(({ code }) => code) }, id);
  for (const { id, featureCode, ...fields } of await readAll(client, 'addons'))
    add('addon', featureCode, fields, id);
  for (const { id, name, ...fields } of await readAll(client, 'creditPacks'))
    add('credit_pack', name, fields, id);
  return { items, ids };
}
