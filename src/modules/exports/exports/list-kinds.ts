import { financeAccess, type ScopeAccess } from '../../../graphql/declare/access.ts';
import { type NamedOrder, newestFirst } from '../../../graphql/reading/cursors.ts';
import type { FilteredRows } from '../../../graphql/reading/lists.ts';
import type { Condition } from '../../../platform/db/row-lists.ts';
import { compares } from '../../../platform/db/row-lists.ts';
import { type Filter, type ModelName, present } from '../../../platform/db/rows.ts';
import { offerList } from '../../catalog/offers/list.ts';
import { promoCodeList } from '../../catalog/promo-codes/list.ts';
import { customerList } from '../../customers/customers/list.ts';
import { creditNoteList } from '../../invoices/credit-notes/list.ts';
import { invoiceList } from '../../invoices/invoices/list.ts';
import { emailList } from '../../messages/emails/list.ts';
import { eventList } from '../../messages/events/list.ts';
import { deliveryList } from '../../messages/webhooks/list.ts';
import { transferList } from '../../metrics/ledger/list.ts';
import { changeRows } from '../../metrics/metrics/list-changes.ts';
import { paymentList } from '../../payments/payments/list.ts';
import { payoutList } from '../../payments/payouts/list.ts';
import { refundList, transactionList } from '../../payments/transactions/list.ts';
import { subscriptionList } from '../../subscriptions/subscriptions/list.ts';
import { usageEventList } from '../../usage/usage/list.ts';

/** Mapping from a database column to a column of an export file. */
type StoredColumn = {
  readonly name: string;
  readonly column: string;
  readonly type: 'text' | 'integer' | 'amount' | 'timestamp';
};

/** Export type for an API list: its rows, their columns, and the required access. */
export type ListKind = {
  readonly description: string;
  readonly model: ModelName;
  /** GraphQL type whose fields become columns. `null` if `columns` defines the columns instead. */
  readonly type: string | null;
  /** REST view that selects the fields. If absent, all fields with scalar values are exported. */
  readonly view?: string;
  readonly columns?: readonly StoredColumn[];
  /** Fields whose amounts are in US cents regardless of the row's currency. */
  readonly usCents?: readonly string[];
  /** API list that provides the filter and the search. Export types without a list support neither a filter nor a search. */
  readonly list?: FilteredRows<ModelName>;
  readonly filter?: Filter;
  /** Ascending order of the written rows. The order requires a database index. */
  readonly order: NamedOrder;
  readonly numberedBy: 'seq' | 'position';
  /** SQL condition that selects the rows that existed when the environment's counter had the given value. */
  readonly isWithin: (snapshot: bigint) => Condition;
  /** Access required for the export. Equal to the access that the list and the GraphQL type require. */
  readonly access: ScopeAccess;
  /** Columns with IDs of related rows that aren't exported, because they are always empty. */
  readonly omitted?: readonly string[];
  /** Column that each row gets from a related row: the column's name, the related model, and the column that contains the related row's ID. */
  readonly joined?: { readonly column: string; readonly model: ModelName; readonly by: string };
};

const ascending = ({ keys }: NamedOrder): NamedOrder => ({ name: 'export', keys, direction: 'asc' });
const byColumns = (...columns: string[]): NamedOrder => ({
  name: 'export',
  keys: columns.map((column) => ({ column })),
  direction: 'asc',
});

type Terms = Partial<ListKind> & Pick<ListKind, 'description'>;

const rowsOf = (model: ModelName, terms: Terms): ListKind => ({
  model,
  type: model,
  order: ascending(newestFirst),
  numberedBy: 'seq',
  isWithin: (snapshot) => compares(model, 'seq', '<=', snapshot),
  access: { scope: 'read' },
  ...terms,
});

/** Export type whose rows and filters come from an API list. */
function rowsIn<M extends ModelName>(list: FilteredRows<M>, terms: Terms): ListKind {
  // A `FilteredRows` object refers to columns only by name, so casting its model to any model is safe.
  const general = list as unknown as FilteredRows<ModelName>;
  return rowsOf(list.model, { list: general, order: ascending(list.defaultOrder), ...terms });
}

/** Sorts rows by customer, so that each customer's rows are adjacent. */
const byCustomer = byColumns('customerId', 'createdAt', 'seq');

