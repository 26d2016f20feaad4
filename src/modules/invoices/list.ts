import { extendList, listOf } from '../../graphql/lists.ts';
import type { Condition } from '../../platform/db/row-lists.ts';
import { customerList } from '../customers/list.ts';
import { belongsToCustomerWith, belongsToCustomerWithOr } from '../customers/store.ts';
import { InvoiceStatus, InvoiceType } from './enums.ts';

/** The condition that an invoice is owed after its due date, which ends with the day it names. */
const isOverdue = (invoice: string, now: string): string =>
  `${invoice}.status = 'outstanding' AND ${invoice}."dueDate" < date_trunc('day', ${now}, 'UTC')`;

/** The condition that an invoice has a number, with or without what it begins with, or belongs to a customer with a text. */
function isInvoiceWith(text: string): Condition {
  const [, digits] = /^(?:inv-)?(\d{1,18})$/i.exec(text.trim()) ?? [];
  if (digits === undefined) return belongsToCustomerWith(text);
  return belongsToCustomerWithOr(text, (bind) => `t.number = ${bind(digits)}::bigint`);
}

export const invoiceList = listOf('Invoice', {
  name: 'Invoice',
  of: 'invoices',
  filter: (f) => ({
    ids: f.ids(),
    statuses: f.oneOf('status', InvoiceStatus, 'Where they stand.', {
      index: { name: 'Invoice_unpaid', partial: { where: `t.status <> 'paid'`, without: ['paid'] } },
    }),
    types: f.oneOf('type', InvoiceType, 'Why they were made.'),
    customerIds: f.oneOf('customerId', 'ID', 'Our ids of their customers.', {
      index: { name: 'Invoice_environmentId_customerId_createdAt_seq_idx' },
    }),
    subscriptionIds: f.oneOf('subscriptionId', 'ID', 'Ids of their subscriptions.', {
      // Found among those of the customer: one index in order is enough.
      index: {
        name: 'Invoice_environmentId_customerId_createdAt_seq_idx',
        owner: { model: 'Subscription', column: 'customerId' },
      },
    }),
    currencies: f.oneOf('currency', 'String', 'Lower-case ISO 4217 codes of their amounts.'),
    total: f.amounts('total', 'What is to be paid.'),
    createdAt: f.instants('createdAt', 'When they were made.'),
    issueDate: f.instants('issueDate', 'When they were issued.'),
    dueDate: f.instants('dueDate', 'Until when they are to be paid.'),
    paidAt: f.instants('paidAt', 'When they were paid.'),
    isOverdue: f.flag((now) => isOverdue('t', now()), 'Whether they are outstanding after their due date.'),
  }),
  search: {
    idPrefix: 'inv',
    description:
      'Only the one with this number, and those of customers with this in name, email address or external id.',
    condition: isInvoiceWith,
  },
  sort: {
    created_at: {
      column: 'createdAt',
      index: 'Invoice_environmentId_createdAt_seq_idx',
      description: 'When they were made.',
    },
    issue_date: {
      column: 'issueDate',
      index: 'Invoice_environmentId_issueDate_seq_idx',
      description: 'When they were issued.',
    },
    due_date: {
      column: 'dueDate',
      index: 'Invoice_environmentId_dueDate_seq_idx',
      description: 'Until when they are to be paid.',
    },
    total: {
      column: 'total',
      index: 'Invoice_environmentId_total_seq_idx',
      description: 'What is to be paid, in minor units of the currency.',
    },
    number: {
      column: 'number',
      index: 'Invoice_environmentId_number_key',
      isUnique: true,
      description: 'The invoice number.',
    },
  },
});

extendList(customerList, (f) => ({
  isOverdue: f.flag(
    (now) =>
      `EXISTS (SELECT FROM "Invoice" i WHERE i."environmentId" = $1 AND i."customerId" = t.id AND ${isOverdue('i', now())})`,
    'Whether an invoice of them is outstanding after its due date.',
  ),
}));
