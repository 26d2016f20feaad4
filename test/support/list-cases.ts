import { kindName } from './event-kinds.ts';

// List filters and sort orders, reimplemented in JavaScript on whole rows for comparison with the product.

export type Row = Readonly<Record<string, unknown>>;

/** A list's rows, and the rows in the tables to which its filters refer. */
export type World = {
  readonly rows: readonly Row[];
  readonly customers: ReadonlyMap<string, Row>;
  readonly offers: ReadonlyMap<string, Row>;
  readonly subscriptions: readonly Row[];
  readonly invoices: readonly Row[];
  readonly offerApplications: readonly Row[];
  readonly now: Date;
};

/** Filter field with the values to test, and a function that returns whether a row matches a value. */
type MemberCase = {
  readonly values: readonly unknown[];
  readonly passes: (row: Row, value: never, world: World) => boolean;
};

/** List with its field, table, filter fields, search texts, and sort orders. */
export type ListCase = {
  readonly field: string;
  readonly table: string;
  /** Returns whether the unfiltered list contains a row. By default, it contains all rows. */
  readonly lists?: (row: Row) => boolean;
  readonly route?: string;
  readonly members: Readonly<Record<string, MemberCase>>;
  readonly search?: {
    readonly texts: readonly string[];
    readonly finds: (row: Row, text: string, world: World) => boolean;
  };
  readonly sorts: Readonly<Record<string, (row: Row) => string | bigint | number>>;
};

const among = (column: string, ...values: readonly (readonly unknown[])[]): MemberCase => ({
  values,
  passes: (row, wanted: readonly unknown[]) => wanted.includes(row[column]),
});

const time = (value: unknown): number => (value as Date).getTime();

const within = (column: string): MemberCase => ({
  values: [
    { from: '2025-03-01T00:00:00.000Z', to: '2025-06-01T00:00:00.000Z' },
    { from: '2025-08-15T12:00:00.000Z' },
    { to: '2025-02-01T00:00:00.000Z' },
    { from: '2031-01-01T00:00:00.000Z' },
  ],
  passes: (row, { from, to }: { from?: string; to?: string }) => {
    const at = row[column];
    if (!(at instanceof Date)) return false;
    return (
      (from === undefined || at.getTime() >= Date.parse(from)) &&
      (to === undefined || at.getTime() < Date.parse(to))
    );
  },
});

const between = (column: string, from = 0): MemberCase => ({
  values: [{ min: from + 500, max: from + 2_500 }, { min: from + 4_000 }, { max: from }],
  passes: (row, { min, max }: { min?: number; max?: number }) =>
    (min === undefined || Number(row[column]) >= min) && (max === undefined || Number(row[column]) <= max),
});

const flag = (holds: (row: Row, world: World) => boolean): MemberCase => ({
  values: [true, false],
  passes: (row, wanted: boolean, world) => holds(row, world) === wanted,
});

const subscriptionsOf = ({ id }: Row, { subscriptions }: World): Row[] =>
  subscriptions.filter(({ customerId }) => customerId === id);

const isOverdue = ({ status, dueDate, finalizedAt }: Row, { now }: World): boolean =>
  status === 'outstanding' && finalizedAt !== null && time(dueDate) + 86_400_000 <= now.getTime();

/** True if one of a customer's searched columns contains the text. */
const customerHas = (customer: Row | undefined, text: string): boolean =>
  ['fullName', 'email', 'externalId'].some((part) =>
    String(customer?.[part] ?? '')
      .toLowerCase()
      .includes(text.toLowerCase()),
  );

const ownerHas = (row: Row, text: string, { customers }: World): boolean =>
  customerHas(customers.get(String(row['customerId'])), text);

const offerHas = (offer: Row | undefined, text: string): boolean =>
  String(offer?.['name'] ?? '')
    .toLowerCase()
    .includes(text.toLowerCase());

/** Returns the filter field for event types. */
const kinds = (column: string): MemberCase => ({
  values: [['invoice_created'], ['subscription_created', 'customer_created']],
  passes: (row, names: readonly string[]) => names.includes(kindName(String(row[column]))),
});

const searchTexts = ['ann', 'MEYER', 'ext_1', '100%', '%_s', 'émile', 'acme.test', 'nothing like it', 'a_b'];

const created = (row: Row): number => time(row['createdAt']);

/** Returns a sort order by status. */
const byStatus =
  (...statuses: readonly string[]) =>
  ({ status }: Row): number =>
    statuses.indexOf(String(status));

