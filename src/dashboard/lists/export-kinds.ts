import type { PlainPageName } from '../address.ts';
import type { ExportRowFragment } from './export-row.graphql';

export type ExportKind = ExportRowFragment['kind'];

/** The kinds of exports that lists of pages are, by the names of the pages. */
const kinds: { readonly [Name in PlainPageName]?: ExportKind } = {
  customers: 'customers',
  subscriptions: 'subscriptions',
  invoices: 'invoices',
  payments: 'transactions',
  refunds: 'refunds',
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
  pricingTables: 'pricing_tables',
  offers: 'offers',
  promoCodes: 'promo_codes',
};

/** Kinds whose rows can be named by their ids, and how many at once. */
export const kindsByIds: readonly ExportKind[] = [
  'customers',
  'subscriptions',
  'invoices',
  'transactions',
  'refunds',
  'payments',
  'payouts',
  'usage_events',
  'ledger_transfers',
  'webhook_deliveries',
  'events',
  'emails',
  'offers',
  'promo_codes',
];
export const mostExported = 1_000;

/** Whether rows of a page's list can be selected for an export. */
export const isExportedByIds = (name: PlainPageName): boolean => {
  const kind = kinds[name];
  return kind !== undefined && kindsByIds.includes(kind);
};

/** The kind of exports the list of a page is; undefined where it is none. */
export const exportKindOf = (name: PlainPageName): ExportKind | undefined => kinds[name];

/** Whether what is exported are points of a series, whose days are chosen: it is exported once. */
export const isSeries = (kind: ExportKind): boolean =>
  kind.startsWith('metrics_') || kind === 'fx_rates' || kind === 'ledger_accounts';
