import { useMemo } from 'react';
import type { GridColumn } from '../../kit/grid/grid.tsx';
import type { FilterField } from '../../kit/list/filters.ts';
import { useKit } from '../../kit/provider.tsx';
import { Text } from '../../kit/text.tsx';
import { DateText, Money } from '../../kit/values.tsx';
import { choiceField } from '../../lists/fields.ts';
import { InvoiceStatus, isOverdue } from '../../parts/billing/status.tsx';
import { customerColumn } from '../../parts/customer-column.tsx';
import { useTerms } from '../../parts/terms.ts';
import { useWords } from '../../words/words.ts';
import { statuses, types } from './list-variables.ts';
import type { InvoiceRowFragment } from './row.graphql';

export function useInvoiceColumns(): readonly GridColumn<InvoiceRowFragment>[] {
  const words = useWords('invoices');
  const terms = useTerms();
  const { now } = useKit();
  return useMemo(
    () => [
      {
        id: 'number',
        title: words.number,
        width: 110,
        isSortable: true,
        isRequired: true,
        phone: 'title',
        cell: ({ invoiceNumber }) => <Text weight="medium">{invoiceNumber}</Text>,
      },
      customerColumn(words.customer, 'line'),
      {
        id: 'type',
        title: words.type,
        width: 120,
        grow: 1,
        cell: ({ invoiceType }) => terms.invoiceType[invoiceType],
      },
      {
        id: 'status',
        title: words.status,
        isSortable: true,
        width: 115,
        phone: 'line',
        cell: (invoice) => <InvoiceStatus invoice={invoice} overdue={isOverdue(invoice, now())} />,
      },
      {
        id: 'issued',
        title: words.issued,
        width: 115,
        isSortable: true,
        cell: ({ issueDate }) => <DateText at={issueDate} />,
      },
      {
        id: 'dueDate',
        title: words.dueDate,
        width: 115,
        isSortable: true,
        isShown: false,
        cell: ({ dueDate }) => <DateText at={dueDate} />,
      },
      {
        id: 'due',
        title: words.due,
        width: 120,
        align: 'end',
        cell: ({ amountDue, currency }) => <Money minor={amountDue} currency={currency} />,
      },
      {
        id: 'total',
        title: words.total,
        width: 115,
        align: 'end',
        isSortable: true,
        phone: 'end',
        cell: ({ total, currency }) => <Money minor={total} currency={currency} />,
      },
    ],
    [words, terms, now],
  );
}

export function useInvoiceFields(): readonly FilterField[] {
  const words = useWords('invoices');
  const terms = useTerms();
  return useMemo(
    () => [
      choiceField('status', words.status, statuses, terms.invoiceStatus),
      choiceField('type', words.type, types, terms.invoiceType),
      { id: 'issued', label: words.issued, kind: 'date' },
      { id: 'due', label: words.dueDate, kind: 'date' },
      { id: 'total', label: words.total, kind: 'money', currency: 'usd' },
    ],
    [words, terms],
  );
}