const redemptionColumns: readonly StoredColumn[] = [
  { name: 'id', column: 'id', type: 'text' },
  { name: 'promoCodeId', column: 'promoCodeId', type: 'text' },
  { name: 'customerId', column: 'customerId', type: 'text' },
  { name: 'subscriptionId', column: 'subscriptionId', type: 'text' },
  { name: 'type', column: 'type', type: 'text' },
  { name: 'value', column: 'value', type: 'integer' },
  { name: 'amount', column: 'amountMinor', type: 'amount' },
  { name: 'currency', column: 'currency', type: 'text' },
  { name: 'createdAt', column: 'createdAt', type: 'timestamp' },
];

const living: Filter = { deletedAt: null };

/** Export type for changes in seat or quota counts, ordered by customer. */
const countEvents = (featureType: 'seats' | 'quota', terms: Terms): ListKind =>
  rowsOf('CountEvent', {
    order: byColumns('customerId', 'featureId', 'createdAt', 'id'),
    isWithin: (snapshot) => (bind) =>
      `t.seq <= ${bind(snapshot)}::bigint AND (SELECT f.type FROM "Feature" f WHERE f."environmentId" = $1 AND f.id = t."featureId") = '${featureType}'`,
    ...terms,
  });

/** Exportable lists, by export type. */
export const listKinds = {
  customers: rowsIn(customerList, { description: 'Customers.', view: 'Customer', filter: living }),
  subscriptions: rowsIn(subscriptionList, { description: 'Subscriptions.', view: 'SubscriptionSummary' }),
  invoices: rowsIn(invoiceList, { description: 'Invoices.', view: 'InvoiceListItem' }),
  credit_notes: rowsIn(creditNoteList, {
    description: 'Credit notes.',
    view: 'CreditNoteListItem',
  }),
  invoice_lines: rowsOf('InvoiceLine', {
    description: 'Line items of invoices, in order within each invoice.',
    type: 'InvoiceLineItem',
    order: byColumns('invoiceId', 'position'),
    isWithin: (snapshot) => (bind) =>
      `(SELECT i.seq FROM "Invoice" i WHERE i."environmentId" = $1 AND i.id = t."invoiceId") <= ${bind(snapshot)}::bigint`,
    joined: { column: 'currency', model: 'Invoice', by: 'invoiceId' },
  }),
  transactions: rowsIn(transactionList, {
    description: 'Payment attempts.',
    view: 'TransactionListItem',
    usCents: ['grossAmount', 'subtotal', 'taxAmount'],
  }),
  refunds: rowsIn(refundList, { description: 'Refunds.' }),
  payments: rowsIn(paymentList, { description: 'One-time payments.', view: 'Payment' }),
  payouts: rowsIn(payoutList, { description: 'Payouts.', access: financeAccess }),
  customer_credits: rowsOf('Lot', {
    description: 'Customer credits, grouped by customer.',
    type: 'CustomerCredit',
    view: 'CustomerCredit',
    filter: { subscriptionId: null },
    order: byColumns('customerId', 'effectiveAt', 'seq'),
    omitted: ['subscriptionId'],
  }),
  usage_events: rowsIn(usageEventList, { description: 'Usage events.', view: 'UsageEvent' }),
  ledger_transfers: rowsIn(transferList, { description: 'Ledger transfers.', access: financeAccess }),
  events: rowsIn(eventList, {
    description: 'Events.',
    numberedBy: 'position',
    isWithin: (snapshot) => compares('Event', 'position', '<=', snapshot),
  }),
  plans: rowsOf('Plan', { description: 'Plans, including hidden plans.', view: 'Plan', filter: living }),
  plan_prices: rowsOf('PlanPrice', { description: 'Plan prices, including archived prices.' }),
  plan_groups: rowsOf('PlanGroup', { description: 'Plan groups.', view: 'PlanGroup', filter: living }),
  plan_features: rowsOf('PlanFeature', {
    description: 'Plan features, in no particular order.',
    order: byColumns('id'),
  }),
  features: rowsOf('Feature', { description: 'Features.', view: 'Feature', filter: living }),
  add_ons: rowsOf('Addon', { description: 'Add-ons.', view: 'Addon', filter: living }),
  rate_cards: rowsOf('RateCard', {
    description: 'Rate cards.',
    view: 'RateCard',
    filter: living,
  }),
  credit_packs: rowsOf('CreditPack', {
    description: 'Credit packs, including archived packs.',
    view: 'CreditPackListItem',
    filter: living,
  }),
  pricing_tables: rowsOf('PricingTable', {
    description: 'Pricing tables, including disabled tables.',
    view: 'PricingTable',
    filter: living,
  }),
  markets: rowsOf('Market', { description: 'Markets.', view: 'Market', filter: living }),
  plan_grants: rowsOf('PlanGrant', {
    description: 'Plan grants with their history, grouped by customer.',
    view: 'PlanGrant',
    order: byCustomer,
  }),
  add_on_activations: rowsOf('AddonActivation', {
    description: "Subscriptions' add-ons, including removed add-ons, grouped by subscription.",
    type: 'SubscriptionAddon',
    order: byColumns('subscriptionId', 'createdAt', 'seq'),
    joined: { column: 'currency', model: 'Subscription', by: 'subscriptionId' },
  }),
  balance_entries: rowsOf('ConsumptionEntry', {
    description: 'Balance transactions, grouped by subscription.',
    type: 'ConsumptionLedgerEntry',
    filter: { subscriptionId: present },
    order: byColumns('subscriptionId', 'seq'),
  }),
  seat_events: countEvents('seats', {
    description: 'Changes to seat counts, grouped by customer.',
    type: 'SeatEvent',
    view: 'SeatEvent',
  }),
  quota_events: countEvents('quota', {
    description: 'Changes to quota counts, grouped by customer.',
    type: 'UsageQuotaEvent',
    view: 'UsageQuotaEvent',
  }),
  usage_adjustments: rowsOf('UsageAdjustment', {
    description: 'Usage adjustments, grouped by customer.',
    view: 'UsageAdjustment',
    order: byColumns('customerId', 'featureId', 'createdAt', 'id'),
  }),
  usage_corrections: rowsOf('UsageCorrection', {
    description: 'Corrections of usage events, grouped by customer.',
    view: 'UsageCorrection',
    order: byColumns('customerId', 'seq'),
  }),
  customer_notes: rowsOf('CustomerNote', {
    description: 'Customer notes, grouped by customer.',
    order: byCustomer,
  }),
  offers: rowsIn(offerList, { description: 'Offers.', view: 'Offer', filter: living }),
  promo_codes: rowsIn(promoCodeList, { description: 'Promo codes.', view: 'PromoCode' }),
  promo_redemptions: rowsOf('PromoRedemption', {
    description: 'Promo code redemptions, in no particular order.',
    type: null,
    columns: redemptionColumns,
    order: byColumns('id'),
  }),
  card_promotions: rowsOf('CardPromotion', {
    description: 'Card promotions.',
    view: 'CardPromotion',
    filter: living,
  }),
  tax_registrations: rowsOf('TaxRegistration', {
    description: 'Tax registrations.',
    view: 'TaxRegistration',
  }),
  connected_accounts: rowsOf('PaymentConnection', {
    description: 'Payment connections, without their secrets.',
    type: 'ConnectedAccount',
    view: 'ConnectedAccount',
  }),
  bank_accounts: rowsOf('PayoutBankAccount', {
    description: 'Bank accounts for payouts, with the last 4 characters of each account number.',
    view: 'PayoutBankAccount',
    access: financeAccess,
  }),
  mrr_changes: rowsIn(changeRows, {
    description: "Daily changes in each customer's recurring revenue, oldest day first.",
    type: 'MrrChange',
    view: 'MrrChange',
    access: financeAccess,
  }),
  api_keys: rowsOf('ApiKey', {
    description: 'API keys, without their secrets.',
    view: 'ApiKey',
    access: { scope: 'keys' },
  }),
  webhooks: rowsOf('Webhook', {
    description: 'Webhook endpoints, without their secrets.',
    view: 'Webhook',
    filter: living,
    access: { scope: 'read', role: 'admin' },
  }),
  member_requests: rowsOf('RequestRecord', {
    description: 'Requests of members, within the retention period of the request log.',
    type: 'RequestLogEntry',
    view: 'RequestLogSummary',
    filter: { callerKind: 'member' },
    access: { scope: ['read', 'keys'], role: 'admin' },
  }),
  webhook_deliveries: rowsIn(deliveryList, { description: 'Deliveries to webhook endpoints.' }),
  emails: rowsIn(emailList, {
    description: 'Emails to customers.',
    type: 'EmailNotification',
    filter: { audience: 'customer' },
  }),
} as const satisfies Readonly<Record<string, ListKind>>;
