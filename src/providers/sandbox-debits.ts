// Simulated bank debits of the sandbox (INS-130 to INS-132). The behavior of an account is a list of reports, which are computed
// from the collection date and the earlier debits.
import { type FieldProblem, validationError } from '../domain/errors/errors.ts';
import { addBusinessDays } from '../domain/payments/instruments/calendars.ts';
import { compactNumber, isIban, isRoutingNumber } from '../domain/payments/instruments/iban.ts';
import { mandateTextVersion } from '../domain/payments/instruments/mandate-text.ts';
import { instrumentOf } from '../domain/payments/instruments/registry.ts';
import type { AcceptedDebit, DebitTerms } from '../domain/payments/provider.ts';
import type { AttemptSignal, MethodDetails } from '../domain/rows/rows.ts';
import { addDays, hourMs, minuteMs } from '../domain/time/period.ts';

type Debit = 'sepa_debit' | 'ach_debit';

/** Report and its time after 00:00 UTC of the collection date: business days, then calendar days. */
type Step = { readonly days: number; readonly later?: number; readonly report: AttemptSignal };

const settled = (days: number): Step => ({ days, report: { stage: 'settled' } });
const declined = (days: number, code: string): Step => ({ days, report: { stage: 'declined', code } });

/** Behaviors of test accounts. `typical` and `latest` are the business days of the instrument. */
const behaviours = {
  settles: ({ typical }) => [settled(typical)],
  lacks_funds: ({ failsAfter }) => [declined(failsAfter, 'AM04')],
  returns: ({ typical }) => [
    settled(typical),
    { days: typical, later: 14, report: { stage: 'returned', code: 'MD06' } },
  ],
  settles_late: ({ latest }) => [settled(latest)],
  lacks_funds_twice: ({ typical, failsAfter, earlierAttempts }) => [
    earlierAttempts < 2 ? declined(failsAfter, 'AM04') : settled(typical),
  ],
  revokes: ({ typical }) => [settled(typical)],
  is_closed: ({ failsAfter }) => [declined(failsAfter, 'AC04')],
  stays_processing: () => [],
  settles_three_times: ({ typical, failsAfter, noFunds, earlierDebits }) => [
    earlierDebits < 3 ? settled(typical) : declined(failsAfter, noFunds),
  ],
  is_unfunded: ({ failsAfter }) => [declined(failsAfter, 'R01')],
  is_ended: ({ failsAfter }) => [declined(failsAfter, 'R02')],
  is_unknown: ({ failsAfter }) => [declined(failsAfter, 'R03')],
} as const satisfies Readonly<Record<string, (given: Given) => readonly Step[]>>;

type Given = Pick<DebitTerms, 'earlierDebits' | 'earlierAttempts'> & {
  readonly typical: number;
  readonly latest: number;
  readonly failsAfter: number;
  /** Code of the bank if the account lacks funds. */
  readonly noFunds: string;
};

type Behaviour = keyof typeof behaviours;

/** Business days until a simulated failure, and the code of a failure for lack of funds. */
const failures: { readonly [debit in Debit]: Pick<Given, 'failsAfter' | 'noFunds'> } = {
  sepa_debit: { failsAfter: 3, noFunds: 'AM04' },
  ach_debit: { failsAfter: 2, noFunds: 'R01' },
};

/** Test accounts by number: IBANs, and account numbers with the routing number 110000000. */
const accounts: ReadonlyMap<string, readonly [Debit, Behaviour]> = new Map([
  ['DE89370400440532013000', ['sepa_debit', 'settles']],
  ['DE62370400440532013001', ['sepa_debit', 'lacks_funds']],
  ['DE35370400440532013002', ['sepa_debit', 'returns']],
  ['DE08370400440532013003', ['sepa_debit', 'settles_late']],
  ['DE78370400440532013004', ['sepa_debit', 'lacks_funds_twice']],
  ['DE51370400440532013005', ['sepa_debit', 'revokes']],
  ['DE24370400440532013006', ['sepa_debit', 'is_closed']],
  ['DE94370400440532013007', ['sepa_debit', 'stays_processing']],
  ['DE67370400440532013008', ['sepa_debit', 'settles_three_times']],
  ['000123456789', ['ach_debit', 'settles']],
  ['000222222227', ['ach_debit', 'is_unfunded']],
  ['000111111113', ['ach_debit', 'is_ended']],
  ['000111111116', ['ach_debit', 'is_unknown']],
  ['000333333335', ['ach_debit', 'settles_three_times']],
]);

const tokenOf = (number: string, [debit, behaviour]: readonly [Debit, Behaviour]): string =>
  `tok_sandbox_${debit}_${behaviour}_${number.slice(-4)}`;

