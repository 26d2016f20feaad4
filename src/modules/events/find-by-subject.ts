import { validationError } from '../../domain/errors.ts';
import type { FilterMember } from '../../graphql/list-members.ts';
import type { ValueIndex } from '../../graphql/list-rows.ts';
import { isAmong } from '../../platform/db/row-lists.ts';

// How the events about one object are found. Events are written in every renewal, so that only those of kinds no renewal has are indexed by what
// they name: the others are found by their customer or their invoice, which have an index already.

const byCustomer = 'Event_environmentId_customerId_position_idx';
const ofInvoice = {
  name: 'Event_timeline_of_invoice',
  partial: { where: 't."invoiceId" IS NOT NULL', without: [] },
};

/** One-time payments, plan grants and payouts, which the data of these kinds name. The index has the same list. */
const named = {
  name: 'Event_by_subject',
  column: 'data',
  expression: (data) => `coalesce(${data} ->> 'paymentId', ${data} ->> 'payoutId', ${data} ->> 'id')`,
  partial: {
    where: `t.kind IN ('payment_link.created', 'payment_link.completed', 'payment_link.failed', 'payment_link.canceled', 'plan_grant.created', 'plan_grant.updated', 'plan_grant.expired', 'plan_grant.revoked', 'payout.created', 'payout.paid', 'payout.failed')`,
    without: [],
  },
} satisfies ValueIndex;

/** Where the events about objects are found, by what the ids of the objects begin with. */
const indexes: Readonly<Record<string, ValueIndex>> = {
  cus: { name: byCustomer, column: 'customerId' },
  sub: {
    name: byCustomer,
    column: 'subscriptionId',
    owner: { model: 'Subscription', column: 'customerId' },
  },
  inv: { ...ofInvoice, column: 'invoiceId' },
  txn: {
    ...ofInvoice,
    column: 'data',
    expression: (data) => `${data} ->> 'paymentTransactionId'`,
    owner: { model: 'Transaction', column: 'invoiceId' },
  },
  pay: named,
  pgr: named,
  po: named,
};

/** The index of the events about some objects. Throws `validation_error` unless all are of one kind that events are about. */
function indexFor(ids: readonly string[], path: string): ValueIndex {
  const [prefix = '', ...others] = new Set(ids.map((id) => id.slice(0, Math.max(0, id.indexOf('_')))));
  const index = indexes[prefix];
  if (index === undefined || others.length > 0)
    throw validationError([
      {
        field: path,
        message:
          'must be ids of one kind of object: customers, subscriptions, invoices, transactions, one-time payments, plan grants or payouts',
      },
    ]);
  return index;
}

/** Events about the objects with the ids sent. */
export const aboutSubjects: FilterMember = {
  type: ['ID'],
  description:
    'Ids of what they are about, 1 to 100, all of one kind: customers and subscriptions with everything they have, invoices with their payments, and the transactions, one-time payments, plan grants and payouts that events name.',
  rule: { minItems: 1, maxItems: 100 },
  indexFor,
  condition: (values, { path }) => {
    const ids = values as readonly string[];
    const { column, expression, partial } = indexFor(ids, path);
    const isNamed = isAmong('Event', { column, expression, values: ids });
    return (bind) => (partial === undefined ? isNamed(bind) : `(${isNamed(bind)} AND ${partial.where})`);
  },
};
