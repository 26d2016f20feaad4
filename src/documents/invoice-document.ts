// Content of an invoice's PDF, as plain data. The drawing code only positions the content.

import { amountDue } from '../domain/invoicing/credit-note.ts';
import type { InvoiceBuyer, InvoiceSeller } from '../domain/invoicing/parties.ts';
import { amountText, exactAmountText, rateText } from '../domain/money/amount-text.ts';
import type { InvoiceStatus } from '../domain/rows/enums.ts';
import { invoiceNumberText } from '../domain/rows/invoice-number.ts';
import type { Address, InvoiceLineRow, InvoiceRow } from '../domain/rows/rows.ts';
import { type Language, tagOf } from '../domain/text/language.ts';
import type { HanStyle } from './fonts.ts';
import { countryText, countText, dateText, percentText, periodText } from './format.ts';
import { lineText } from './line-text.ts';
import { taxName } from './tax-names.ts';
import { type DocumentWords, documentWords } from './translations.ts';

/** Data for an invoice's PDF. Lines are in display order. */
export type DocumentDetails = {
  readonly invoice: Omit<InvoiceRow, 'number' | 'seq' | 'metadata' | 'purchase'> & {
    readonly number: bigint;
  };
  readonly lines: readonly InvoiceLineRow[];
  readonly buyer: InvoiceBuyer;
  readonly seller: InvoiceSeller;
  readonly livemode: boolean;
  /** Payment method that was used to pay the invoice. `null` if the invoice is unpaid or was paid outside Quittance. */
  readonly card: { readonly brand: string; readonly last4: string } | null;
  /** Payment URL. `null` if the invoice can't be paid online. */
  readonly payUrl: string | null;
};

export type Entry = { readonly label: string; readonly text: string };

/** Returns the language of a document: the buyer's, or the organization's if the buyer has no language. Fixed when the document is issued. */
const documentLanguage = ({
  buyer,
  seller,
}: {
  readonly buyer: Pick<InvoiceBuyer, 'language'>;
  readonly seller: Pick<InvoiceSeller, 'language'>;
}): Language => buyer.language ?? seller.language;

/** Table row. `detail` is a second line in a smaller font. */
export type DocumentLine = {
  readonly description: string;
  readonly detail: string | null;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly amount: string;
};

/** Content of an invoice's or credit note's PDF, ready to be drawn. */
export type InvoiceDocument = {
  readonly language: Language;
  readonly accentColor: string;
  readonly title: string;
  /** Status stamp, such as "Paid". `null` if the invoice is unpaid or the document is a credit note. */
  readonly mark: string | null;
  readonly issuer: readonly string[];
  readonly customerLabel: string;
  readonly customer: readonly string[];
  readonly details: readonly Entry[];
  readonly columns: Omit<DocumentLine, 'detail'>;
  readonly lines: readonly DocumentLine[];
  /** Totals of the document. The last entry is the amount due, or the credited amount. */
  readonly totals: readonly Entry[];
  /** Payment link. `null` if the document can't be paid online. */
  readonly payLink: { readonly label: string; readonly url: string } | null;
  readonly notes: readonly string[];
  /** Regional style for Han characters, unless the text contains Japanese or Korean letters. */
  readonly hanStyle: HanStyle;
  readonly pageLabel: DocumentWords['page'];
  /** Creation time in the file's metadata. Taken from the invoice, so that the file always has the same bytes. */
  readonly createdAt: Date;
};

/** Han styles by country code. If the country isn't listed, the style depends on the currency. */
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

/** Maximum number of address lines. The last line contains the rest of a longer address. */
const addressLines = 8;

/** Splits a string into lines without empty lines, up to the maximum. */
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
  const { invoice, card } = details;
  const { periodStart, periodEnd, paidAt, poNumber, reference } = invoice;
  const isCredit = isCreditNote(details);
  const entries: [label: string, text: string | null][] = [
    [words.number, invoiceNumberText(invoice.number)],
    [words.issued, dateText(invoice.issueDate, language)],
    [words.due, isCredit ? null : dateText(invoice.dueDate, language)],
    [words.period, periodEnd > periodStart ? periodText(periodStart, periodEnd, language) : null],
    [words.paidOn, isCredit || paidAt === null ? null : dateText(paidAt, language)],
    [words.paidWith, card === null ? null : words.card({ brand: brandText(card.brand), last4: card.last4 })],
    [words.poNumber, poNumber],
    [words.reference, reference],
  ];
  return entries.flatMap(([label, text]) => (text === null ? [] : [{ label, text }]));
}

