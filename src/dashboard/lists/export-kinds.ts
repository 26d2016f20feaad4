import type { PlainPageName } from '../address.ts';
import type { ExportRowFragment } from './export-row.graphql';

export type ExportKind = ExportRowFragment['kind'];

/** The kinds of exports that lists of pages are, by the names of the pages. */
const kinds: { readonly [Name in PlainPageName]?: ExportKind } = {
  customers: 'customers',
  subscriptions: 'subscriptions',
  invoices: 'invoices',
  payments: 'transactions',
  paymentLinks: 'payments',
  payouts: 'payouts',
  usage: 'usage_events',
  ledger: 'ledger_transfers',
  webhookDeliveries: 'webhook_deliveries',
  events: 'events',
  emails: 'emails',
  plans: 'plans',
  features: 'features',
  prices: 'markets',
  addons: 'add_ons',
  creditPacks: 'credit_packs',
  offers: 'offers',
  promoCodes: 'promo_codes',
};

/** The kind of exports the list of a page is; undefined where it is none. */
export const exportKindOf = (name: PlainPageName): ExportKind | undefined => kinds[name];
