import { addressOf } from '../../address.ts';
import { Button, LinkButton } from '../../kit/button.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { ListPage } from '../../lists/list-page.tsx';
import { useOpened } from '../../lists/use-open-item.ts';
import { ListTotals } from '../../parts/billing/list-totals.tsx';
import { invoiceTotals } from '../../parts/billing/totals.ts';
import { openAddress } from '../../router-address.ts';
import { usePageKey } from '../../shell/use-page-key.ts';
import { useWords } from '../../words/words.ts';
import { useInvoiceColumns, useInvoiceFields } from './columns.tsx';
import { invoiceVariables } from './list-variables.ts';
import { InvoicesDocument } from './page.graphql';
import { InvoiceTabs } from './tabs.tsx';

const NewInvoice = lazyPart(() => import('./new-invoice.tsx').then((module) => module.NewInvoice));

/** Event types that change the list. */
const liveKinds = ['invoice_'] as const;

/** Lists all invoices, with billed and outstanding totals. */
export default function InvoicesPage() {
  const words = useWords('invoices');
  const [, open] = useOpened();
  usePageKey('n', () => open('new'));
  return (
    <ListPage
      name="invoices"
      words={words}
      document={InvoicesDocument}
      columns={useInvoiceColumns()}
      fields={useInvoiceFields()}
      variablesOf={invoiceVariables}
      tabs={<InvoiceTabs selected="invoices" />}
      views={words.views}
      rowKey={({ id }) => id}
      live={liveKinds}
      rowHref={({ id }) => addressOf('invoice', { id })}
      emptyAction={
        <LinkButton kind="primary" href={addressOf('subscriptions', null, { open: 'new' })}>
          {words.emptyAction}
        </LinkButton>
      }
      actions={
        <Button kind="primary" keys="n" onPress={() => open('new')}>
          {words.editor.title}
        </Button>
      }
      sheet={({ opened, close }) =>
        opened === 'new' && (
          <NewInvoice onClose={close} onMade={(id) => openAddress(addressOf('invoice', { id }))} />
        )
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
