import { useState } from 'react';
import { useData } from '../../data/hooks.ts';
import { Callout } from '../../kit/callout.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { Select } from '../../kit/select.tsx';
import { Loading } from '../../kit/states.tsx';
import { CreditNoteTable } from '../../parts/billing/credit-note-table.tsx';
import type { InvoiceRowFragment } from '../../parts/billing/invoice-row.graphql';
import { InvoiceTable } from '../../parts/billing/invoice-table.tsx';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { PagesOf } from '../../parts/load-more.tsx';
import { useConnection } from '../../parts/subscription/subscription-lists.tsx';
import { useTerms } from '../../parts/terms.ts';
import { CustomerInvoicesDocument } from './tabs.graphql';

type State = InvoiceRowFragment['status'];
const states: readonly State[] = ['outstanding', 'paid', 'void', 'uncollectible'];

type PageProps = {
  readonly id: string;
  readonly after: string | null;
  readonly status: State | null;
  readonly onConnection: Parameters<typeof useConnection>[1];
};

function InvoicePage({ id, after, status, onConnection }: PageProps) {
  const { data, error } = useData(CustomerInvoicesDocument, { id, first: 50, after, status });
  const invoices = data?.customer.invoices;
  useConnection(invoices, onConnection);
  if (error !== null) return <Callout tone="negative">{error.message}</Callout>;
  if (data === null || invoices === undefined) return <Loading />;
  return (
    <Stack gap={4}>
      <InvoiceTable invoices={invoices.nodes} />
      {after === null && status === null && <CreditNoteTable notes={data.customer.creditNotes.nodes} />}
    </Stack>
  );
}

/** Lists a customer's invoices, filtered by status, and the latest credit notes. */
export function InvoicesTab({ id }: { readonly id: string }) {
  const { invoices: words } = useCustomerWords();
  const terms = useTerms();
  const [status, setStatus] = useState<State | null>(null);
  return (
    <Stack gap={4}>
      <Row>
        <Select
          label={words.status}
          options={[
            { value: 'all', label: words.all },
            ...states.map((value) => ({ value, label: terms.invoiceStatus[value] })),
          ]}
          value={status ?? 'all'}
          onChange={(value) => setStatus(states.find((each) => each === value) ?? null)}
        />
      </Row>
      <PagesOf
        key={status ?? 'all'}
        page={(after, hand) => <InvoicePage id={id} after={after} status={status} onConnection={hand} />}
      />
    </Stack>
  );
}
