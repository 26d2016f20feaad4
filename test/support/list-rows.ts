import { modelFields } from '../../src/platform/db/datamodel.ts';
import type { Query } from '../../src/platform/db/pool.ts';

// Generates any number of rows for lists in the database. Values repeat at different intervals, so every filter matches some rows and sort
// orders have ties. The rows aren't consistent with each other, so use them only to test lists.

/** Returns SQL that selects a value for row `n`. The value changes every `every` rows. */
const pick = (values: readonly string[], every = 1): string =>
  `(ARRAY[${values.map((value) => `'${value}'`).join(', ')}])[1 + (n / ${every})::int % ${values.length}]`;

/** Returns SQL for a timestamp in 2025. The timestamps don't follow the order of `n`, and each one is shared by two rows. */
const instant = (factor: number): string =>
  `timestamptz '2025-01-01T00:00:00Z' + ((n / 2 * ${factor}) % 8760) * interval '1 hour'`;

const amount = (factor: number): string => `(n * ${factor}) % 5000`;

/** A table's columns as SQL expressions that use the row number `n`, which starts at 1. Omitted columns are null. */
type Rows = {
  readonly table: string;
  readonly most?: number;
  readonly columns: Readonly<Record<string, string>>;
};

const created = { createdAt: instant(7919), updatedAt: instant(7919) };
/** Returns SQL for the email address of a customer. */
const emailOf = (beginnings: readonly string[], domain: string): string =>
  `${pick(beginnings)} || '.' || n || '@' || ${pick(['acme.test', domain, '100%_sure.test'], 3)}`;

/** Returns SQL for the name of a customer. Some names are empty. */
const nameOf = (first: readonly string[], last: readonly string[]): string =>
  `CASE WHEN n % 7 = 0 THEN '' ELSE ${pick(first)} || ' ' || ${pick(last, 7)} END`;

const owner = `'cus_list' || (1 + (n * 31) % $2)`;

