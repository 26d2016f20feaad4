// Buyer and seller details that are recorded when an invoice is issued (DAT-1).
import { customerLanguage } from '../pages/page-language.ts';
import type { Address, CustomerRow } from '../rows/rows.ts';
import type { Language } from '../text/language.ts';

/** Buyer of an invoice, copied from the customer. */
export type InvoiceBuyer = {
  readonly name: string;
  readonly email: string;
  readonly address: Address | null;
  /** Country of the buyer, as an uppercase ISO 3166-1 alpha-2 code. `null` if the country is unknown. */
  readonly country: string | null;
  readonly taxDocument: string | null;
  /** Type of the buyer's tax ID, such as `VAT`. `null` if the type is unknown. */
  readonly documentType: string | null;
  /** Language of the buyer. If `null`, the document uses the language of the organization. */
  readonly language: Language | null;
};

/** Organization that issues an invoice, and the appearance of the document. */
export type InvoiceSeller = {
  /** Legal name of the organization. */
  readonly name: string;
  /** Address of the organization, with line breaks between the lines. */
  readonly address: string | null;
  readonly taxId: string | null;
  /** Country of the organization, as an uppercase ISO 3166-1 alpha-2 code. `null` if the country is unknown. */
  readonly country: string | null;
  /** Language of documents for buyers whose language is unknown. */
  readonly language: Language;
  /** Color of the document in the format `#rrggbb`. If `null`, the default color is used. */
  readonly color: string | null;
};

/**
 * Buyer and seller details to record with an invoice. If `seller` is `null`, the recorded seller doesn't
 * change.
 */
export type InvoiceParties = { readonly buyer: InvoiceBuyer; readonly seller: InvoiceSeller | null };

/**
 * Converts a customer to the buyer of an invoice. The field order is constant, so that equal buyers have
 * equal JSON.
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

/**
 * Merges buyer and seller details that two consecutive decisions record for an invoice. Later details replace
 * earlier details, but a `null` seller keeps the earlier seller.
 */
export const laterParties = (earlier: InvoiceParties | undefined, later: InvoiceParties): InvoiceParties => ({
  buyer: later.buyer,
  seller: later.seller ?? earlier?.seller ?? null,
});
