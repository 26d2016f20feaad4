import { addressOf } from '../../address.ts';
import { LinkButton } from '../../kit/button.tsx';
import { ListPage } from '../../lists/list-page.tsx';
import { ListTotals } from '../../parts/billing/list-totals.tsx';
import { invoiceTotals } from '../../parts/billing/totals.ts';
import { useWords } from '../../words/words.ts';
import { useInvoiceColumns, useInvoiceFields } from './columns.tsx';
import { invoiceVariables } from './list-variables.ts';
import { InvoicesDocument } from './page.graphql';

/** Event types that change the list. */
const liveKinds = ['invoice_'] as const;

/** Lists all invoices, with billed and outstanding totals. */
export default function InvoicesPage() {
  const words = useWords('invoices');
  return (
    <ListPage
      name="invoices"
      words={words}
      document={InvoicesDocument}
      columns={useInvoiceColumns()}
      fields={useInvoiceFields()}
      variablesOf={invoiceVariables}
      views={words.views}
      rowKey={({ id }) => id}
      live={liveKinds}
      rowHref={({ id }) => addressOf('invoice', { id })}
      emptyAction={
        <LinkButton kind="primary" href={addressOf('subscriptions', null, { open: 'new' })}>
          {words.emptyAction}
        </LinkButton>
      }
      head={(variables) => (
        <ListTotals
          document={InvoicesDocument}
          variables={variables}
          linesOf={(totals, money) =>
            invoiceTotals(totals).map(({ currency, count, total, outstanding }) => ({
              currency,
              texts: [
                words.totals.count({ count }),
                words.totals.total({ amount: money(total, currency) }),
                words.totals.outstanding({ amount: money(outstanding, currency) }),
              ],
            }))
          }
        />
      )}
    />
  );
}
