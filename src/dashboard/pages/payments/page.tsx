import { useState } from 'react';
import { addressOf } from '../../address.ts';
import { Button, LinkButton } from '../../kit/button.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { ListPage } from '../../lists/list-page.tsx';
import { ListTotals } from '../../parts/billing/list-totals.tsx';
import { paymentTotals } from '../../parts/billing/totals.ts';
import { useWords } from '../../words/words.ts';
import { usePaymentColumns, usePaymentFields } from './columns.tsx';
import { transactionVariables } from './list-variables.ts';
import { TransactionsDocument } from './page.graphql';
import { PaymentTabs } from './tabs.tsx';

const Reconcile = lazyPart(() => import('./reconcile.tsx').then((module) => module.Reconcile));

/** Event types that change the list. */
const liveKinds = ['payment_', 'invoice_'] as const;

/** Lists all payment attempts. */
export default function PaymentsPage() {
  const words = useWords('payments');
  const [isComparing, setComparing] = useState(false);
  return (
    <ListPage
      name="payments"
      words={words}
      document={TransactionsDocument}
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
      head={(variables) => (
        <ListTotals
          document={TransactionsDocument}
          variables={variables}
          linesOf={(totals, money) =>
            paymentTotals(totals).map(({ currency, count, collected, refunded }) => ({
              currency,
              texts: [
                words.totals.count({ count }),
                words.totals.collected({ amount: money(collected, currency) }),
                words.totals.refunded({ amount: money(refunded, currency) }),
              ],
            }))
          }
        />
      )}
    >
      {isComparing && <Reconcile onClose={() => setComparing(false)} />}
    </ListPage>
  );
}
