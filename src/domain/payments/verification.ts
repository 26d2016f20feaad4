// Verification of an organization for payouts (PAY-38).
import type { FieldProblem } from '../errors/errors.ts';
import type { PayoutAccountStatus } from './payout.ts';
import { ended, type ProviderRequestRow, repeated } from './provider-request.ts';

export type VerificationStatus = 'not_started' | 'pending' | 'approved' | 'rejected';

/** Verification status for each status of the payout account. */
export const verificationStatus: { readonly [status in PayoutAccountStatus]: VerificationStatus } = {
  none: 'not_started',
  pending: 'pending',
  verified: 'approved',
  rejected: 'rejected',
};

/**
 * Problem with a submission. `field` is the path of the field, or `null` if the problem concerns the
 * whole submission.
 */
export type RejectionReason = {
  readonly field: string | null;
  readonly code: string;
  readonly message: string;
};

/** Provider's response to a verification request. `unknown` means that the provider didn't respond. */
export type VerificationAnswer =
  | { readonly status: 'pending' }
  | { readonly status: 'approved' }
  | { readonly status: 'rejected'; readonly reasons: readonly RejectionReason[] }
  | { readonly status: 'unknown' };

export type VerificationDecision = Extract<VerificationAnswer, { readonly status: 'approved' | 'rejected' }>;

/**
 * State of a verification request after a response, and the provider's decision. `decision` is `null` if
 * the provider hasn't decided.
 */
export type VerificationAnswered = {
  readonly request: ProviderRequestRow;
  readonly decision: VerificationDecision | null;
};

/**
 * Applies a response to a verification request. The first decision is final. A later decision that differs
 * is recorded as a contradiction.
 */
export function verificationAnswered(
  row: ProviderRequestRow,
  answer: VerificationAnswer,
  now: Date,
): VerificationAnswered {
  if (answer.status === 'unknown') return { request: row, decision: null };
  if (row.result !== null)
    return { request: repeated(row, answer, answer.status !== 'pending'), decision: null };
  if (answer.status === 'pending') return { request: row, decision: null };
  return { request: ended(row, answer, now), decision: answer };
}

/** Returns 00:00 UTC of a date such as 2027-02-28. `null` if the date is invalid. */
function dayOf(text: string): Date | null {
  const day = new Date(`${text}T00:00:00.000Z`);
  return Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text ? null : day;
}

/**
 * Validates a person's birth date and the expiration date of a document. A document is valid until the end of
 * its expiration date.
 */
export function dayProblems(birthDate: string, expiresOn: string, now: Date): FieldProblem[] {
  const [birth, expiry] = [dayOf(birthDate), dayOf(expiresOn)];
  const today = now.toISOString().slice(0, 10);
  const problems: (FieldProblem | null)[] = [
    birth === null ? { field: 'person.birthDate', message: 'must be a date such as 1990-02-28' } : null,
    birth !== null && birthDate >= today
      ? { field: 'person.birthDate', message: 'must be in the past' }
      : null,
    expiry === null ? { field: 'document.expiresOn', message: 'must be a date such as 2030-02-28' } : null,
    expiry !== null && expiresOn < today
      ? { field: 'document.expiresOn', message: 'must not be in the past' }
      : null,
  ];
  return problems.filter((problem) => problem !== null);
}
