import type { ListState } from '../../kit/list/list-address.ts';
import { amountRange, chosen, dateRange, filterBy, searchOf, sortOf } from '../../lists/range.ts';
import type { CreditNotesQueryVariables } from './credit-notes.graphql';
import type { InvoicesQueryVariables } from './page.graphql';

// Query variables for the lists of invoices and credit notes.

type Filter = NonNullable<InvoicesQueryVariables['filter']>;

/** Views of the list, the default first. */
const views = ['all', 'open', 'overdue', 'paid', 'void'] as const;
type View = (typeof views)[number];

const viewFilters: Readonly<Record<View, Filter>> = {
  all: {},
  open: { statuses: ['outstanding'] },
  overdue: { isOverdue: true },
  paid: { statuses: ['paid'] },
  void: { statuses: ['void'] },
};

export const statuses = ['draft', 'outstanding', 'paid', 'uncollectible', 'void'] as const;
export const types = [
  'recurring',
  'plan_change',
  'overage',
  'addon_activation',
  'credit_purchase',
  'balance_topup',
  'one_time_payment',
  'adjustment',
  'reactivation',
] as const;

const sortKeys = {
  number: 'number',
  status: 'status',
  total: 'total',
  issued: 'issue_date',
  dueDate: 'due_date',
  created: 'created_at',
} as const;

/** Returns the query variables for a view, search, filters and sort order. */
export function invoiceVariables(
  view: string,
  state: ListState,
  now: Date,
): Pick<InvoicesQueryVariables, 'filter' | 'search' | 'sort'> {
  const of = (field: string) => filterBy(state, field);
  const [status, type, issued, due, total, currency] = [
    of('status'),
    of('type'),
    of('issued'),
    of('due'),
    of('total'),
    of('currency'),
  ];
  const filter: Filter = {
    ...viewFilters[view as View],
    ...(status && { statuses: chosen(status, statuses) }),
    ...(type && { types: chosen(type, types) }),
    ...(issued && { issueDate: dateRange(issued, now) }),
    ...(due && { dueDate: dateRange(due, now) }),
    ...(total && { total: amountRange(total) }),
    ...(currency && { currencies: [...currency.values] }),
  };
  const sort = sortOf(state, sortKeys);
  const search = searchOf(state);
  return { filter, ...(sort && { sort }), ...(search !== undefined && { search }) };
}

export const creditNoteReasons = ['refund', 'void', 'adjustment'] as const;

const creditNoteSortKeys = { number: 'number' } as const;

/** Returns the credit note list's query variables for a search, filters and sort order. */
export function creditNoteVariables(
  _view: string,
  state: ListState,
  now: Date,
): Pick<CreditNotesQueryVariables, 'filter' | 'search' | 'sort'> {
  const [reason, issued, currency] = ['reason', 'issued', 'currency'].map((field) => filterBy(state, field));
  const filter: NonNullable<CreditNotesQueryVariables['filter']> = {
    ...(reason && { reasons: chosen(reason, creditNoteReasons) }),
    ...(issued && { issueDate: dateRange(issued, now) }),
    ...(currency && { currencies: [...currency.values] }),
  };
  const sort = sortOf(state, creditNoteSortKeys);
  const search = searchOf(state);
  return { filter, ...(sort && { sort }), ...(search !== undefined && { search }) };
}
