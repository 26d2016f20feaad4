// What stands on an invoice document, as plain data: everything is decided here, drawing only places it.
import { amountText, type Language, rateText } from '../domain/amount-text.ts';
import { invoiceNumberText } from '../domain/invoicing/number.ts';
import type { InvoiceBuyer, InvoiceSeller } from '../domain/invoicing/parties.ts';
import type { Address, InvoiceLineRow, InvoiceRow } from '../domain/subscription/state/rows.ts';
import type { Tax } from '../domain/tax.ts';
import type { HanStyle } from './fonts.ts';
import { countryText, countText, dateText, percentText, periodText } from './format.ts';
import { taxName } from './tax-names.ts';
import { type DocumentWords, documentWords } from './translations.ts';

/** What a document is made of; lines in their order. */
export type DocumentDetails = {
  readonly invoice: Omit<InvoiceRow, 'number' | 'seq' | 'metadata' | 'purchase'> & {
    readonly number: bigint;
  };
  readonly lines: readonly InvoiceLineRow[];
  readonly buyer: InvoiceBuyer;
  readonly seller: InvoiceSeller;
  readonly livemode: boolean;
  /** The invoice a credit note corrects; null for others. */
  readonly corrects: { readonly number: bigint; readonly issueDate: Date; readonly tax: Tax | null } | null;
  /** The card or account it was paid with; null while it is not, and for money from elsewhere. */
  readonly card: { readonly brand: string; readonly last4: string } | null;
  /** Where it can be paid; null where that is nowhere. */
  readonly payUrl: string | null;
};

/** A label with its text. */
export type Entry = { readonly label: string; readonly text: string };

/** The language of a document, fixed with its issue: that of its buyer, else that of its seller. */
export const documentLanguage = ({
  buyer,
  seller,
}: {
  readonly buyer: Pick<InvoiceBuyer, 'language'>;
  readonly seller: Pick<InvoiceSeller, 'language'>;
}): Language => buyer.language ?? seller.language;

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
  /** A word stamped on it; null while it is owed, and on a credit note. */
  readonly mark: string | null;
  readonly issuer: readonly string[];
  readonly customerLabel: string;
  readonly customer: readonly string[];
  readonly details: readonly Entry[];
  readonly columns: Omit<DocumentLine, 'detail'>;
  readonly lines: readonly DocumentLine[];
  /** The last entry is what is left to pay, of a credit note what it takes back. */
  readonly totals: readonly Entry[];
  /** Where it is paid online; null where it cannot be. */
  readonly payLink: { readonly label: string; readonly url: string } | null;
  readonly notes: readonly string[];
  /** How Han characters are written where a text does not show it. */
  readonly hanStyle: HanStyle;
  readonly pageLabel: DocumentWords['page'];
  /** The instant the file says it was made: that of the invoice, so that the same document is the same bytes. */
  readonly createdAt: Date;
};

/** By country, and by currency where the country tells nothing. */
const hanStyles: { readonly [place: string]: HanStyle } = {
  JP: 'jp',
  KR: 'kr',
  CN: 'sc',
  SG: 'sc',
  HK: 'tc',
  MO: 'tc',
  TW: 'tc',
  jpy: 'jp',
  krw: 'kr',
  hkd: 'tc',
  twd: 'tc',
};

const defaultAccent = '#1f3a5f';

/** The most lines an address takes; what goes beyond shares the last one. */
const addressLines = 8;

/** The lines of a text, without empty ones and up to a limit. */
function textLines(text: string): string[] {
  const lines = text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.length <= addressLines
    ? lines
    : [...lines.slice(0, addressLines - 1), lines.slice(addressLines - 1).join(', ')];
}

const present = (texts: readonly (string | null | undefined)[]): string[] =>
  texts.flatMap((text) => (text === null || text === undefined || text === '' ? [] : [text]));

const addressText = (
  { line1, line2, city, state, postalCode, country }: Address,
  language: Language,
): string[] =>
  present([
    line1,
    line2,
    present([postalCode, city, state]).join(' '),
    country == null ? null : countryText(country, language),
  ]);

function detailsOf(details: DocumentDetails, words: DocumentWords, language: Language): Entry[] {
  const { invoice, corrects, card } = details;
  const { periodStart, periodEnd, paidAt, poNumber, reference } = invoice;
  const isCredit = isCreditNote(details);
  const entries: [label: string, text: string | null][] = [
    [words.number, invoiceNumberText(invoice.number)],
    [words.issued, dateText(invoice.issueDate, language)],
    [
      words.corrects,
      corrects === null
        ? null
        : words.corrected(invoiceNumberText(corrects.number), dateText(corrects.issueDate, language)),
    ],
    [words.due, isCredit ? null : dateText(invoice.dueDate, language)],
    [words.period, periodEnd > periodStart ? periodText(periodStart, periodEnd, language) : null],
    [words.paidOn, isCredit || paidAt === null ? null : dateText(paidAt, language)],
    [words.paidWith, card === null ? null : words.card(brandText(card.brand), card.last4)],
    [words.poNumber, poNumber],
    [words.reference, reference],
  ];
  return entries.flatMap(([label, text]) => (text === null ? [] : [{ label, text }]));
}