const tables: readonly Rows[] = [
  { table: 'InvoiceParty', most: 1, columns: { id: `'ipt_list'`, data: `'{"name": "List"}'` } },
  {
    table: 'Plan',
    most: 4,
    columns: {
      id: `'pln_list' || n`,
      seq: 'n',
      name: `'Plan ' || n`,
      code: `'list_' || n`,
      searchText: `'plan ' || n || E'\\nlist_' || n`,
      consumptionModel: `'metered'::"ConsumptionModel"`,
      isPublic: 'true',
      isDefault: 'false',
      isFree: 'false',
      blockOnExhaustion: 'false',
      sortOrder: 'n',
      metadata: `'{}'`,
      ...created,
    },
  },
  {
    table: 'PlanPrice',
    most: 4,
    columns: { id: `'ppr_list' || n`, seq: 'n', planId: `'pln_list' || n`, ...created },
  },
  {
    table: 'Market',
    most: 2,
    columns: { id: `'mkt_list' || n`, seq: 'n', name: `'Market ' || n`, ...created },
  },
  {
    table: 'Feature',
    most: 3,
    columns: {
      id: `'ftr_list' || n`,
      seq: 'n',
      code: `'list_' || n`,
      name: `'Feature ' || n`,
      searchText: `'feature ' || n || E'\\nlist_' || n`,
      type: `'usage'::"FeatureType"`,
      ...created,
    },
  },
  {
    table: 'Customer',
    columns: {
      id: `'cus_list' || n`,
      seq: 'n',
      externalId: `CASE WHEN n % 3 = 0 THEN NULL ELSE 'ext_' || n END`,
      email: emailOf(['anna', 'Bertha', 'carl', 'DORA', 'Émile'], 'Example.com'),
      emailKey: emailOf(['anna', 'bertha', 'carl', 'dora', 'émile'], 'example.com'),
      fullName: nameOf(
        ['Anna', 'bertha', 'Carl', 'dora', 'Émile', 'Zoë', 'Åsa'],
        ['Meyer', 'smith', 'OBrien', 'López'],
      ),
      searchText: `${nameOf(['anna', 'bertha', 'carl', 'dora', 'emile', 'zoe', 'asa'], ['meyer', 'smith', 'obrien', 'lopez'])} || E'\\n' || ${emailOf(['anna', 'bertha', 'carl', 'dora', 'emile'], 'example.com')} || CASE WHEN n % 3 = 0 THEN '' ELSE E'\\next_' || n END`,
      timezone: `'UTC'`,
      requireBudget: 'false',
      country: `CASE WHEN n % 6 = 0 THEN NULL ELSE ${pick(['DE', 'US', 'BR', 'JP'])} END`,
      metadata: `'{}'`,
      sortMrr: amount(17),
      sortOutstanding: amount(29),
      sortPaid: amount(23),
      sortStatus: 'n % 7',
      sortPlan: `CASE WHEN n % 5 = 0 THEN '' ELSE 'pln_list' || 1 + n % 4 END`,
      ...created,
    },
  },
  {
    table: 'Subscription',
    columns: {
      id: `'sub_list' || n`,
      seq: 'n',
      customerId: `'cus_list' || n`,
      planId: `'pln_list' || 1 + n % 4`,
      priceId: `CASE WHEN n % 9 = 0 THEN NULL ELSE 'ppr_list' || 1 + n % 4 END`,
      marketId: `CASE WHEN n % 3 = 0 THEN NULL ELSE 'mkt_list' || 1 + n % 2 END`,
      status: `${pick(['active', 'canceled', 'trialing', 'past_due', 'active', 'pending_payment', 'draft'])}::"SubscriptionStatus"`,
      billingInterval: `CASE WHEN n % 9 = 0 THEN NULL ELSE ${pick(['monthly', 'yearly'], 2)}::"BillingInterval" END`,
      currency: pick(['usd', 'eur', 'brl']),
      provider: `CASE WHEN n % 5 = 0 THEN NULL ELSE ${pick(['platform', 'stripe'])}::"PaymentProvider" END`,
      startDate: instant(13),
      periodStart: `CASE WHEN n % 4 = 0 THEN NULL ELSE ${instant(17)} END`,
      periodEnd: `CASE WHEN n % 4 = 0 THEN NULL ELSE ${instant(17)} + interval '30 days' END`,
      trialEndsAt: `CASE WHEN n % 3 = 0 THEN ${instant(19)} END`,
      listBaseMinor: amount(13),
      effectiveBaseMinor: amount(13),
      mrr: amount(17),
      cancelAtPeriodEnd: 'n % 5 = 0',
      dunningAttempts: '0',
      selection: `'{}'`,
      initialSeats: `'{}'`,
      ...created,
    },
  },
  {
    table: 'Invoice',
    columns: {
      id: `'inv_list' || n`,
      seq: 'n',
      customerId: owner,
      subscriptionId: `CASE WHEN n % 4 = 0 THEN NULL ELSE 'sub_list' || (1 + (n * 31) % $2) END`,
      number: 'n',
      status: `${pick(['paid', 'paid', 'paid', 'outstanding', 'void', 'uncollectible', 'draft'])}::"InvoiceStatus"`,
      type: `${pick(['recurring', 'overage', 'plan_change', 'adjustment'], 2)}::"InvoiceType"`,
      currency: pick(['usd', 'eur', 'brl']),
      subtotal: amount(17),
      discountAmount: '0',
      creditApplied: '0',
      taxAmount: '0',
      total: amount(17),
      periodStart: instant(23),
      periodEnd: instant(23),
      issueDate: `date_trunc('day', ${instant(23)}, 'UTC')`,
      dueDate: `date_trunc('day', ${instant(29)}, 'UTC') + (n % 3) * interval '400 days'`,
      finalizedAt: `CASE WHEN n % 7 <> 0 AND n % 13 <> 0 THEN ${instant(23)} END`,
      metadata: `'{}'`,
      paidAt: `CASE WHEN n % 7 < 3 THEN ${instant(31)} END`,
      buyerId: `'ipt_list'`,
      sellerId: `'ipt_list'`,
      ...created,
    },
  },
  {
    table: 'CreditNote',
    columns: {
      id: `'crn_list' || n`,
      seq: 'n',
      customerId: owner,
      invoiceId: `'inv_list' || n`,
      number: 'n',
      reason: `${pick(['refund', 'void', 'adjustment'], 2)}::"CreditNoteReason"`,
      currency: pick(['usd', 'eur', 'brl']),
      subtotal: `-1 - ${amount(17)}`,
      taxAmount: '0',
      total: `-1 - ${amount(17)}`,
      metadata: `'{}'`,
      issueDate: `date_trunc('day', ${instant(23)}, 'UTC')`,
      buyerId: `'ipt_list'`,
      sellerId: `'ipt_list'`,
      createdAt: created.createdAt,
    },
  },
  {
    table: 'Transaction',
    columns: {
      id: `'txn_list' || n`,
      seq: 'n',
      customerId: owner,
      subscriptionId: `CASE WHEN n % 4 = 0 THEN NULL ELSE 'sub_list' || (1 + (n * 31) % $2) END`,
      invoiceId: `CASE WHEN n % 5 = 0 THEN NULL ELSE 'inv_list' || n END`,
      provider: `${pick(['platform', 'stripe', 'platform'])}::"PaymentProvider"`,
      status: `${pick(['succeeded', 'succeeded', 'failed', 'refunded', 'succeeded', 'disputed', 'pending'])}::"TransactionStatus"`,
      stage: `${pick(['settled', 'settled', 'declined', 'settled', 'settled', 'settled', 'requested'])}::"TransactionStage"`,
      instrument: `'card'`,
      currency: pick(['usd', 'eur', 'brl'], 2),
      amountMinor: `5000 + ${amount(11)}`,
      taxMinor: '0',
      feeUsdMinor: '0',
      refundedMinor: `CASE WHEN n % 7 = 3 THEN ${amount(11)} ELSE 0 END`,
      declineCode: `CASE WHEN n % 7 = 2 THEN ${pick(['insufficient_funds', 'do_not_honor'], 7)} END`,
      disputedAt: `CASE WHEN n % 7 = 5 THEN ${instant(37)} END`,
      isPayerRetry: 'false',
      providerReference: 'NULL',
      ...created,
    },
  },
  {
    table: 'Refund',
    columns: {
      id: `'ref_list' || n`,
      seq: 'n',
      customerId: owner,
      transactionId: `'txn_list' || n`,
      amountMinor: `1 + ${amount(11)}`,
      currency: pick(['usd', 'eur', 'brl'], 2),
      status: `${pick(['succeeded', 'succeeded', 'failed', 'pending', 'succeeded', 'canceled'])}::"RefundStatus"`,
      reason: `CASE WHEN n % 4 = 0 THEN NULL ELSE ${pick(['duplicate', 'fraudulent', 'requested_by_customer'], 2)}::"RefundReason" END`,
      ...created,
    },
  },
  {
    table: 'Payment',
    columns: {
      id: `'pay_list' || n`,
      seq: 'n',
      customerId: `CASE WHEN n % 4 = 0 THEN NULL ELSE ${owner} END`,
      kind: `${pick(['link', 'charge'])}::"PaymentKind"`,
      status: `${pick(['succeeded', 'pending', 'failed', 'canceled', 'succeeded'])}::"PaymentStatus"`,
      provider: `${pick(['platform', 'stripe', 'dlocal'])}::"PaymentProvider"`,
      currency: pick(['usd', 'eur', 'brl'], 2),
      subtotalMinor: amount(7),
      taxMinor: 'n % 7',
      totalMinor: amount(7),
      description: `'Payment ' || n`,
      searchText: `'payment ' || n`,
      ...created,
    },
  },
  {
    table: 'PaymentMethod',
    columns: {
      id: `'pm_list' || n`,
      seq: 'n',
      customerId: owner,
      provider: `'platform'::"PaymentProvider"`,
      reference: `'list-' || n`,
      instrument: `'sepa_debit'`,
      brand: `'sepa_debit'`,
      last4: `'3000'`,
      expMonth: '12',
      expYear: '9999',
      createdAt: instant(7919),
    },
  },
  {
    table: 'Mandate',
    columns: {
      id: `'mdt_list' || n`,
      seq: 'n',
      customerId: owner,
      paymentMethodId: `'pm_list' || n`,
      // Few mandates are revoked, as in practice.
      status: `${pick(['revoked', ...Array<string>(17).fill('active')])}::"MandateStatus"`,
      reference: `'list-' || n`,
      acceptedAt: instant(7919),
      debits: '0',
    },
  },
  {
    table: 'Receipt',
    columns: {
      id: `'rcp_list' || n`,
      seq: 'n',
      customerId: `CASE WHEN n % 4 = 0 THEN NULL ELSE ${owner} END`,
      // Few receipts are unmatched, as in practice.
      status: `${pick(['unmatched', 'on_account', 'returned', ...Array<string>(17).fill('applied')])}::"ReceiptStatus"`,
      source: `${pick(['manual', 'statement', 'simulation'])}::"ReceiptSource"`,
      instrument: `'bank_transfer'`,
      currency: pick(['usd', 'eur', 'brl'], 2),
      amountMinor: amount(7),
      appliedMinor: '0',
      returnedMinor: '0',
      bankReference: `'list-' || n`,
      receivedAt: instant(7919),
      ...created,
    },
  },
  {
    table: 'Payout',
    columns: {
      id: `'po_list' || n`,
      seq: 'n',
      status: `${pick(['paid', 'paid', 'pending', 'in_transit', 'failed', 'canceled'])}::"PayoutStatus"`,
      amountMinor: amount(19),
      feeMinor: 'n % 5',
      providerTransferId: `'tr_' || n`,
      ...created,
    },
  },
  {
    table: 'LedgerTransfer',
    columns: {
      id: `'led_list' || n`,
      seq: 'n',
      fact: pick(['invoice.issued', 'payment.settled', 'funds.captured', 'payment.fee_kept']),
      debitAccount: pick(['receivable', 'processor_clearing', 'merchant_pending', 'fees']),
      creditAccount: pick(['revenue', 'receivable', 'merchant_settlement', 'processor_clearing']),
      currency: pick(['usd', 'eur', 'brl'], 2),
      amountMinor: `1 + ${amount(13)}`,
      customerId: owner,
      subscriptionId: `CASE WHEN n % 4 = 0 THEN NULL ELSE 'sub_list' || (1 + (n * 31) % $2) END`,
      invoiceId: `CASE WHEN n % 5 = 0 THEN NULL ELSE 'inv_list' || n END`,
      transactionId: `CASE WHEN n % 3 = 0 THEN NULL ELSE 'txn_list' || n END`,
      occurredAt: instant(7919),
    },
  },
  {
    table: 'Webhook',
    most: 2,
    columns: {
      id: `'whe_list' || n`,
      seq: 'n',
      url: `'https://receiver.test/' || n`,
      events: `ARRAY['invoice.created']`,
      isActive: 'false',
      apiVersion: `'2026-01-01'`,
      sealedSecret: `''`,
      failedInRow: '0',
      ...created,
    },
  },
  {
    table: 'WebhookDelivery',
    columns: {
      id: `'whd_list' || n`,
      seq: 'n',
      webhookId: `'whe_list' || 1 + n % 2`,
      eventId: `'whev_list' || n`,
      kind: pick(['invoice.created', 'subscription.created', 'customer.created'], 2),
      occurredAt: instant(41),
      customerId: `CASE WHEN n % 4 = 0 THEN NULL ELSE ${owner} END`,
      position: 'n',
      status: `${pick(['succeeded', 'succeeded', 'failed', 'canceled', 'succeeded'])}::"WebhookDeliveryStatus"`,
      attempts: '1',
      createdAt: instant(7919),
    },
  },
  {
    table: 'UsageEvent',
    columns: {
      id: `'evt_list' || n`,
      seq: 'n',
      eventId: `CASE WHEN n % 2 = 0 THEN 'own_' || n END`,
      customerId: owner,
      subscriptionId: `'sub_list' || (1 + (n * 31) % $2)`,
      featureId: `'ftr_list' || 1 + n % 3`,
      value: amount(3),
      model: `CASE WHEN n % 3 > 0 THEN ${pick(['acme/small', 'acme/large'])} END`,
      consumptionModel: `${pick(['metered', 'credits', 'balance'], 2)}::"ConsumptionModel"`,
      isBlocked: `CASE WHEN (n / 2) % 3 > 0 THEN n % 5 = 0 END`,
      properties: `jsonb_build_array(jsonb_build_object('property', 'request', 'value', (n % 7)::text),
        jsonb_build_object('property', 'region', 'value', ${pick(['eu', 'us'])}))`,
      ts: instant(43),
      windowStart: instant(43),
      createdAt: instant(7919),
    },
  },
  {
    table: 'Event',
    columns: {
      id: `'whev_list' || n`,
      position: 'n',
      kind: pick(
        [
          'invoice.created',
          'subscription.created',
          'customer.created',
          'payment.received',
          'payment_link.created',
          'plan_grant.created',
          'payout.paid',
        ],
        3,
      ),
      occurredAt: `timestamptz '2025-01-01T00:00:00Z' + n * interval '1 second'`,
      customerId: `CASE WHEN n % 4 = 0 THEN NULL ELSE ${owner} END`,
      subscriptionId: `CASE WHEN n % 3 = 0 THEN NULL ELSE 'sub_list' || (1 + (n * 31) % $2) END`,
      invoiceId: `CASE WHEN n % 5 > 0 AND (n / 3) % 7 IN (0, 3) THEN 'inv_list' || n END`,
      data: `CASE (n / 3) % 7 WHEN 3 THEN jsonb_build_object('paymentTransactionId', 'txn_list' || n)
        WHEN 4 THEN jsonb_build_object('paymentId', 'pay_list' || n % 9)
        WHEN 5 THEN jsonb_build_object('id', 'pgr_list' || n % 9)
        WHEN 6 THEN jsonb_build_object('payoutId', 'po_list' || n % 9) ELSE '{}' END`,
    },
  },
  {
    table: 'EmailNotification',
    columns: {
      id: `'eml_list' || n`,
      seq: 'n',
      audience: `CASE WHEN n % 11 = 0 THEN 'organization' ELSE 'customer' END::"EmailAudience"`,
      kind: `${pick(['receipt', 'invoice', 'payment_failed'])}::"EmailKind"`,
      eventId: `'whev_list' || n`,
      customerId: owner,
      recipient: `'person' || n || '@acme.test'`,
      status: `${pick(['sent', 'sent', 'failed', 'canceled', 'sent'])}::"EmailStatus"`,
      attempts: '1',
      createdAt: instant(7919),
    },
  },
  {
    table: 'Offer',
    columns: {
      id: `'off_list' || n`,
      seq: 'n',
      name: `${pick(['Spring', 'autumn', 'Winter'])} || ' offer ' || n`,
      searchText: `${pick(['spring', 'autumn', 'winter'])} || ' offer ' || n`,
      phases: `'[]'`,
      metadata: `'{}'`,
      active: 'n % 3 <> 0',
      deletedAt: `CASE WHEN n % 10 = 0 THEN timestamptz '2025-06-01T00:00:00Z' END`,
      ...created,
    },
  },
  {
    table: 'OfferApplication',
    columns: {
      id: `'oap_list' || n`,
      seq: 'n',
      subscriptionId: `'sub_list' || (1 + (n * 31) % $2)`,
      offerId: `'off_list' || 1 + n % 9`,
      name: `'Offer ' || n`,
      source: `'direct'::"OfferApplicationSource"`,
      status: `${pick(['applied', 'applied', 'quoted', 'expired'])}::"OfferApplicationStatus"`,
      phases: `'[]'`,
    },
  },
  {
    table: 'PromoCode',
    columns: {
      id: `'prm_list' || n`,
      seq: 'n',
      code: `${pick(['SPRING', 'SUMMER', 'WINTER'])} || n`,
      offerId: `'off_list' || (1 + (n * 31) % $2)`,
      planIds: `'[]'`,
      redemptionCount: 'n % 5',
      expiresAt: `CASE WHEN n % 4 = 0 THEN NULL ELSE ${instant(47)} END`,
      isActive: 'n % 4 <> 1',
      ...created,
    },
  },
];

