// Classes of failure codes (INS-45), and retries of failed attempts (INS-44).
import { addDays } from '../../time/period.ts';
import { addBusinessDays, businessDayFrom } from './calendars.ts';
import type { Instrument } from './instrument.ts';

/**
 * Class of a failure code. `payer`: the payer objected to the debit. `mandate`: the mandate ended.
 * `account`: the account can't be debited.
 */
export type FailureClass = 'funds' | 'temporary' | 'limit' | 'payer' | 'mandate' | 'account' | 'unknown';

/** Codes of banks: ISO 20022 for SEPA, and return codes for ACH. */
const classes: Readonly<Record<string, FailureClass>> = {
  AM04: 'funds',
  MS03: 'funds',
  R01: 'funds',
  R09: 'funds',
  insufficient_funds: 'funds',
  MD06: 'payer',
  R07: 'payer',
  R10: 'payer',
  MD01: 'mandate',
  AC01: 'account',
  AC04: 'account',
  AC06: 'account',
  R02: 'account',
  R03: 'account',
  R04: 'account',
};

export const failureClassOf = (code: string | null): FailureClass => classes[code ?? ''] ?? 'unknown';

/** Failed attempt to collect an invoice. */
export type FailedAttempt = {
  readonly collectionOn: Date | null;
  readonly endedAt: Date;
  readonly code: string | null;
};

/** Returns the collection date of a charge that is requested now (INS-20). While the payer is present, the page is the notice. */
export function collectionDate(
  { calendar, submission, notice }: Instrument,
  now: Date,
  isPayerPresent: boolean,
): Date {
  const days = Math.max(submission.used, isPayerPresent ? 0 : (notice?.days ?? 0));
  return businessDayFrom(calendar, addDays(now, days));
}

/**
 * Returns the collection date of a retry, which is at least `gap` business days after the latest result. `null` if the
 * instrument allows no further retry (INS-44). `failed` lists the attempts at the invoice, oldest first.
 */
export function retryDate(instrument: Instrument, failed: readonly FailedAttempt[], now: Date): Date | null {
  const soonest = collectionDate(instrument, now, false);
  const { retry, calendar } = instrument;
  const [first] = failed;
  const last = failed.at(-1);
  if (retry === 'policy' || first === undefined || last === undefined) return soonest;
  const kind = failureClassOf(last.code);
  const allowed =
    kind === 'payer' || kind === 'mandate' || kind === 'account' ? 0 : kind === 'unknown' ? 1 : retry.max;
  if (failed.length - 1 >= allowed) return null;
  const after = addBusinessDays(calendar, last.endedAt, retry.gap);
  const date = after > soonest ? after : soonest;
  return date <= addDays(first.collectionOn ?? date, retry.within) ? date : null;
}
