// What stands on an invoice document, as plain data: everything is decided here, drawing only places it.
import { invoiceNumberText } from '../domain/invoice/number.ts';
import type { Address, CustomerRow, InvoiceLineRow, InvoiceRow } from '../domain/subscription/rows.ts';
import { amountText, countText, dateText, type Language, percentText, rateText } from './format.ts';
import { type DocumentWords, documentWords } from './words.ts';

/** Who issues the document, and how it is to look. */
export type Issuer = {
  readonly name: string;
  readonly issuerName: string | null;
  readonly issuerAddress: string | null;
  readonly issuerTaxId: string | null;
  readonly accentColor: string | null;
  readonly language: Language;
};

/** What a document is made of; lines in their order. */
export type DocumentFacts = {
  readonly invoice: Omit<InvoiceRow, 'number' | 'seq' | 'metadata' | 'purchase'> & { readonly number: bigint };
  readonly lines: readonly InvoiceLineRow[];
  readonly customer: Pick<CustomerRow, 'fullName' | 'email' | 'taxDocument' | 'documentType' | 'address'>;
  readonly issuer: Issuer;
  readonly livemode: boolean;
};

/** A label with its text. */
export type Entry = { readonly label: string; readonly text: string };

/** One row of the table; `detail` is a second, smaller line. */
export type DocumentLine = {
  readonly description: string;
  readonly detail: string | null;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly amount: string;
};

/** An invoice document, ready to be drawn. */
export type InvoiceDocument = {
  readonly language: Language;
  readonly accentColor: string;
  readonly title: string;
  /** A word stamped on it; null while it is owed. */
  readonly mark: string | null;
  readonly issuer: readonly string[];
  readonly customerLabel: string;
  readonly customer: readonly string[];
  readonly facts: readonly Entry[];
  readonly columns: Omit<DocumentLine, 'detail'>;
  readonly lines: readonly DocumentLine[];
  /** The last entry is what is left to pay. */
  readonly totals: readonly Entry[];
  readonly notes: readonly string[];
  readonly pageLabel: DocumentWords['page'];
  /** The instant the file says it was made: that of the invoice, so that the same document is the same bytes. */
  readonly createdAt: Date;
};

const defaultAccent = '#1f3a5f';

/** The most lines an address takes; what goes beyond shares the last one. */
const addressLines = 8;

/** The lines of a text, without empty ones and with at most so many. */
function textLines(text: string): string[] {
  const lines = text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.length <= addressLines ? lines : [...lines.slice(0, addressLines - 1), lines.slice(addressLines - 1).join(', ')];
}

const present = (texts: readonly (string | null | undefined)[]): string[] =>
  texts.flatMap((text) => (text === null || text === undefined || text === '' ? [] : [text]));

const addressText = ({ line1, line2, city, state, postalCode, country }: Address): string[] =>
  present([line1, line2, present([postalCode, city, state]).join(' '), country]);

function factsOf({ invoice }: DocumentFacts, words: DocumentWords, language: Language): Entry[] {
  const { periodStart, periodEnd, paidAt, poNumber, reference } = invoice;
  const entries: [label: string, text: string | null][] = [
    [words.number, invoiceNumberText(invoice.number)],
    [words.issued, dateText(invoice.issueDate, language)],
    [words.due, dateText(invoice.dueDate, language)],
    // Periods end before their last instant; people name the last day.
    [words.period, periodEnd > periodStart ? periodText(periodStart, new Date(periodEnd.getTime() - 1), language) : null],
    [words.paidOn, paidAt === null ? null : dateText(paidAt, language)],
    [words.poNumber, poNumber],
    [words.reference, reference],
  ];
  return entries.flatMap(([label, text]) => (text === null ? [] : [{ label, text }]));
}

const periodText = (first: Date, last: Date, language: Language): string => `${dateText(first, language)} – ${dateText(last, language)}`;

function lineOf(line: InvoiceLineRow, currency: string, words: DocumentWords, language: Language): DocumentLine {
  const { usedAmount, includedAmount } = line;
  const isMeasured = usedAmount !== null && includedAmount !== null;
  return {
    description: line.description,
    detail: isMeasured ? words.used(countText(usedAmount, language), countText(includedAmount, language)) : null,
    quantity: countText(line.quantity, language),
    unitPrice: rateText(line.unitAmountRate, currency, language),
    amount: amountText(line.amount, currency, language),
  };
}

function totalsOf({ invoice }: DocumentFacts, words: DocumentWords, language: Language): Entry[] {
  const { subtotal, discountAmount, creditApplied, taxAmount, tax, total, status } = invoice;
  const isOwed = status === 'outstanding' || status === 'draft';
  const entries: [label: string, amount: bigint, isShown: boolean][] = [
    [words.subtotal, subtotal, total >= 0n],
    [words.discounts, -discountAmount, discountAmount !== 0n],
    [words.credits, -creditApplied, creditApplied !== 0n],
    [tax?.treatment === 'taxed' ? `${words.tax} (${percentText(tax.ratePpm, language)})` : words.tax, taxAmount, taxAmount !== 0n],
    [words.total, total, true],
    [words.amountDue, isOwed ? total : 0n, true],
  ];
  return entries.flatMap(([label, amount, isShown]) => (isShown ? [{ label, text: amountText(amount, invoice.currency, language) }] : []));
}

/** Decides everything that stands on the document of an invoice (BIL-13, BIL-15). */
export function invoiceDocument(facts: DocumentFacts): InvoiceDocument {
  const { invoice, lines, customer, issuer, livemode } = facts;
  const { language } = issuer;
  const words = documentWords[language];
  return {
    language,
    accentColor: issuer.accentColor ?? defaultAccent,
    title: invoice.total < 0n ? words.creditNote : words.invoice,
    mark: words.marks[invoice.status] ?? null,
    issuer: present([
      issuer.issuerName ?? issuer.name,
      ...textLines(issuer.issuerAddress ?? ''),
      issuer.issuerTaxId === null ? null : `${words.taxId}: ${issuer.issuerTaxId}`,
    ]),
    customerLabel: words.billTo,
    customer: present([
      customer.fullName,
      ...addressText(customer.address ?? {}),
      customer.email,
      customer.taxDocument === null ? null : `${customer.documentType ?? words.taxId}: ${customer.taxDocument}`,
    ]),
    facts: factsOf(facts, words, language),
    columns: { description: words.description, quantity: words.quantity, unitPrice: words.unitPrice, amount: words.amount },
    lines: lines.map((line) => lineOf(line, invoice.currency, words, language)),
    totals: totalsOf(facts, words, language),
    notes: present([
      invoice.memo,
      invoice.tax?.treatment === 'reverse_charge' ? words.reverseCharge : null,
      livemode ? null : words.sandbox,
    ]),
    pageLabel: words.page,
    createdAt: invoice.createdAt,
  };
}
