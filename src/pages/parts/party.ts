import { countryText } from '../../ui/format/names.ts';

/** Buyer of an invoice, as returned by the service. */
type Buyer = {
  readonly name: string;
  readonly email: string;
  readonly taxDocument: string | null;
  /** Type of the tax ID. `null` if unknown. */
  readonly documentType: string | null;
  readonly address: {
    readonly line1: string;
    readonly line2: string | null;
    readonly city: string;
    readonly state: string | null;
    readonly postalCode: string;
    readonly country: string;
  } | null;
};

/** Returns the buyer as lines of text. `taxLabel` is the label for a tax ID of unknown type. */
export function buyerText(
  { name, email, taxDocument, documentType, address }: Buyer,
  taxLabel: string,
  language: string,
): string {
  const place =
    address === null
      ? []
      : [
          address.line1,
          address.line2,
          `${address.postalCode} ${address.city}`,
          address.state,
          countryText(address.country, language),
        ];
  const number = taxDocument === null ? null : `${documentType ?? taxLabel} ${taxDocument}`;
  return [name, email, ...place, number].filter((line) => line != null && line.trim() !== '').join('\n');
}
