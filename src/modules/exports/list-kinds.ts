import type { ScopeAccess } from '../../graphql/access.ts';
import { type NamedOrder, newestFirst } from '../../graphql/cursors.ts';
import type { FilteredRows } from '../../graphql/lists.ts';
import type { Condition } from '../../platform/db/row-lists.ts';
import { compares } from '../../platform/db/row-lists.ts';
import type { Filter, ModelName } from '../../platform/db/rows.ts';
import { customerList } from '../customers/list.ts';
import { emailList } from '../emails/list.ts';
import { eventList } from '../events/list.ts';
import { invoiceList } from '../invoices/list.ts';
import { transferList } from '../ledger/list.ts';
import { changeRows } from '../metrics/list-changes.ts';
import { offerList } from '../offers/list.ts';
import { paymentList } from '../payments/list.ts';
import { payoutList } from '../payouts/list.ts';
import { promoCodeList } from '../promo-codes/list.ts';
import { subscriptionList } from '../subscriptions/list.ts';
import { refundList, transactionList } from '../transactions/list.ts';
import { usageEventList } from '../usage/list.ts';
import { deliveryList } from '../webhooks/list.ts';

/** What a column of a stored row is in a file. */
export type StoredColumn = {
  readonly name: string;
  readonly column: string;
  readonly type: 'text' | 'integer' | 'amount' | 'timestamp';
};

/** A list of the API as a file: whose rows, what a row shows, and who may have it. */
export type ListKind = {
  readonly description: string;
  readonly model: ModelName;
  /** The type whose fields the columns are; null where `columns` names them. */
  readonly type: string | null;
  /** The REST view with the fields; without it all fields of the type that are values. */
  readonly view?: string;
  readonly columns?: readonly StoredColumn[];
  /** Fields whose amounts are US cents whatever the currency of the row. */
  readonly usCents?: readonly string[];
  /** The list with the filter and the search; a kind without one takes neither. */
  readonly list?: FilteredRows<ModelName>;
  readonly filter?: Filter;
  /** The order rows are written in, which an index serves. Ascending. */
  readonly order: NamedOrder;
  /** The counter that numbers its rows. */
  readonly numberedBy: 'seq' | 'position';
  /** The condition that a row was there when this number was the last one. */
  readonly isWithin: (snapshot: bigint) => Condition;
  /** What a caller needs: `finance` for kinds with money. */
  readonly access: ScopeAccess;
  /** What is read of another row into each: a member of the rows, the model, and the columns that lead to it. */
  readonly joined?: { readonly column: string; readonly model: ModelName; readonly by: string };
};

const ascending = ({ keys }: NamedOrder): NamedOrder => ({ name: 'export', keys, direction: 'asc' });
const byColumns = (...columns: string[]): NamedOrder => ({
  name: 'export',
  keys: columns.map((column) => ({ column })),
  direction: 'asc',
});

type Terms = Partial<ListKind> & Pick<ListKind, 'description'>;

const finance: ScopeAccess = { scope: 'finance' };

const rowsOf = (model: ModelName, terms: Terms): ListKind => ({
  model,
  type: model,
  order: ascending(newestFirst),
  numberedBy: 'seq',
  isWithin: (snapshot) => compares(model, 'seq', '<=', snapshot),
  access: { scope: 'read' },
  ...terms,
});

/** A kind whose rows a declared list has, filters included. */
function rowsIn<M extends ModelName>(list: FilteredRows<M>, terms: Terms): ListKind {
  // What a list is for one model it is for models in general, whose columns are texts.
  const general = list as unknown as FilteredRows<ModelName>;
  return rowsOf(list.model, { list: general, order: ascending(list.defaultOrder), ...terms });
}

/** Rows of a customer are found one customer after the other. */
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

/** Changes of counts of features of one type, customer by customer. */
const countEvents = (featureType: 'seats' | 'quota', terms: Terms): ListKind =>
  rowsOf('CountEvent', {
    order: byColumns('customerId', 'featureId', 'createdAt', 'id'),
    isWithin: (snapshot) => (bind) =>
      `t.seq <= ${bind(snapshot)}::bigint AND (SELECT f.type FROM "Feature" f WHERE f."environmentId" = $1 AND f.id = t."featureId") = '${featureType}'`,
    ...terms,
  });

