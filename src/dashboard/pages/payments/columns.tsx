import { useMemo } from 'react';
import { plainText } from '../../../ui/format/names.ts';
import type { GridColumn } from '../../kit/grid/grid.tsx';
import { Row } from '../../kit/layout.tsx';
import type { FilterField } from '../../kit/list/filters.ts';
import { Text } from '../../kit/text.tsx';
import { DateTime, Money } from '../../kit/values.tsx';
import { choiceField } from '../../lists/fields.ts';
import { DeclineText, TransactionStatus } from '../../parts/billing/status.tsx';
import { customerColumn } from '../../parts/customer-column.tsx';
import { useTerms } from '../../parts/terms.ts';
import { useWords } from '../../words/words.ts';
import { providers, statuses } from './list-variables.ts';
import type { TransactionRowFragment } from './row.graphql';

export function usePaymentColumns(): readonly GridColumn<TransactionRowFragment>[] {
  const words = useWords('payments');
  return useMemo(
    () => [
      {
        id: 'amount',
        title: words.amount,
        width: 110,
        align: 'end',
        isSortable: true,
        isRequired: true,
        phone: 'end',
        cell: ({ amount, currency }) => <Money minor={amount} currency={currency} />,
      },
      {
        id: 'status',
        title: words.status,
        isSortable: true,
        width: 200,
        grow: 1,
        phone: 'line',
        cell: ({ status, declineCode }) => (
          <Row wrap={false}>
            <TransactionStatus status={status} />
            {status === 'failed' && declineCode !== null && (
              <Text size="sm" color="muted" truncate>
                <DeclineText code={declineCode} />
              </Text>
            )}
          </Row>
        ),
      },
      customerColumn(words.customer, 'title'),
      {
        id: 'method',
        title: words.method,
        width: 110,
        cell: ({ paymentMethod }) =>
          paymentMethod === null ? '–' : `${plainText(paymentMethod.brand)} ${paymentMethod.last4}`,
      },
      {
        id: 'invoice',
        title: words.invoice,
        width: 110,
        cell: ({ invoice }) => invoice?.invoiceNumber ?? '–',
      },
      {
        id: 'provider',
        title: words.provider,
        width: 110,
        isShown: false,
        cell: ({ provider }) => words.providers[provider],
      },
      {
        id: 'refunded',
        title: words.refunded,
        width: 120,
        align: 'end',
        isShown: false,
        cell: ({ refundedAmount, currency }) => <Money minor={refundedAmount} currency={currency} />,
      },
      {
        id: 'time',
        title: words.time,
        width: 205,
        isSortable: true,
        cell: ({ createdAt }) => <DateTime at={createdAt} />,
      },
    ],
    [words],
  );
}

export function usePaymentFields(): readonly FilterField[] {
  const words = useWords('payments');
  const terms = useTerms();
  return useMemo(
    () => [
      choiceField('status', words.status, statuses, terms.transactionStatus),
      choiceField('provider', words.provider, providers, words.providers),
      { id: 'time', label: words.time, kind: 'date' },
      { id: 'amount', label: words.amount, kind: 'money', currency: 'usd' },
    ],
    [words, terms],
  );
}
