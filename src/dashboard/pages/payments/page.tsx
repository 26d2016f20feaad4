import { useState } from 'react';
import { moneyText } from '../../../ui/format/money.ts';
import { addressOf } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { Button, LinkButton } from '../../kit/button.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { useKit } from '../../kit/provider.tsx';
import { ListPage } from '../../lists/list-page.tsx';
import { ListTotals } from '../../parts/billing/list-totals.tsx';
import { paymentTotals } from '../../parts/billing/totals.ts';
import { useWords } from '../../words/words.ts';
import { usePaymentColumns, usePaymentFields } from './columns.tsx';
import { transactionVariables } from './list-variables.ts';
import {
  TransactionMarksDocument,
  type TransactionMarksQuery,
  TransactionsDocument,
  type TransactionsQuery,
  type TransactionsQueryVariables,
  TransactionTotalsDocument,
} from './page.graphql';
import { PaymentTabs } from './tabs.tsx';

const Reconcile = lazyPart(() => import('./reconcile.tsx').then((module) => module.Reconcile));

/** Event types that change the list. */
const liveKinds = ['payment_', 'invoice_'] as const;

const queries = {
  page: TransactionsDocument,
  marks: TransactionMarksDocument,
  rowsOf: ({ transactions }: TransactionsQuery) => transactions.nodes,
  marksOf: ({ transactions }: TransactionMarksQuery) => transactions.marks,
};

/** Lists all payment attempts. */
export default function PaymentsPage() {
  const words = useWords('payments');
  const [isComparing, setComparing] = useState(false);
  return (
    <ListPage
      name="payments"
      words={words}
      queries={queries}
      columns={usePaymentColumns()}
      fields={usePaymentFields()}
      variablesOf={transactionVariables}
      views={words.views}
      rowKey={({ id }) => id}
      live={liveKinds}
      rowHref={({ id }) => addressOf('payment', { id })}
      tabs={<PaymentTabs selected="attempts" />}
      emptyAction={
        <LinkButton kind="primary" href={addressOf('paymentLinks', null, { open: 'new' })}>
          {words.links.new}
        </LinkButton>
      }
      actions={<Button onPress={() => setComparing(true)}>{words.reconcile.title}</Button>}
      head={(variables) => <Totals variables={variables} />}
    >
      {isComparing && <Reconcile onClose={() => setComparing(false)} />}
    </ListPage>
  );
}

type Variables = Pick<TransactionsQueryVariables, 'filter' | 'search'>;

/** Totals of the listed payments by currency. */
function Totals({ variables: { filter, search } }: { readonly variables: Variables }) {
  const { locale } = useKit();
  const words = useWords('payments');
  const { data } = useData(TransactionTotalsDocument, {
    ...(filter !== undefined && { filter }),
    ...(search !== undefined && { search }),
  });
  return (
    <ListTotals
      totals={paymentTotals(data?.transactions.totals ?? []).map(
        ({ currency, count, collected, refunded }) => ({
          currency,
          texts: [
            words.totals.count({ count }),
            words.totals.collected({ amount: moneyText(collected, currency, locale) }),
            words.totals.refunded({ amount: moneyText(refunded, currency, locale) }),
          ],
        }),
      )}
    />
  );
}