const plainValues: Readonly<Record<string, string>> = {
  String: `''`,
  Int: '0',
  BigInt: '0',
  Boolean: 'false',
  DateTime: instant(7919),
  Json: `'{}'`,
};

/** Returns SQL with placeholder values for a table's required columns. */
const requiredColumns = (table: string): Record<string, string> =>
  Object.fromEntries(
    (modelFields.get(table) ?? [])
      .filter(({ name, kind, isRequired }) => isRequired && kind !== 'object' && name !== 'environmentId')
      .map(({ name, kind, type, isList }) => [
        name,
        isList
          ? `'{}'::text[]`
          : kind === 'enum'
            ? `(enum_range(NULL::"${type}"))[1]`
            : (plainValues[type] ?? 'NULL'),
      ]),
  );

/** Creates `count` rows for every list in an environment without such rows. Creates fewer rows in the tables that these rows reference. */
export async function makeListRows(query: Query, environmentId: string, count: number): Promise<void> {
  for (const { table, most = count, columns: own } of tables) {
    const columns = { ...requiredColumns(table), ...own };
    const names = Object.keys(columns).map((name) => `"${name}"`);
    const values = Object.values(columns).map((value) => value.replaceAll('$2', String(count)));
    const jsonb = (value: string): string => (/^'[[{]/.test(value) ? `${value}::jsonb` : value);
    await query(
      `INSERT INTO "${table}" ("environmentId", ${names.join(', ')}) SELECT $1, ${values.map(jsonb).join(', ')} FROM generate_series(1::bigint, ${Math.min(most, count)}) AS n`,
      [environmentId],
    );
  }
  await query(
    'UPDATE "EnvironmentCounter" SET seq = $2, "invoiceNumber" = $2, "eventPosition" = $2 WHERE "environmentId" = $1',
    [environmentId, count],
  );
}
