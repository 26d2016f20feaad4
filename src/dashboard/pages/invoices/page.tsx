import { moneyText } from '../../../ui/format/money.ts';
import { addressOf } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { LinkButton } from '../../kit/button.tsx';
import { useKit } from '../../kit/provider.tsx';
import { ListPage } from '../../lists/list-page.tsx';
import { ListTotals } from '../../parts/billing/list-totals.tsx';
import { invoiceTotals } from '../../parts/billing/totals.ts';
import { useWords } from '../../words/words.ts';
import { useInvoiceColumns, useInvoiceFields } from './columns.tsx';
import { invoiceVariables } from './list-variables.ts';
import {
  InvoiceMarksDocument,
  type InvoiceMarksQuery,
  InvoicesDocument,
  type InvoicesQuery,
  type InvoicesQueryVariables,
  InvoiceTotalsDocument,
} from './page.graphql';

/** Event types that change the list. */
const liveKinds = ['invoice_'] as const;

const queries = {
  page: InvoicesDocument,
  marks: InvoiceMarksDocument,
  rowsOf: ({ invoices }: InvoicesQuery) => invoices.nodes,
  marksOf: ({ invoices }: InvoiceMarksQuery) => invoices.marks,
};

/** Lists all invoices, with billed and outstanding totals. */
export default function InvoicesPage() {
  const words = useWords('invoices');
  return (
    <ListPage
      name="invoices"
      words={words}
      queries={queries}
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
      head={(variables) => <Totals variables={variables} />}
    />
  );
}

type Variables = Pick<InvoicesQueryVariables, 'filter' | 'search'>;

/** Totals of the listed invoices by currency. */
function Totals({ variables: { filter, search } }: { readonly variables: Variables }) {
  const { locale } = useKit();
  const words = useWords('invoices');
  const { data } = useData(InvoiceTotalsDocument, {
    ...(filter !== undefined && { filter }),
    ...(search !== undefined && { search }),
  });
  return (
    <ListTotals
      totals={invoiceTotals(data?.invoices.totals ?? []).map(({ currency, count, total, outstanding }) => ({
        currency,
        texts: [
          words.totals.count({ count }),
          words.totals.total({ amount: moneyText(total, currency, locale) }),
          words.totals.outstanding({ amount: moneyText(outstanding, currency, locale) }),
        ],
      }))}
    />
  );
}