export const listCases: readonly ListCase[] = [
  {
    field: 'customers',
    table: 'Customer',
    route: '/customers',
    members: {
      ids: among('id', ['cus_list2', 'cus_list9', 'cus_none'], ['cus_none']),
      countries: among('country', ['DE'], ['US', 'JP'], ['FR']),
      createdAt: within('createdAt'),
      planIds: {
        values: [['pln_list1'], ['pln_list2', 'pln_list3'], ['pln_none']],
        passes: (row, ids: readonly string[], world) =>
          subscriptionsOf(row, world).some(({ planId }) => ids.includes(String(planId))),
      },
      subscriptionStatuses: {
        values: [['canceled'], ['active', 'trialing']],
        passes: (row, statuses: readonly string[], world) =>
          subscriptionsOf(row, world).some(({ status }) => statuses.includes(String(status))),
      },
      hasSubscription: flag((row, world) =>
        subscriptionsOf(row, world).some(({ status }) => status !== 'canceled'),
      ),
      isOverdue: flag((row, world) =>
        world.invoices.some((invoice) => invoice['customerId'] === row['id'] && isOverdue(invoice, world)),
      ),
    },
    search: { texts: searchTexts, finds: customerHas },
    sorts: {
      created_at: created,
      name: ({ fullName }) => String(fullName).toLowerCase(),
      email: ({ email }) => String(email).toLowerCase(),
      country: ({ country }) => String(country ?? ''),
      mrr: ({ sortMrr }) => Number(sortMrr),
      outstanding: ({ sortOutstanding }) => Number(sortOutstanding),
      total_paid: ({ sortPaid }) => Number(sortPaid),
      status: ({ sortStatus }) => Number(sortStatus),
      plan: ({ sortPlan }) => String(sortPlan),
    },
  },
  {
    field: 'invoices',
    table: 'Invoice',
    route: '/invoices',
    members: {
      ids: among('id', ['inv_list2', 'inv_list9', 'inv_none'], ['inv_none']),
      statuses: among('status', ['void'], ['outstanding', 'draft'], ['paid', 'void']),
      types: among('type', ['overage'], ['recurring', 'adjustment']),
      customerIds: among('customerId', ['cus_list1'], ['cus_list2', 'cus_list3', 'cus_none']),
      subscriptionIds: among('subscriptionId', ['sub_list1', 'sub_list8']),
      currencies: among('currency', ['eur'], ['usd', 'brl']),
      total: between('total'),
      createdAt: within('createdAt'),
      issueDate: within('issueDate'),
      dueDate: within('dueDate'),
      paidAt: within('paidAt'),
      isOverdue: flag(isOverdue),
      isFinal: flag(({ finalizedAt }) => finalizedAt !== null),
    },
    search: {
      texts: [...searchTexts, '123', 'INV-000117', 'inv-9999'],
      finds: (row, text, { customers }) => {
        const digits = /^(?:inv-)?(\d+)$/i.exec(text)?.[1];
        return (
          (digits !== undefined && BigInt(digits) === row['number']) ||
          customerHas(customers.get(String(row['customerId'])), text)
        );
      },
    },
    sorts: {
      created_at: created,
      issue_date: ({ issueDate }) => time(issueDate),
      due_date: ({ dueDate }) => time(dueDate),
      total: ({ total }) => total as bigint,
      status: byStatus('draft', 'outstanding', 'paid', 'void', 'uncollectible'),
      number: ({ number }) => number as bigint,
    },
  },
  {
    field: 'creditNotes',
    table: 'CreditNote',
    route: '/credit-notes',
    members: {
      ids: among('id', ['crn_list2', 'crn_list9', 'crn_none'], ['crn_none']),
      reasons: among('reason', ['refund'], ['void', 'adjustment']),
      customerIds: among('customerId', ['cus_list1'], ['cus_list2', 'cus_list3', 'cus_none']),
      invoiceIds: among('invoiceId', ['inv_list7', 'inv_list8'], ['inv_none']),
      currencies: among('currency', ['eur'], ['usd', 'brl']),
      createdAt: within('createdAt'),
      issueDate: within('issueDate'),
    },
    search: {
      texts: [...searchTexts, '123', 'CN-000117', 'cn-9999'],
      finds: (row, text, { customers }) => {
        const digits = /^(?:cn-)?(\d+)$/i.exec(text)?.[1];
        return (
          (digits !== undefined && BigInt(digits) === row['number']) ||
          customerHas(customers.get(String(row['customerId'])), text)
        );
      },
    },
    sorts: { created_at: created, number: ({ number }) => number as bigint },
  },
  {
    field: 'subscriptions',
    table: 'Subscription',
    route: '/subscriptions',
    members: {
      ids: among('id', ['sub_list2', 'sub_list9', 'sub_none'], ['sub_none']),
      statuses: among('status', ['canceled'], ['active', 'trialing']),
      planIds: among('planId', ['pln_list1', 'pln_list4'], ['pln_none']),
      priceIds: among('priceId', ['ppr_list1', 'ppr_list3'], ['ppr_none']),
      marketIds: among('marketId', ['mkt_list2'], ['mkt_list1', 'mkt_none']),
      offerIds: {
        values: [['off_list3', 'off_list4', 'off_list5'], ['off_list9'], ['off_none']],
        passes: ({ id }, wanted: readonly unknown[], { offerApplications }) =>
          offerApplications.some(
            ({ subscriptionId, offerId, status }) =>
              subscriptionId === id && status === 'applied' && wanted.includes(offerId),
          ),
      },
      customerIds: among('customerId', ['cus_list1', 'cus_list7']),
      billingIntervals: among('billingInterval', ['monthly']),
      currencies: among('currency', ['eur'], ['usd', 'brl']),
      providers: among('provider', ['stripe']),
      cancelAtPeriodEnd: flag(({ cancelAtPeriodEnd }) => cancelAtPeriodEnd === true),
      trialEndsAt: within('trialEndsAt'),
      currentPeriodEnd: within('periodEnd'),
      createdAt: within('createdAt'),
    },
    search: { texts: searchTexts, finds: ownerHas },
    sorts: {
      created_at: created,
      status: byStatus('draft', 'pending_payment', 'trialing', 'active', 'past_due', 'canceled'),
      plan: ({ planId }) => String(planId),
      mrr: ({ mrr }) => mrr as bigint,
      current_period_end: ({ periodEnd }) =>
        periodEnd === null ? Number.POSITIVE_INFINITY : time(periodEnd),
    },
  },
  {
    field: 'transactions',
    table: 'Transaction',
    route: '/transactions',
    members: {
      ids: among('id', ['txn_list2', 'txn_list9', 'txn_none'], ['txn_none']),
      statuses: among('status', ['failed'], ['disputed', 'pending'], ['succeeded', 'failed']),
      providers: among('provider', ['stripe']),
      customerIds: among('customerId', ['cus_list1', 'cus_list7']),
      subscriptionIds: among('subscriptionId', ['sub_list1', 'sub_list8']),
      currencies: among('currency', ['eur'], ['usd', 'brl']),
      declineCodes: among('declineCode', ['insufficient_funds'], ['none_such']),
      amount: between('amountMinor', 5_000),
      createdAt: within('createdAt'),
      isDisputed: flag(({ disputedAt }) => disputedAt !== null),
    },
    search: { texts: searchTexts, finds: ownerHas },
    sorts: {
      created_at: created,
      amount: ({ amountMinor }) => amountMinor as bigint,
      status: byStatus('pending', 'succeeded', 'failed', 'refunded', 'disputed'),
    },
  },
  {
    field: 'refunds',
    table: 'Refund',
    members: {
      ids: among('id', ['ref_list2', 'ref_list9', 'ref_none'], ['ref_none']),
      statuses: among('status', ['failed'], ['succeeded', 'pending']),
      reasons: among('reason', ['fraudulent'], ['duplicate', 'requested_by_customer']),
      customerIds: among('customerId', ['cus_list1', 'cus_list7']),
      currencies: among('currency', ['eur'], ['usd', 'brl']),
      createdAt: within('createdAt'),
    },
    search: { texts: searchTexts, finds: ownerHas },
    sorts: { created_at: created },
  },
  {
    field: 'payments',
    table: 'Payment',
    route: '/payments',
    members: {
      ids: among('id', ['pay_list2', 'pay_list9', 'pay_none'], ['pay_none']),
      statuses: among('status', ['failed'], ['succeeded', 'pending']),
      kinds: among('kind', ['link']),
      providers: among('provider', ['dlocal', 'stripe']),
      customerIds: among('customerId', ['cus_list1', 'cus_list3']),
      currencies: among('currency', ['brl']),
      amount: between('totalMinor'),
      createdAt: within('createdAt'),
    },
    search: {
      texts: [...searchTexts, 'payment 12', 'T 7'],
      finds: (row, text, world) =>
        String(row['description']).toLowerCase().includes(text.toLowerCase()) || ownerHas(row, text, world),
    },
    sorts: { created_at: created, amount: ({ totalMinor }) => totalMinor as bigint },
  },
  {
    field: 'mandates',
    table: 'Mandate',
    members: {
      ids: among('id', ['mdt_list2', 'mdt_list9', 'mdt_none'], ['mdt_none']),
      statuses: among('status', ['revoked'], ['active']),
      customerIds: among('customerId', ['cus_list2', 'cus_list9'], ['cus_none']),
      references: among('reference', ['list-2', 'list-9'], ['list-none']),
      acceptedAt: within('acceptedAt'),
    },
    sorts: { accepted_at: ({ acceptedAt }) => (acceptedAt as Date).getTime() },
  },
  {
    field: 'receipts',
    table: 'Receipt',
    members: {
      ids: among('id', ['rcp_list2', 'rcp_list9', 'rcp_none'], ['rcp_none']),
      statuses: among('status', ['unmatched'], ['applied', 'returned']),
      sources: among('source', ['statement'], ['manual', 'simulation']),
      customerIds: among('customerId', ['cus_list2', 'cus_list9'], ['cus_none']),
      currencies: among('currency', ['eur'], ['usd', 'brl']),
      amount: between('amountMinor'),
      createdAt: within('createdAt'),
    },
    sorts: { created_at: created },
  },
  {
    field: 'payouts',
    table: 'Payout',
    members: {
      ids: among('id', ['po_list2', 'po_list9', 'po_none'], ['po_none']),
      statuses: among('status', ['failed'], ['paid', 'pending']),
      amount: between('amountMinor'),
      createdAt: within('createdAt'),
    },
    sorts: { created_at: created, amount: ({ amountMinor }) => amountMinor as bigint },
  },
  {
    field: 'ledgerTransfers',
    table: 'LedgerTransfer',
    members: {
      ids: among('id', ['led_list2', 'led_list9', 'led_none'], ['led_none']),
      accounts: {
        values: [['revenue'], ['receivable', 'fees']],
        passes: ({ debitAccount, creditAccount }, wanted: readonly unknown[]) =>
          wanted.includes(debitAccount) || wanted.includes(creditAccount),
      },
      facts: among('fact', ['invoice.issued'], ['payment.settled', 'funds.captured']),
      customerIds: among('customerId', ['cus_list3'], ['cus_list1', 'cus_list2']),
      subscriptionIds: {
        values: [['sub_list3'], ['sub_list1', 'sub_list2']],
        passes: ({ subscriptionId, customerId }, wanted: readonly unknown[], { subscriptions }) =>
          wanted.includes(subscriptionId) &&
          subscriptions.some((row) => wanted.includes(row['id']) && row['customerId'] === customerId),
      },
      invoiceIds: among('invoiceId', ['inv_list3'], ['inv_list1', 'inv_list2']),
      transactionIds: among('transactionId', ['txn_list3'], ['txn_list1', 'txn_list2']),
      currencies: among('currency', ['usd'], ['eur', 'jpy']),
      occurredAt: within('occurredAt'),
    },
    sorts: { occurred_at: ({ occurredAt }) => time(occurredAt) },
  },
  {
    field: 'webhookDeliveries',
    table: 'WebhookDelivery',
    members: {
      ids: among('id', ['whd_list2', 'whd_list9', 'whd_none'], ['whd_none']),
      statuses: among('status', ['failed'], ['succeeded', 'failed']),
      webhookIds: among('webhookId', ['whe_list1'], ['whe_list1', 'whe_list2']),
      events: kinds('kind'),
      createdAt: within('createdAt'),
    },
    sorts: { created_at: created },
  },
  {
    field: 'usageEvents',
    table: 'UsageEvent',
    members: {
      ids: among('id', ['evt_list2', 'evt_list9', 'evt_none'], ['evt_none']),
      customerIds: among('customerId', ['cus_list1', 'cus_list3']),
      subscriptionIds: among('subscriptionId', ['sub_list1', 'sub_list3']),
      featureIds: among('featureId', ['ftr_list1'], ['ftr_list2', 'ftr_list3']),
      models: among('model', ['acme/small'], ['acme/large', 'none/such']),
      property: {
        values: [
          { name: 'request', value: '2' },
          { name: 'region', value: 'eu' },
          { name: 'request', value: 'eu' },
        ],
        passes: ({ properties }, { name, value }: { name: string; value: string }) =>
          (properties as { property: string; value: string }[]).some(
            (one) => one.property === name && one.value === value,
          ),
      },
      outcomes: {
        values: [['metered'], ['deducted', 'exhausted'], ['exhausted']],
        passes: ({ consumptionModel, isBlocked }, wanted: readonly string[]) =>
          wanted.includes(
            consumptionModel === 'metered' ? 'metered' : isBlocked === true ? 'exhausted' : 'deducted',
          ),
      },
      ts: within('ts'),
      createdAt: within('createdAt'),
    },
    search: {
      texts: [...searchTexts, 'own_12', 'OWN_12', 'own_1'],
      finds: (row, text, world) => row['eventId'] === text || ownerHas(row, text, world),
    },
    sorts: { created_at: created },
  },
  {
    field: 'events',
    table: 'Event',
    members: {
      ids: among('id', ['whev_list2', 'whev_list9', 'whev_none'], ['whev_none']),
      types: kinds('kind'),
      customerIds: among('customerId', ['cus_list1', 'cus_list3']),
      subscriptionIds: among('subscriptionId', ['sub_list1', 'sub_list3']),
      subjectIds: {
        values: [
          ['cus_list1', 'cus_list3'],
          ['sub_list1', 'sub_list3'],
          ['inv_list2', 'inv_list9', 'inv_none'],
          ['txn_list9', 'txn_list31', 'txn_list10'],
          ['pay_list4', 'pay_list5', 'pay_none'],
          ['pgr_list7'],
          ['po_list1', 'po_list2'],
        ],
        passes: ({ customerId, subscriptionId, invoiceId, data }, ids: readonly unknown[]) => {
          const { paymentTransactionId, paymentId, id, payoutId } = data as Row;
          return (
            [customerId, subscriptionId, invoiceId, paymentId, id, payoutId].some((one) =>
              ids.includes(one),
            ) ||
            (invoiceId !== null && ids.includes(paymentTransactionId))
          );
        },
      },
      sources: among('source', ['api', 'clock'], ['dashboard']),
      occurredAt: {
        ...within('occurredAt'),
        values: [
          { from: '2025-01-01T00:00:30.000Z', to: '2025-01-01T00:02:00.000Z' },
          { from: '2025-01-01T00:03:30.000Z' },
        ],
      },
    },
    search: { texts: searchTexts, finds: ownerHas },
    sorts: { position: ({ position }) => position as bigint },
  },
  {
    field: 'emails',
    table: 'EmailNotification',
    lists: ({ audience }) => audience === 'customer',
    members: {
      ids: among('id', ['eml_list2', 'eml_list9', 'eml_none'], ['eml_none']),
      statuses: among('status', ['failed'], ['sent', 'canceled']),
      kinds: among('kind', ['receipt'], ['invoice', 'payment_failed']),
      customerIds: among('customerId', ['cus_list1', 'cus_list3']),
      createdAt: within('createdAt'),
    },
    search: { texts: searchTexts, finds: ownerHas },
    sorts: { created_at: created },
  },
  {
    field: 'promoCodes',
    table: 'PromoCode',
    route: '/promo-codes',
    members: {
      ids: among('id', ['prm_list2', 'prm_list9', 'prm_none'], ['prm_none']),
      offerIds: among('offerId', ['off_list1', 'off_list3']),
      isActive: flag(({ isActive }) => isActive === true),
      expiresAt: within('expiresAt'),
      createdAt: within('createdAt'),
    },
    search: {
      texts: ['sum', 'WINTER1', 'spring23', 'offer 12', 'ter', 'SUMMER%', 'nothing like it'],
      finds: ({ code, offerId }, text, { offers }) =>
        String(code).startsWith(text.toUpperCase()) || offerHas(offers.get(String(offerId)), text),
    },
    sorts: { created_at: created, code: ({ code }) => String(code) },
  },
  {
    field: 'offers',
    table: 'Offer',
    route: '/offers',
    lists: ({ deletedAt }) => deletedAt === null,
    members: {
      ids: among('id', ['off_list2', 'off_list9', 'off_none'], ['off_none']),
      isActive: flag(({ active }) => active === true),
      createdAt: within('createdAt'),
    },
    search: { texts: ['spring', 'OFFER 12', 'ter', '%_s', 'nothing like it'], finds: offerHas },
    sorts: { created_at: created, name: ({ name }) => String(name).toLowerCase() },
  },
];
