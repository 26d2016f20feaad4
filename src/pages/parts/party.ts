import { countryText } from '../../ui/format/names.ts';

/** Who buys, as the service says it. */
type Buyer = {
  readonly name: string;
  readonly email: string;
  readonly taxDocument: string | null;
  /** What kind of number the tax document is; null where it is not known. */
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

/** Who buys, line by line; `taxLabel` stands for a kind of tax number that is not known. */
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
