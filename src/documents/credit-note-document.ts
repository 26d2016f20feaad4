// Creates the content of a credit note's PDF as plain data (DAT-13).

import { creditNoteNumberText } from '../domain/invoicing/credit-note.ts';
import { amountText, rateText } from '../domain/money/amount-text.ts';
import { minorToRate } from '../domain/money/money.ts';
import { invoiceNumberText } from '../domain/rows/invoice-number.ts';
import type { CreditNoteRow, InvoiceLineRow, InvoiceRow } from '../domain/rows/rows.ts';
import { countText, dateText, percentText } from './format.ts';
import { type DocumentDetails, headOf, type InvoiceDocument } from './invoice-document.ts';
import { lineText } from './line-text.ts';
import { taxName } from './tax-names.ts';
import { documentWords } from './translations.ts';

/** Data for a credit note's PDF. Lines are in display order. */
export type NoteDocumentDetails = Pick<DocumentDetails, 'buyer' | 'seller' | 'livemode'> & {
  readonly note: Pick<
    CreditNoteRow,
    'currency' | 'subtotal' | 'taxAmount' | 'total' | 'tax' | 'description' | 'issueDate' | 'createdAt'
  > & { readonly number: bigint };
  readonly lines: readonly { readonly line: InvoiceLineRow; readonly amount: bigint }[];
  readonly invoice: Pick<InvoiceRow, 'issueDate'> & { readonly number: bigint };
};

/** Returns the content of a credit note's PDF. All amounts are negative. */
export function creditNoteDocument(details: NoteDocumentDetails): InvoiceDocument {
  const { note, lines, buyer, seller, invoice, livemode } = details;
  const { currency, createdAt, tax } = note;
  const head = headOf({ buyer, seller, currency, createdAt });
  const { language } = head;
  const words = documentWords[language];
  const money = (amount: bigint): string => amountText(amount, currency, language);
  const isTaxed = tax !== null && tax.treatment !== 'untaxed';
  const taxLabel = words.taxOn({
    tax: words.taxes[taxName(tax?.country ?? null)],
    rate: percentText(tax?.ratePpm ?? 0, language),
    base: money(note.subtotal),
  });
  return {
    ...head,
    title: words.creditNote,
    mark: null,
    details: [
      { label: words.number, text: creditNoteNumberText(note.number) },
      { label: words.issued, text: dateText(note.issueDate, language) },
      {
        label: words.corrects,
        text: words.corrected({
          number: invoiceNumberText(invoice.number),
          date: dateText(invoice.issueDate, language),
        }),
      },
    ],
    lines: lines.map(({ line, amount }) => ({
      description: line.featureName ?? lineText(line, language),
      detail: null,
      quantity: countText(1n, language),
      unitPrice: rateText(minorToRate(amount, currency), currency, language),
      amount: money(amount),
    })),
    totals: [
      { label: words.subtotal, text: money(note.subtotal) },
      ...(isTaxed ? [{ label: taxLabel, text: money(note.taxAmount) }] : []),
      { label: words.total, text: money(note.total) },
    ],
    payLink: null,
    notes: [
      ...(note.description === null ? [] : [note.description]),
      ...(tax?.treatment === 'reverse_charge' ? [words.reverseCharge] : []),
      ...(livemode ? [] : [words.sandbox]),
    ],
  };
}
