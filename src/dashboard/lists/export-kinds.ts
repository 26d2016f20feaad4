import type { PlainPageName } from '../address.ts';
import type { ExportRowFragment } from './export-row.graphql';

export type ExportKind = ExportRowFragment['kind'];

/** Export types by the page that shows the list. */
const kinds: { readonly [Name in PlainPageName]?: ExportKind } = {
  customers: 'customers',
  subscriptions: 'subscriptions',
  invoices: 'invoices',
  creditNotes: 'credit_notes',
  payments: 'transactions',
  refunds: 'refunds',
  paymentLinks: 'payments',
  payouts: 'payouts',
  usage: 'usage_events',
  ledger: 'ledger_transfers',
  webhookDeliveries: 'webhook_deliveries',
  auditLog: 'member_requests',
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

/** Export types that can export selected rows by ID. */
export const kindsByIds: readonly ExportKind[] = [
  'customers',
  'subscriptions',
  'invoices',
  'credit_notes',
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
export const maxExported = 1_000;

/** True if selected rows of the page's list can be exported. */
export const isExportedByIds = (name: PlainPageName): boolean => {
  const kind = kinds[name];
  return kind !== undefined && kindsByIds.includes(kind);
};

/** Returns the export type for the page's list. `undefined` if the list can't be exported. */
export const exportKindOf = (name: PlainPageName): ExportKind | undefined => kinds[name];

/** True if the export contains the points of a series with a date range. Such exports can't be scheduled. */
export const isSeries = (kind: ExportKind): boolean =>
  kind.startsWith('metrics_') || kind === 'fx_rates' || kind === 'ledger_accounts';
