import type { ResultOf } from '../../../ui/documents.ts';
import { usePage } from '../../data/current-page.ts';
import { run } from '../../data/service.ts';
import { dayText, moneyText } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import { Alert, webAddress } from '../../parts/frame.tsx';
import { type PortalWords, useOwn } from '../own.ts';
import { NumberCell, Plain, Quiet, Table } from '../parts.tsx';
import styles from '../portal.module.css';
import { useMore } from '../use-more.ts';
import {
  EarlierInvoicesDocument,
  InvoicesSectionDocument,
  type PortalInvoicesFragment,
} from './invoices.graphql';
import { type SectionProps, sectionOf } from './kind.ts';

type Portal = ResultOf<typeof InvoicesSectionDocument>['portal'];
type Invoice = PortalInvoicesFragment['nodes'][number];

/** What a document is: a credit note takes something back, a receipt is an invoice that is paid. */
const kindOf = ({ invoices: words }: PortalWords, { total, status }: Invoice): string =>
  total < 0 ? words.creditNote : status === 'paid' ? words.receipt : words.invoice;

function Row({ invoice }: { readonly invoice: Invoice }) {
  const page = usePage();
  const own = useOwn();
  const { invoiceNumber, status, total, issueDate } = invoice;
  const address = webAddress(invoice.downloadUrl);
  const kind = kindOf(own, invoice);
  return (
    <tr>
      <th scope="row">
        {address === null ? (
          invoiceNumber
        ) : (
          <a
            class={styles.link}
            href={address}
            download
            aria-label={own.invoices.download(kind, invoiceNumber)}
          >
            {invoiceNumber}
          </a>
        )}
        <span class={`${styles.reason} ${styles.narrow}`}>{kind}</span>
      </th>
      <td class={styles.wide}>{kind}</td>
      <td>{dayText(page, issueDate)}</td>
      <td>{total < 0 ? own.invoices.credited : own.invoices.statuses[status]}</td>
      <NumberCell>{moneyText(page, invoice, total)}</NumberCell>
    </tr>
  );
}

function Invoices({ portal }: SectionProps<Portal>) {
  const page = usePage();
  const { invoices: words, sections, unreachable } = useOwn();
  const { nodes, hasMore, isBusy, hasFailed, load } = useMore(
    portal.invoices,
    async (after) => (await run(EarlierInvoicesDocument, { token: page.token, after })).portal.invoices,
  );
  if (nodes.length === 0)
    return (
      <Plain>
        <Quiet id="no-invoices">{words.none}</Quiet>
      </Plain>
    );
  return (
    <Plain>
      <Table
        label={sections.invoices}
        head={[words.number, words.kind, words.date, words.status, words.total]}
      >
        {nodes.map((invoice) => (
          <Row key={invoice.invoiceId} invoice={invoice} />
        ))}
      </Table>
      <Alert text={hasFailed ? unreachable : null} />
      {hasMore ? (
        <Button kind="quiet" id="more" disabled={isBusy} onClick={load}>
          {words.earlier}
        </Button>
      ) : null}
    </Plain>
  );
}

/** Invoices, receipts and credit notes, the latest first. */
export const invoices = sectionOf(InvoicesSectionDocument, Invoices);
