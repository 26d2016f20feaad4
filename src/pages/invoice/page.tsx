import { useState } from 'preact/hooks';
import type { ResultOf } from '../../ui/documents.ts';
import { useArea, usePage } from '../data/current-page.ts';
import type { Begin } from '../data/initial-data.ts';
import { run } from '../data/service.ts';
import { useChanges } from '../data/use-changes.ts';
import { useHost } from '../data/use-host.ts';
import { dayText, lineText, moneyText, taxRows } from '../format.ts';
import { ButtonLink } from '../parts/button.tsx';
import { NothingToShow } from '../parts/empty-page.tsx';
import { Frame, pageAddress, Status, webAddress } from '../parts/frame.tsx';
import { Order } from '../parts/order.tsx';
import { buyerText } from '../parts/party.ts';
import styles from '../parts/section.module.css';
import { InvoiceChangedDocument, InvoicePageDocument } from './page.graphql';

export type InvoicePageData = ResultOf<typeof InvoicePageDocument>;
type Hosted = InvoicePageData['hostedInvoice'];

/** Returns the invoice, and keeps it up to date while it can be paid. */
function useInvoice(first: Hosted): Hosted {
  const { token } = usePage();
  const [hosted, setHosted] = useState(first);
  const { invoice, payUrl } = hosted;
  useChanges({
    isOpen: invoice.status === 'outstanding',
    isWaiting: false,
    document: InvoiceChangedDocument,
    isShown: ({ hostedInvoiceChanged: told }) =>
      told.invoice.status === invoice.status &&
      told.invoice.amountDue === invoice.amountDue &&
      told.payUrl === payUrl,
    // If the reload fails, the page doesn't change.
    reload: () =>
      void run(InvoicePageDocument, { token }).then(
        (answer) => setHosted(answer.hostedInvoice),
        () => undefined,
      ),
  });
  return hosted;
}

function Lines({ hosted }: { readonly hosted: Hosted }) {
  const page = usePage();
  const { total, due } = useArea('invoice').sums;
  const { invoice, tax } = hosted;
  const money = (minor: number): string => moneyText(page, invoice, minor);
  return (
    <Order
      lines={invoice.lineItems.map((line) => ({
        label: lineText(page, line),
        amount: money(line.amount),
      }))}
      totals={[
        ...taxRows(page, invoice, tax, null),
        { label: total, amount: money(invoice.total) },
        ...invoice.creditNotes.map((note) => ({
          label: note.creditNoteNumber,
          amount: money(note.total),
        })),
        ...(invoice.creditNotes.length > 0 && invoice.status === 'outstanding'
          ? [{ label: due, amount: money(invoice.amountDue) }]
          : []),
      ]}
    />
  );
}

/** Shows the merchant and the buyer as on the invoice document. */
function Parties({ hosted }: { readonly hosted: Hosted }) {
  const words = useArea('invoice');
  const { language, words: shared } = usePage();
  const { seller, buyer } = hosted;
  const { taxDocument: taxLabel } = shared.labels;
  const taxId = seller.taxId === null ? null : `${taxLabel}: ${seller.taxId}`;
  const parties = [
    [words.from, [seller.name, seller.address, taxId].filter((text) => text !== null).join('\n')],
    [words.to, buyerText(buyer, taxLabel, language)],
  ] as const;
  return (
    <dl class={styles.facts}>
      {parties.map(([label, text]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd dir="auto">{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Links to the PDFs of credit notes. */
function Notes({ hosted: { invoice } }: { readonly hosted: Hosted }) {
  const { downloadNote } = useArea('invoice');
  return invoice.creditNotes.map(({ creditNoteId, creditNoteNumber, downloadUrl }) => {
    const address = webAddress(downloadUrl);
    return address === null ? null : (
      <ButtonLink key={creditNoteId} kind="quiet" href={address}>
        {downloadNote({ number: creditNoteNumber })}
      </ButtonLink>
    );
  });
}

/** Returns a sentence about the invoice status. Empty if the invoice can be paid. */
function useSentence({ invoice }: Hosted): string {
  const page = usePage();
  const words = useArea('invoice');
  if (invoice.status === 'paid')
    return invoice.amountPaid === 0 && invoice.creditNotes.length > 0
      ? words.credited
      : words.paid({ amount: moneyText(page, invoice, invoice.amountPaid) });
  if (invoice.status === 'void') return words.void;
  return invoice.status === 'uncollectible' ? words.uncollectible({ merchant: page.merchant }) : '';
}

function OpenInvoicePage({ first }: { readonly first: Hosted }) {
  const page = usePage();
  const words = useArea('invoice');
  const hosted = useInvoice(first);
  const { invoice, branding, payUrl } = hosted;
  const { issueDate, dueDate, paidAt, status } = invoice;
  const day = (instant: string): string => dayText(page, instant);
  const amount = moneyText(page, invoice, status === 'outstanding' ? invoice.amountDue : invoice.total);
  const pay = pageAddress(payUrl, page);
  const download = webAddress(invoice.downloadUrl);
  useHost(branding.embedOrigins, false);
  return (
    <Frame
      branding={branding}
      isSandbox={!hosted.livemode}
      locales={hosted.locales}
      title={words.title({ number: invoice.invoiceNumber })}
      aside={
        <>
          <p class={styles.amount}>{amount}</p>
          <p id="summary">
            {words.statuses[status]}
            {'. '}
            {words.issued({ day: day(issueDate) })}{' '}
            {paidAt === null ? words.due({ day: day(dueDate) }) : words.paidOn({ day: day(paidAt) })}
          </p>
          <Lines hosted={hosted} />
          {invoice.memo === null ? null : <p class={styles.quiet}>{invoice.memo}</p>}
        </>
      }
    >
      <Status text={useSentence(hosted)} working={null} isDone={status === 'paid'} />
      {status !== 'outstanding' ? null : pay === null ? (
        <p class={styles.quiet}>{words.unpaid({ merchant: page.merchant })}</p>
      ) : (
        <ButtonLink id="pay" href={pay}>
          {words.pay({ amount })}
        </ButtonLink>
      )}
      {download === null ? null : (
        <ButtonLink id="download" kind="quiet" href={download}>
          {words.download}
        </ButtonLink>
      )}
      <Notes hosted={hosted} />
      <Parties hosted={hosted} />
    </Frame>
  );
}

/** Hosted invoice page: line items, status, link to pay, and PDF. */
export function InvoicePage({ begin }: { readonly begin: Begin<InvoicePageData> }) {
  const { words } = usePage();
  const own = useArea('invoice');
  return begin.data === null ? (
    <NothingToShow title={own.page} text={begin.isInvalid ? words.invalidLink : own.unavailable} />
  ) : (
    <OpenInvoicePage first={begin.data.hostedInvoice} />
  );
}
