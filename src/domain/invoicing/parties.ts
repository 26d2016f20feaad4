// Who bills whom, as an invoice says it from its issue on (DAT-1).
import { customerLanguage, type Language } from '../page-language.ts';
import type { Address, CustomerRow } from '../subscription/state/rows.ts';

/** The buyer of an invoice; fields as those of a customer. */
export type InvoiceBuyer = {
  readonly name: string;
  readonly email: string;
  readonly address: Address | null;
  /** Upper-case ISO 3166-1 alpha-2 code; null when it is not known. */
  readonly country: string | null;
  readonly taxDocument: string | null;
  /** What kind of number the tax document is, such as `VAT`; null when it is not known. */
  readonly documentType: string | null;
  /** Null where it is not known: the document then has that of the seller. */
  readonly language: Language | null;
};

/** The seller of an invoice, and how its document looks. */
export type InvoiceSeller = {
  /** The legal name. */
  readonly name: string;
  /** Lines separated by line breaks. */
  readonly address: string | null;
  readonly taxId: string | null;
  /** Upper-case ISO 3166-1 alpha-2 code; null when it is not known. */
  readonly country: string | null;
  /** That of documents for buyers whose language is not known. */
  readonly language: Language;
  /** `#rrggbb`; null for the default color. */
  readonly color: string | null;
};

/** The parties to freeze with an invoice; a null seller stays the one frozen before. */
export type InvoiceParties = { readonly buyer: InvoiceBuyer; readonly seller: InvoiceSeller | null };

/**
 * A customer as an invoice names it. The fields come in a fixed order, so that the same buyer is the same
 * text.
 */
export const buyerOf = ({
  fullName,
  email,
  address,
  country,
  taxDocument,
  documentType,
  metadata,
}: CustomerRow): InvoiceBuyer => ({
  name: fullName,
  email,
  address: address === null ? null : orderedAddress(address),
  country,
  taxDocument,
  documentType,
  language: customerLanguage({ metadata, country }),
});

const orderedAddress = ({ line1, line2, city, state, postalCode, country, region }: Address): Address => ({
  line1: line1 ?? null,
  line2: line2 ?? null,
  city: city ?? null,
  state: state ?? null,
  postalCode: postalCode ?? null,
  country: country ?? null,
  region: region ?? null,
});

/** Parties frozen twice: what is frozen later holds, and a seller stays until another is given. */
export const laterParties = (earlier: InvoiceParties | undefined, later: InvoiceParties): InvoiceParties => ({
  buyer: later.buyer,
  seller: later.seller ?? earlier?.seller ?? null,
});
