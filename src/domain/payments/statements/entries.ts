// Entries of bank statements: their amounts, dates, and identities (INS-76).
import { exponentOf, isCurrency } from '../../money/money.ts';

/** Entry as the file contains it. All values are unchecked text. `null` if the file contains no value. */
export type RawEntry = {
  /** Account of the statement. */
  readonly account: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  /** True if the money left the account. */
  readonly isDebit: boolean;
  /** False if the bank hasn't booked the entry yet. */
  readonly isBooked: boolean;
  readonly bookedOn: string | null;
  readonly text: string | null;
  readonly payerName: string | null;
  readonly bankReference: string | null;
};

/** Reason for which an entry isn't recorded. */
export type EntryProblem =
  | 'debit'
  | 'not_booked'
  | 'amount_invalid'
  | 'currency_unsupported'
  | 'date_invalid'
  | 'date_future';

export type CheckedEntry = {
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly bookedOn: Date;
  readonly text: string | null;
  readonly payerName: string | null;
  /** Identity of the entry. The same entry has the same identity in every file. */
  readonly identity: string;
};

/**
 * Returns an amount in minor units from a decimal number, such as `1190.00`. `null` if the text isn't a positive number, or if it has
 * more decimals than the currency.
 */
export function amountOf(text: string, currency: string): bigint | null {
  const [, whole, decimals = ''] = /^(\d{1,15})(?:\.(\d{1,5}))?$/.exec(text) ?? [];
  if (whole === undefined) return null;
  const exponent = exponentOf(currency);
  const shown = decimals.slice(0, exponent).padEnd(exponent, '0');
  if (/[1-9]/.test(decimals.slice(exponent))) return null;
  const amount = BigInt(`${whole}${shown}`);
  return amount > 0n && amount <= BigInt(Number.MAX_SAFE_INTEGER) ? amount : null;
}

/** Returns a date at 00:00 UTC from `2027-05-03`, `03.05.2027`, or a time in ISO 8601. `null` if the text isn't a date. */
export function dateOf(text: string): Date | null {
  const german = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(text);
  const day =
    german === null ? /^\d{4}-\d{2}-\d{2}(?=$|T)/.exec(text)?.[0] : german.slice(1).toReversed().join('-');
  if (day === undefined) return null;
  const date = new Date(`${day}T00:00:00.000Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) ? date : null;
}

type Checked = CheckedEntry | { readonly problem: EntryProblem };

const longestText = 500;
const longestName = 140;

const short = (text: string | null, most: number): string | null => text?.trim().slice(0, most) || null;

function checkEntry(
  entry: RawEntry,
  now: Date,
): Omit<CheckedEntry, 'identity'> | { readonly problem: EntryProblem } {
  if (entry.isDebit) return { problem: 'debit' };
  if (!entry.isBooked) return { problem: 'not_booked' };
  const currency = entry.currency?.toLowerCase() ?? '';
  if (!isCurrency(currency)) return { problem: 'currency_unsupported' };
  const amountMinor = amountOf(entry.amount ?? '', currency);
  if (amountMinor === null) return { problem: 'amount_invalid' };
  const bookedOn = dateOf(entry.bookedOn ?? '');
  if (bookedOn === null) return { problem: 'date_invalid' };
  if (bookedOn > now) return { problem: 'date_future' };
  const text = short(entry.text, longestText);
  return { amountMinor, currency, bookedOn, text, payerName: short(entry.payerName, longestName) };
}

/**
 * Checks the entries of a file. Entries are identified by account, booking date, bank reference, and amount. Entries without a bank
 * reference are also numbered among equal entries, so that two equal transfers on one day are two entries.
 */
export function checkEntries(entries: readonly RawEntry[], now: Date): Checked[] {
  const counts = new Map<string, number>();
  return entries.map((entry) => {
    const checked = checkEntry(entry, now);
    if ('problem' in checked) return checked;
    const { amountMinor, currency, bookedOn, text } = checked;
    const day = bookedOn.toISOString().slice(0, 10);
    const head = [entry.account ?? '', day, currency, String(amountMinor)].join('/');
    if (entry.bankReference !== null) return { ...checked, identity: `${head}/${entry.bankReference}` };
    const equal = `${head}/${text ?? ''}`;
    const count = (counts.get(equal) ?? 0) + 1;
    counts.set(equal, count);
    return { ...checked, identity: `${equal}#${count}` };
  });
}
