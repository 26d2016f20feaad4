import type { ResultOf } from '../../../ui/documents.ts';
import { usePage } from '../../data/current-page.ts';
import { run } from '../../data/service.ts';
import { dayText, moneyText } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import { Alert, webAddress } from '../../parts/frame.tsx';
import { NumberCell, Plain, Quiet, Table } from '../parts.tsx';
import styles from '../portal.module.css';
import { type PortalWords, useOwn } from '../portal-words.ts';
import { useMore } from '../use-more.ts';
import {
  EarlierInvoicesDocument,
  InvoicesSectionDocument,
  type PortalInvoicesFragment,
} from './invoices.graphql';
import { type SectionProps, sectionOf } from './kind.ts';

type Portal = ResultOf<typeof InvoicesSectionDocument>['portal'];
type Invoice = PortalInvoicesFragment['nodes'][number];

/** Returns the type of a document: credit note, receipt (a paid invoice), or invoice. */
const kindOf = ({ invoices: words }: PortalWords, { total, status }: Invoice): string =>
  total < 0 ? words.creditNote : status === 'paid' ? words.receipt : words.invoice;

type DocumentProps = {
  readonly number: string;
  readonly kind: string;
  readonly day: string;
  readonly standing: string;
  readonly total: string;
  readonly address: string | null;
  /** URL of the payment page. `null` if the document can't be paid. */
  readonly payAddress?: string | null;
};

/** Row of a document with a link to its PDF. */
function Row({ number, kind, day, standing, total, address, payAddress = null }: DocumentProps) {
  const own = useOwn();
  return (
    <tr>
      <th scope="row">
        {address === null ? (
          number
        ) : (
          <a class={styles.link} href={address} download aria-label={own.invoices.download({ kind, number })}>
            {number}
          </a>
        )}
        <span class={`${styles.reason} ${styles.narrow}`}>{kind}</span>
      </th>
      <td class={styles.wide}>{kind}</td>
      <td>{day}</td>
      <td>
        {payAddress === null ? (
          standing
        ) : (
          <a class={styles.link} href={payAddress} aria-label={own.invoices.pay({ number })}>
            {own.invoices.payNow}
          </a>
        )}
      </td>
      <NumberCell>{total}</NumberCell>
    </tr>
  );
}

/** Rows of an invoice and its credit notes. */
function Rows({ invoice }: { readonly invoice: Invoice }) {
  const page = usePage();
  const own = useOwn();
  const { creditNote, credited, statuses } = own.invoices;
  const { invoiceNumber, status, total, issueDate, payUrl, downloadUrl, creditNotes } = invoice;
  return (
    <>
      <Row
        number={invoiceNumber}
        kind={kindOf(own, invoice)}
        day={dayText(page, issueDate)}
        standing={total < 0 ? credited : statuses[status]}
        total={moneyText(page, invoice, total)}
        address={webAddress(downloadUrl)}
        payAddress={payUrl === null ? null : webAddress(payUrl)}
      />
      {creditNotes.map((note) => (
        <Row
          key={note.creditNoteId}
          number={note.creditNoteNumber}
          kind={creditNote}
          day={dayText(page, note.issueDate)}
          standing={credited}
          total={moneyText(page, invoice, note.total)}
          address={webAddress(note.downloadUrl)}
        />
      ))}
    </>
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
          <Rows key={invoice.invoiceId} invoice={invoice} />
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

/** Section with invoices, receipts and credit notes, newest first. */
export const invoices = sectionOf(InvoicesSectionDocument, Invoices);