/** True for a credit note, which is neither due nor paid. */
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

/** Returns the lines in display order. Consecutive usage lines are sorted by feature name in natural order. */
function shownLines({ lines }: DocumentDetails, language: Language): InvoiceLineRow[] {
  const { compare } = new Intl.Collator(tagOf(language), { numeric: true });
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

/** Returns the price per unit with all its decimals. */
const unitPriceText = (
  { unitAmountRate, exactUnitAmount }: InvoiceLineRow,
  currency: string,
  language: Language,
): string =>
  exactUnitAmount === null
    ? rateText(unitAmountRate, currency, language)
    : exactAmountText(exactUnitAmount, currency, language);

function lineOf(
  line: InvoiceLineRow,
  currency: string,
  words: DocumentWords,
  language: Language,
): DocumentLine {
  const { usedAmount, includedAmount, overageAmount, periodStart, periodEnd } = line;
  const isMeasured = usedAmount !== null && includedAmount !== null && overageAmount !== null;
  const details = present([
    periodStart === null || periodEnd === null ? null : periodText(periodStart, periodEnd, language),
    isMeasured ? words.used({ used: countText(usedAmount, language) }) : null,
  ]);
  return {
    description: lineText(line, language),
    detail: details.length === 0 ? null : details.join(' · '),
    quantity: countText(line.quantity, language),
    unitPrice: unitPriceText(line, currency, language),
    amount: amountText(line.amount, currency, language),
  };
}

function totalsOf(details: DocumentDetails, words: DocumentWords, language: Language): Entry[] {
  const { subtotal, discountAmount, creditApplied, taxAmount, tax, total, creditedDue, currency } =
    details.invoice;
  const isCredit = isCreditNote(details);
  const taxable = amountText(subtotal - discountAmount - creditApplied, currency, language);
  const taxLabel = words.taxOn({
    tax: words.taxes[taxName(tax?.country ?? null)],
    rate: percentText(tax?.ratePpm ?? 0, language),
    base: taxable,
  });
  const entries: [label: string, amount: bigint, isShown: boolean][] = [
    [words.subtotal, subtotal, !isCredit],
    [words.discounts, -discountAmount, discountAmount !== 0n],
    [words.credits, -creditApplied, creditApplied !== 0n],
    [taxLabel, taxAmount, !isCredit && tax !== null && tax.treatment !== 'untaxed'],
    [words.total, total, true],
    [words.credited, -creditedDue, creditedDue !== 0n],
    [words.amountDue, amountDue(details.invoice), !isCredit],
  ];
  return entries.flatMap(([label, amount, isShown]) =>
    isShown ? [{ label, text: amountText(amount, currency, language) }] : [],
  );
}

/** Data that invoices and credit notes share. */
type HeadDetails = Pick<DocumentDetails, 'buyer' | 'seller'> & {
  readonly currency: string;
  readonly createdAt: Date;
};

/** Returns the content that invoices and credit notes share: parties, column titles, language and style. */
export function headOf({ buyer, seller, currency, createdAt }: HeadDetails) {
  const language = documentLanguage({ buyer, seller });
  const words = documentWords[language];
  return {
    language,
    accentColor: seller.color ?? defaultAccent,
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
    columns: {
      description: words.description,
      quantity: words.quantity,
      unitPrice: words.unitPrice,
      amount: words.amount,
    },
    hanStyle: hanStyles[buyer.country ?? ''] ?? hanStyles[currency] ?? 'sc',
    pageLabel: words.page,
    createdAt,
  } as const;
}

/** Returns the content of an invoice's PDF (BIL-13, BIL-15). */
export function invoiceDocument(details: DocumentDetails): InvoiceDocument {
  const { invoice, buyer, seller, livemode, payUrl } = details;
  const language = documentLanguage(details);
  const words = documentWords[language];
  return {
    ...headOf({ buyer, seller, currency: invoice.currency, createdAt: invoice.createdAt }),
    title: isCreditNote(details) ? words.creditNote : words.invoice,
    mark: isCreditNote(details)
      ? null
      : ((words.marks as Partial<Record<InvoiceStatus, string>>)[invoice.status] ?? null),
    details: detailsOf(details, words, language),
    lines: shownLines(details, language).map((line) => lineOf(line, invoice.currency, words, language)),
    totals: totalsOf(details, words, language),
    notes: present([
      invoice.memo,
      invoice.tax?.treatment === 'reverse_charge' ? words.reverseCharge : null,
      livemode ? null : words.sandbox,
    ]),
    payLink: payUrl === null ? null : { label: words.pay, url: payUrl },
  };
}
