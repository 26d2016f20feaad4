import { validationError } from '../../../domain/errors/errors.ts';
import type { FilterMember } from '../../../graphql/reading/list-members.ts';
import type { ValueIndex } from '../../../graphql/reading/list-rows.ts';
import { isAmong } from '../../../platform/db/row-lists.ts';
import { prefixOf } from '../../../platform/ids.ts';

// Lookup of events about an object. Because every renewal writes events, only event types that renewals don't write have an index by
// subject. Other events are found through the existing indexes by customer and invoice.

const byCustomer = 'Event_environmentId_customerId_position_idx';
const ofInvoice = {
  name: 'Event_timeline_of_invoice',
  partial: { where: 't."invoiceId" IS NOT NULL', without: [] },
};

/**
 * Event types about one-time payments, plan grants, and payouts, whose IDs are part of the event data. Must match the list of event types
 * in the index.
 */
const named = {
  name: 'Event_by_subject',
  column: 'data',
  expression: (data) => `coalesce(${data} ->> 'paymentId', ${data} ->> 'payoutId', ${data} ->> 'id')`,
  partial: {
    where: `t.kind IN ('payment_link.created', 'payment_link.completed', 'payment_link.failed', 'payment_link.canceled', 'plan_grant.created', 'plan_grant.updated', 'plan_grant.expired', 'plan_grant.revoked', 'payout.created', 'payout.paid', 'payout.failed', 'payout.canceled')`,
    without: [],
  },
} satisfies ValueIndex;

/** Indexes for finding events about an object, by the prefix of the object's ID. */
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

/** Returns the index for events about these objects. Throws `validation_error` unless all objects have the same supported type. */
function indexFor(ids: readonly string[], path: string): ValueIndex {
  const [prefix = '', ...others] = new Set(ids.map(prefixOf));
  const index = indexes[prefix];
  if (index === undefined || others.length > 0)
    throw validationError([
      {
        field: path,
        message:
          'must be IDs of one type of object: customers, subscriptions, invoices, transactions, one-time payments, plan grants, or payouts',
      },
    ]);
  return index;
}

/** Filter for events about the objects with the given IDs. */
export const aboutSubjects: FilterMember = {
  type: ['ID'],
  description:
    "IDs of the event subjects, all of the same type. From 1 to 100 values. A customer or subscription ID also matches events about all objects that belong to the customer or subscription. An invoice ID also matches events about the invoice's payments. IDs of transactions, one-time payments, plan grants, and payouts match only events that contain the ID.",
  rule: { minItems: 1, maxItems: 100 },
  indexFor,
  condition: (values, { path }) => {
    const ids = values as readonly string[];
    const { column, expression, partial } = indexFor(ids, path);
    const isNamed = isAmong('Event', { column, expression, values: ids });
    return (bind) => (partial === undefined ? isNamed(bind) : `(${isNamed(bind)} AND ${partial.where})`);
  },
};