/** The lists that can be exported, by the names of their kinds. */
export const listKinds = {
  customers: rowsIn(customerList, { description: 'Customers.', view: 'Customer', filter: living }),
  subscriptions: rowsIn(subscriptionList, { description: 'Subscriptions.', view: 'SubscriptionSummary' }),
  invoices: rowsIn(invoiceList, { description: 'Invoices.', view: 'InvoiceListItem', access: finance }),
  credit_notes: rowsIn(invoiceList, {
    description: 'Credit notes: invoices with a negative total, and the invoices they correct.',
    view: 'InvoiceListItem',
    filter: { type: 'adjustment' },
    isWithin: (snapshot) => (bind) => `(t.total < 0 AND ${compares('Invoice', 'seq', '<=', snapshot)(bind)})`,
    access: finance,
  }),
  invoice_lines: rowsOf('InvoiceLine', {
    description: 'Lines of invoices, those of an invoice in their order.',
    type: 'InvoiceLineItem',
    order: byColumns('invoiceId', 'position'),
    isWithin: (snapshot) => (bind) =>
      `(SELECT i.seq FROM "Invoice" i WHERE i."environmentId" = $1 AND i.id = t."invoiceId") <= ${bind(snapshot)}::bigint`,
    access: finance,
    joined: { column: 'currency', model: 'Invoice', by: 'invoiceId' },
  }),
  transactions: rowsIn(transactionList, {
    description: 'Payment attempts.',
    view: 'TransactionListItem',
    usCents: ['grossAmount', 'subtotal', 'taxAmount'],
    access: finance,
  }),
  refunds: rowsIn(refundList, { description: 'Refunds.', access: finance }),
  payments: rowsIn(paymentList, { description: 'One-time payments.', view: 'Payment', access: finance }),
  payouts: rowsIn(payoutList, { description: 'Payouts.', access: finance }),
  customer_credits: rowsOf('CustomerCredit', {
    description: 'Credits of customers, customer by customer.',
    view: 'CustomerCredit',
    order: byCustomer,
    access: finance,
  }),
  usage_events: rowsIn(usageEventList, { description: 'Usage events.', view: 'UsageEvent' }),
  ledger_transfers: rowsIn(transferList, { description: 'Transfers of the ledger.', access: finance }),
  events: rowsIn(eventList, {
    description: 'Events.',
    numberedBy: 'position',
    isWithin: (snapshot) => compares('Event', 'position', '<=', snapshot),
  }),
  plans: rowsOf('Plan', { description: 'Plans, hidden ones too.', view: 'Plan', filter: living }),
  plan_prices: rowsOf('PlanPrice', { description: 'Prices of plans, archived ones too.' }),
  plan_groups: rowsOf('PlanGroup', { description: 'Plan groups.', view: 'PlanGroup', filter: living }),
  plan_features: rowsOf('PlanFeature', {
    description: 'Features of plans, in no particular order.',
    order: byColumns('id'),
  }),
  features: rowsOf('Feature', { description: 'Features.', view: 'Feature', filter: living }),
  add_ons: rowsOf('Addon', { description: 'Add-ons.', view: 'Addon', filter: living }),
  credit_packs: rowsOf('CreditPack', {
    description: 'Credit packs, those off sale too.',
    view: 'CreditPackListItem',
    filter: living,
  }),
  pricing_tables: rowsOf('PricingTable', {
    description: 'Pricing tables, those that are off too.',
    view: 'PricingTable',
    filter: living,
  }),
  markets: rowsOf('Market', { description: 'Markets.', view: 'Market', filter: living }),
  plan_grants: rowsOf('PlanGrant', {
    description: 'Plan grants with their history, customer by customer.',
    view: 'PlanGrant',
    order: byCustomer,
  }),
  add_on_activations: rowsOf('AddonActivation', {
    description: 'Add-ons of subscriptions, ended ones too, subscription by subscription.',
    type: 'SubscriptionAddon',
    order: byColumns('subscriptionId', 'createdAt', 'seq'),
    joined: { column: 'currency', model: 'Subscription', by: 'subscriptionId' },
  }),
  balance_entries: rowsOf('ConsumptionEntry', {
    description: 'Movements of credits and balances, subscription by subscription.',
    type: 'ConsumptionLedgerEntry',
    order: byColumns('subscriptionId', 'seq'),
  }),
  seat_events: countEvents('seats', {
    description: 'Changes of seats, customer by customer.',
    type: 'SeatEvent',
    view: 'SeatEvent',
  }),
  quota_events: countEvents('quota', {
    description: 'Changes of quotas, customer by customer.',
    type: 'UsageQuotaEvent',
    view: 'UsageQuotaEvent',
  }),
  usage_adjustments: rowsOf('UsageAdjustment', {
    description: 'Corrections of usage, customer by customer.',
    view: 'UsageAdjustment',
    order: byColumns('customerId', 'featureId', 'createdAt', 'id'),
  }),
  customer_notes: rowsOf('CustomerNote', {
    description: 'Notes about customers, customer by customer.',
    order: byCustomer,
  }),
  offers: rowsIn(offerList, { description: 'Offers.', view: 'Offer', filter: living }),
  promo_codes: rowsIn(promoCodeList, { description: 'Promo codes.', view: 'PromoCode' }),
  promo_redemptions: rowsOf('PromoRedemption', {
    description: 'Settled uses of promo codes, in no particular order.',
    type: null,
    columns: redemptionColumns,
    order: byColumns('id'),
    access: finance,
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
    description: 'Connected payment accounts, without their secrets.',
    type: 'ConnectedAccount',
    view: 'ConnectedAccount',
  }),
  bank_accounts: rowsOf('PayoutBankAccount', {
    description: 'Bank accounts of payouts, the last four characters of their numbers.',
    view: 'PayoutBankAccount',
    access: finance,
  }),
  mrr_changes: rowsIn(changeRows, {
    description: 'What each day changed of the recurring revenue of each customer, the earliest day first.',
    type: 'MrrChange',
    view: 'MrrChange',
    access: finance,
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
  webhook_deliveries: rowsIn(deliveryList, { description: 'Deliveries to webhook endpoints.' }),
  emails: rowsIn(emailList, {
    description: 'Emails to customers.',
    type: 'EmailNotification',
    filter: { audience: 'customer' },
  }),
} as const satisfies Readonly<Record<string, ListKind>>;
