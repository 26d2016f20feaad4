import type { PlainPageName } from '../address.ts';
import { isAllowed, useViewer } from '../data/viewer.ts';

/** Mutation of the main button of each list. */
const mutations: { readonly [Name in PlainPageName]?: string } = {
  customers: 'customerCreate',
  subscriptions: 'subscriptionCreate',
  invoices: 'invoiceCreate',
  payments: 'gatewayReconcile',
  paymentLinks: 'paymentCreate',
  plans: 'planCreate',
  features: 'featureCreate',
  prices: 'marketCreate',
  addons: 'addonCreate',
  rateCards: 'rateCardCreate',
  creditPacks: 'creditPackCreate',
  assets: 'assetCreate',
  pricingTables: 'pricingTableCreate',
  offers: 'offerCreate',
  promoCodes: 'promoCodeCreate',
  cardPromotions: 'cardPromotionCreate',
  aiModels: 'aiModelPriceSet',
};

/** True if the signed-in user's role allows the main button of a list. */
export function useIsMainAllowed(name: PlainPageName): boolean {
  const { membership } = useViewer();
  const mutation = mutations[name];
  return mutation === undefined || isAllowed(membership, mutation);
}
