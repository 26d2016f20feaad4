// Matching of transfers to invoices by the text that the payer entered (INS-75, INS-77).
import { isPaymentReference } from './instruments/payment-codes.ts';

/** Invoice numbers that a text names. */
export type Named = {
  /** Invoice number of a payment reference with correct check digits (ISO 11649). `null` if the text contains no valid reference. */
  readonly byReference: bigint | null;
  /** Invoice numbers in the text as whole words, such as `INV-0042`. */
  readonly inText: readonly bigint[];
};

const numberIn = (text: string): bigint | null => {
  const digits = /^INV(\d{1,17})$/.exec(text)?.[1];
  return digits === undefined ? null : BigInt(digits);
};

/** Returns the payment references in a text. Banks can insert spaces, such as `RF97 INV0 042`. */
function referencesIn(text: string): string[] {
  const words = text.toUpperCase().split(/[^A-Z0-9]+/);
  return words.flatMap((word, start) => {
    if (!/^RF\d{2}/.test(word)) return [];
    const joined = words.slice(start).map((_, index) => words.slice(start, start + index + 1).join(''));
    return joined.filter((candidate) => candidate.length <= 25 && isPaymentReference(candidate));
  });
}

/** Returns the invoice numbers that the text of a transfer names. */
export function invoiceNumbersIn(text: string | null): Named {
  if (text === null) return { byReference: null, inText: [] };
  const byReference = referencesIn(text)
    .map((reference) => numberIn(reference.slice(4)))
    .find((number) => number !== null);
  const inText = [...text.toUpperCase().matchAll(/(?<![A-Z0-9])INV[- ]?(\d{1,17})(?![A-Z0-9])/g)].map(
    ([, digits = '0']) => BigInt(digits),
  );
  return { byReference: byReference ?? null, inText: [...new Set(inText)] };
}

/** Invoice that a transfer can name, with its amount due. */
export type MatchedInvoice = {
  readonly id: string;
  readonly customerId: string;
  readonly number: bigint;
  readonly currency: string;
  readonly due: bigint;
};

/**
 * Returns the invoice that a transfer pays: the invoice of its payment reference, or the only invoice that the text names, if its
 * amount due is the exact amount. `null` if the transfer can't be matched. Only invoices in the currency of the transfer match.
 */
export function matchTransfer(
  { text, currency, amountMinor }: { text: string | null; currency: string; amountMinor: bigint },
  invoices: ReadonlyMap<bigint, MatchedInvoice>,
): MatchedInvoice | null {
  const { byReference, inText } = invoiceNumbersIn(text);
  const inCurrency = (number: bigint): MatchedInvoice | null => {
    const invoice = invoices.get(number);
    return invoice?.currency === currency ? invoice : null;
  };
  const referenced = byReference === null ? null : inCurrency(byReference);
  if (referenced !== null) return referenced;
  const [only, ...others] = inText.flatMap((number) => inCurrency(number) ?? []);
  return only !== undefined && others.length === 0 && only.due === amountMinor ? only : null;
}