/** A credit takes back what was billed: nothing of it is due or paid. */
const isCreditNote = ({ invoice }: DocumentDetails): boolean => invoice.total < 0n;

const brands: { readonly [brand: string]: string } = {
  amex: 'American Express',
  american_express: 'American Express',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

const brandText = (brand: string): string =>
  brands[brand.toLowerCase()] ?? `${brand.charAt(0).toUpperCase()}${brand.slice(1)}`;

/** The lines as they are shown: use of features that follow each other in the order of their names, numbers in them counting as numbers. */
function shownLines({ lines }: DocumentDetails, language: Language): InvoiceLineRow[] {
  const { compare } = new Intl.Collator(language, { numeric: true });
  const groups: InvoiceLineRow[][] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (line.lineType === 'feature_overage' && last?.[0]?.lineType === 'feature_overage') last.push(line);
    else groups.push([line]);
  }
  return groups.flatMap((group) =>
    group.toSorted((a, b) => compare(a.featureName ?? a.description, b.featureName ?? b.description)),
  );
}

function lineOf(
  line: InvoiceLineRow,
  currency: string,
  words: DocumentWords,
  language: Language,
): DocumentLine {
  const { usedAmount, includedAmount, overageAmount, featureName, periodStart, periodEnd } = line;
  const isMeasured = usedAmount !== null && includedAmount !== null && overageAmount !== null;
  const name = featureName ?? line.description;
  const details = present([
    periodStart === null || periodEnd === null ? null : periodText(periodStart, periodEnd, language),
    isMeasured ? words.used(countText(usedAmount, language)) : null,
  ]);
  return {
    description: isMeasured
      ? `${name}: ${words.beyond(countText(overageAmount, language), countText(includedAmount, language))}`
      : words.line(line),
    detail: details.length === 0 ? null : details.join(' · '),
    quantity: countText(line.quantity, language),
    unitPrice: rateText(line.unitAmountRate, currency, language),
    amount: amountText(line.amount, currency, language),
  };
}

function totalsOf(details: DocumentDetails, words: DocumentWords, language: Language): Entry[] {
  const { subtotal, discountAmount, creditApplied, taxAmount, tax, total, status, currency } =
    details.invoice;
  const isOwed = status === 'outstanding' || status === 'draft';
  const isCredit = isCreditNote(details);
  const taxable = amountText(subtotal - discountAmount - creditApplied, currency, language);
  const taxLabel = words.taxOn(
    words.taxes[taxName(tax?.country ?? null)],
    percentText(tax?.ratePpm ?? 0, language),
    taxable,
  );
  const entries: [label: string, amount: bigint, isShown: boolean][] = [
    [words.subtotal, subtotal, !isCredit],
    [words.discounts, -discountAmount, discountAmount !== 0n],
    [words.credits, -creditApplied, creditApplied !== 0n],
    [taxLabel, taxAmount, !isCredit && tax !== null && tax.treatment !== 'untaxed'],
    [words.total, total, true],
    [words.amountDue, isOwed ? total : 0n, !isCredit],
  ];
  return entries.flatMap(([label, amount, isShown]) =>
    isShown ? [{ label, text: amountText(amount, currency, language) }] : [],
  );
}

/** Decides everything that stands on the document of an invoice (BIL-13, BIL-15). */
export function invoiceDocument(details: DocumentDetails): InvoiceDocument {
  const { invoice, buyer, seller, livemode, corrects, payUrl } = details;
  const language = documentLanguage(details);
  const words = documentWords[language];
  return {
    language,
    accentColor: seller.color ?? defaultAccent,
    title: isCreditNote(details) ? words.creditNote : words.invoice,
    mark: isCreditNote(details) ? null : (words.marks[invoice.status] ?? null),
    issuer: present([
      seller.name,
      ...textLines(seller.address ?? ''),
      seller.taxId === null ? null : `${words.taxId}: ${seller.taxId}`,
    ]),
    customerLabel: words.billTo,
    customer: present([
      buyer.name,
      ...addressText(buyer.address ?? {}, language),
      buyer.email,
      buyer.taxDocument === null ? null : `${buyer.documentType ?? words.taxId}: ${buyer.taxDocument}`,
    ]),
    details: detailsOf(details, words, language),
    columns: {
      description: words.description,
      quantity: words.quantity,
      unitPrice: words.unitPrice,
      amount: words.amount,
    },
    lines: shownLines(details, language).map((line) => lineOf(line, invoice.currency, words, language)),
    totals: totalsOf(details, words, language),
    notes: present([
      invoice.memo,
      (corrects ?? invoice).tax?.treatment === 'reverse_charge' ? words.reverseCharge : null,
      livemode ? null : words.sandbox,
    ]),
    payLink: payUrl === null ? null : { label: words.pay, url: payUrl },
    hanStyle: hanStyles[buyer.country ?? ''] ?? hanStyles[invoice.currency] ?? 'sc',
    pageLabel: words.page,
    createdAt: invoice.createdAt,
  };
}