const byToken = new Map(
  [...accounts].map(([number, account]) => [tokenOf(number, account), { number, account }]),
);

/** Test account of the simulated bank. */
export type TestAccount = { readonly number: string; readonly behaviour: string };

/** Returns the test accounts for an instrument. Empty if the sandbox doesn't simulate the instrument. */
export const testAccountsOf = (instrument: string): TestAccount[] =>
  [...accounts].flatMap(([number, [debit, behaviour]]) =>
    debit === instrument ? [{ number, behaviour }] : [],
  );

/** Instruments that the simulated bank offers. */
export const simulatedDebits: readonly Debit[] = ['sepa_debit', 'ach_debit'];

/** Bank account that a payer entered. */
export type BankAccountInput = {
  readonly accountNumber: string;
  readonly routingNumber?: string | null | undefined;
  readonly mandateVersion: string;
};

/** Returns the problems of an entered bank account: wrong check digits, or an account that the sandbox doesn't know. */
function accountProblems({ accountNumber, routingNumber }: BankAccountInput, digits: string): FieldProblem[] {
  const isUs = /^\d+$/.test(digits);
  const field = 'bankAccount.accountNumber';
  if (!isUs && !isIban(accountNumber))
    return [{ field, message: 'must be an IBAN with correct check digits' }];
  if (isUs && !isRoutingNumber(routingNumber ?? ''))
    return [{ field: 'bankAccount.routingNumber', message: 'must be a US routing number' }];
  return accounts.has(digits) ? [] : [{ field, message: 'must be a test account of the sandbox' }];
}

/**
 * Returns the details of a test account that a payer entered. Throws `validation_error` if a number has wrong check digits, if
 * the sandbox doesn't know the account, or if the payer accepted an outdated mandate text.
 */
export function vaultAccount(entered: BankAccountInput): MethodDetails {
  const digits = compactNumber(entered.accountNumber);
  const problems = accountProblems(entered, digits);
  const account = accounts.get(digits);
  const method = account === undefined ? null : vaultDebit(tokenOf(digits, account));
  if (entered.mandateVersion !== mandateTextVersion)
    problems.push({
      field: 'bankAccount.mandateVersion',
      message: `must be ${mandateTextVersion}, the version of the mandate text`,
    });
  if (problems.length > 0 || method === null) throw validationError(problems);
  return { ...method, mandateText: mandateTextVersion };
}

/** Returns the details of a simulated bank account by its token. `null` if the token is unknown. */
export function vaultDebit(token: string): MethodDetails | null {
  const found = byToken.get(token);
  if (found === undefined) return null;
  const [instrument] = found.account;
  return {
    reference: token,
    bin: null,
    provider: 'platform',
    instrument,
    brand: instrument,
    last4: found.number.slice(-4),
    expMonth: 12,
    expYear: 9999,
  };
}

/** Time after 00:00 UTC at which a debit is sent to the bank (INS-21). */
const sentAfterMs = 5 * minuteMs;
/** Time after 00:00 UTC at which the bank reports results. */
const reportedAfterMs = 6 * hourMs;
/** Time after 00:00 UTC of the day before the collection at which the simulated bank reports a revoked mandate. */
const revokedAfterMs = 8 * hourMs;

const after = (date: Date, ms: number): Date => new Date(date.getTime() + ms);

/** Accepts a debit, and returns the reports of the simulated bank. The same request always has the same reports. */
export function acceptDebit(reference: string, terms: DebitTerms): AcceptedDebit {
  const account = byToken.get(reference)?.account;
  if (account === undefined) throw new Error(`The sandbox gateway has no account ${reference}.`);
  const [debit, behaviour] = account;
  const { calendar, confirmation } = instrumentOf(debit);
  const collectionOn = new Date(`${terms.collectionOn}T00:00:00.000Z`);
  const status = terms.isDue ? 'processing' : 'scheduled';
  if (behaviour === 'revokes' && terms.earlierDebits > 0 && !terms.isDue) {
    const at = after(addDays(collectionOn, -1), revokedAfterMs);
    return { status, next: [{ at, report: { mandate: 'revoked', code: 'MD01' } }] };
  }
  const given = { ...terms, ...confirmation, ...failures[debit] };
  const steps: readonly Step[] = behaviours[behaviour](given);
  const sent = terms.isDue
    ? []
    : [{ at: after(collectionOn, sentAfterMs), report: { stage: 'processing' } as const }];
  const reported = steps.map(({ days, later = 0, report }) => ({
    at: after(addDays(addBusinessDays(calendar, collectionOn, days), later), reportedAfterMs),
    report,
  }));
  return { status, next: [...sent, ...reported] };
}
