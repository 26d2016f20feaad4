import { isOwed } from '../../../engine/owed-invoices.ts';
import { extendList, listOf } from '../../../graphql/reading/lists.ts';
import type { Condition } from '../../../platform/db/row-lists.ts';
import { customerList } from '../../customers/customers/list.ts';
import { customerSearch } from '../../customers/customers/search-store.ts';
import { InvoiceStatus, InvoiceType } from './enums.ts';

/** SQL condition for an overdue invoice: the invoice is outstanding, and its due date has passed. */
const isOverdue = (invoice: string, now: string): string =>
  `${isOwed(invoice)} AND ${invoice}."dueDate" < date_trunc('day', ${now}, 'UTC')`;

/** SQL condition: the search text is the invoice number, with or without the prefix `INV-`. */
function hasNumber(text: string): Condition | null {
  const [, digits] = /^(?:inv-)?(\d{1,18})$/i.exec(text.trim()) ?? [];
  return digits === undefined ? null : (bind) => `t.number = ${bind(digits)}::bigint`;
}

export const invoiceList = listOf('Invoice', {
  name: 'Invoice',
  of: 'invoices',
  filter: (f) => ({
    ids: f.ids(),
    statuses: f.oneOf('status', InvoiceStatus, 'Statuses to include.', {
      index: { name: 'Invoice_unpaid', partial: { where: `t.status <> 'paid'`, without: ['paid'] } },
    }),
    types: f.oneOf('type', InvoiceType, 'Invoice types to include.'),
    customerIds: f.oneOf('customerId', 'ID', 'IDs of the customers to include.', {
      index: { name: 'Invoice_environmentId_customerId_createdAt_seq_idx' },
    }),
    subscriptionIds: f.oneOf('subscriptionId', 'ID', 'IDs of the subscriptions to include.', {
      // The customer's invoice index is sufficient, because the SQL condition includes the subscription's
      // customer.
      index: {
        name: 'Invoice_environmentId_customerId_createdAt_seq_idx',
        owner: { model: 'Subscription', column: 'customerId' },
      },
    }),
    currencies: f.oneOf('currency', 'String', 'Lowercase ISO 4217 codes of the currencies to include.'),
    total: f.amounts('total', 'Total including tax, in the smallest currency unit.'),
    createdAt: f.instants('createdAt', 'Time at which the invoice was created.'),
    issueDate: f.instants('issueDate', 'Date on which the invoice was issued.'),
    dueDate: f.instants('dueDate', 'Due date of the invoice.'),
    paidAt: f.instants('paidAt', 'Time at which the invoice was paid.'),
    isFinal: f.flag(
      () => `t."finalizedAt" IS NOT NULL`,
      "Whether the invoice is final. The invoice of an unpaid checkout isn't final.",
    ),
    isOverdue: f.flag(
      (now) => isOverdue('t', now()),
      'Whether the invoice is outstanding and past its due date.',
    ),
  }),
  search: {
    idPrefix: 'inv',
    description:
      "Invoice number (exact match), or text to search for in the customer's name, email address, and external ID.",
    ...customerSearch(hasNumber),
  },
  sort: {
    created_at: {
      column: 'createdAt',
      index: 'Invoice_environmentId_createdAt_seq_idx',
      description: 'Time at which the invoice was created.',
    },
    issue_date: {
      column: 'issueDate',
      index: 'Invoice_environmentId_issueDate_seq_idx',
      description: 'Date on which the invoice was issued.',
    },
    due_date: {
      column: 'dueDate',
      index: 'Invoice_environmentId_dueDate_seq_idx',
      description: 'Due date of the invoice.',
    },
    total: {
      column: 'total',
      index: 'Invoice_environmentId_total_seq_idx',
      description: 'Total including tax, in the smallest currency unit.',
    },
    status: {
      column: 'status',
      index: 'Invoice_environmentId_status_seq_idx',
      description: 'Status, in this order: `draft`, `outstanding`, `paid`, `void`, `uncollectible`.',
    },
    number: {
      column: 'number',
      index: 'Invoice_environmentId_number_key',
      isUnique: true,
      description: 'Invoice number.',
    },
  },
});

extendList(customerList, (f) => ({
  isOverdue: f.flag(
    (now) =>
      `EXISTS (SELECT FROM "Invoice" i WHERE i."environmentId" = $1 AND i."customerId" = t.id AND ${isOverdue('i', now())})`,
    'Whether the customer has an outstanding invoice that is past its due date.',
  ),
}));
