import { useMemo } from 'react';
import { addressOf } from '../../address.ts';
import type { GridColumn } from '../../kit/grid/grid.tsx';
import type { FilterField } from '../../kit/list/filters.ts';
import { DateTime, Money } from '../../kit/values.tsx';
import { choiceField } from '../../lists/fields.ts';
import { ListPage } from '../../lists/list-page.tsx';
import { ListTotals } from '../../parts/billing/list-totals.tsx';
import { refundTotals } from '../../parts/billing/totals.ts';
import { customerColumn } from '../../parts/customer-column.tsx';
import { useWords } from '../../words/words.ts';
import { refundReasons, refundStatuses, refundVariables } from './list-variables.ts';
import { RefundStatus } from './refund-status.tsx';
import { type RefundRowFragment, RefundsDocument } from './refunds.graphql';
import { PaymentTabs } from './tabs.tsx';

/** Event types that change the list. */
const liveKinds = ['payment_'] as const;

/** Lists refunds for all payments. */
export default function RefundsPage() {
  const words = useWords('payments');
  const texts = {
    title: words.tabs.refunds,
    search: words.search,
    empty: words.refundsEmpty,
    emptyFiltered: words.refundsFiltered,
    failed: words.failed,
  };
  return (
    <ListPage
      name="refunds"
      words={texts}
      document={RefundsDocument}
      columns={useRefundColumns()}
      fields={useRefundFields()}
      variablesOf={refundVariables}
      rowKey={({ id }) => id}
      live={liveKinds}
      rowHref={({ transactionId }) => addressOf('payment', { id: transactionId })}
      tabs={<PaymentTabs selected="refunds" />}
      head={(variables) => (
        <ListTotals
          document={RefundsDocument}
          variables={variables}
          linesOf={(totals, money) =>
            refundTotals(totals).map(({ currency, count, done, open }) => ({
              currency,
              texts: [
                words.refundTotals.count({ count }),
                words.refundTotals.returned({ amount: money(done, currency) }),
                words.refundTotals.open({ amount: money(open, currency) }),
              ],
            }))
          }
        />
      )}
    />
  );
}

function useRefundColumns(): readonly GridColumn<RefundRowFragment>[] {
  const words = useWords('payments');
  return useMemo(
    () => [
      {
        id: 'amount',
        title: words.amount,
        width: 120,
        align: 'end',
        isRequired: true,
        phone: 'end',
        cell: ({ amount, currency }) => <Money minor={amount} currency={currency} />,
      },
      {
        id: 'status',
        title: words.status,
        width: 150,
        phone: 'line',
        cell: ({ status }) => <RefundStatus status={status} />,
      },
      customerColumn(words.customer, 'title'),
      {
        id: 'reason',
        title: words.reason,
        width: 200,
        grow: 1,
        phone: 'line',
        cell: ({ reason }) => (reason === null ? '–' : words.refundReasons[reason]),
      },
      { id: 'time', title: words.time, width: 205, cell: ({ createdAt }) => <DateTime at={createdAt} /> },
    ],
    [words],
  );
}

function useRefundFields(): readonly FilterField[] {
  const words = useWords('payments');
  return useMemo(
    () => [
      choiceField('status', words.status, refundStatuses, words.refundStatuses),
      // The reason for a refund is optional.
      choiceField('reason', words.reason, refundReasons, words.refundReasons, { isPartial: true }),
      { id: 'time', label: words.time, kind: 'date' },
    ],
    [words],
  );
}
