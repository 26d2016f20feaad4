// Verification of an organization for payouts (PAY-38): what it submits, and the effect of the provider's
// answers.
import type { FieldProblem } from './errors.ts';
import type { PayoutAccountStatus } from './payout.ts';
import { ended, type ProviderRequestRow, repeated } from './provider-request.ts';

/** The status of a verification. */
export type VerificationStatus = 'not_started' | 'pending' | 'approved' | 'rejected';

/** The same as the status of the payout account, which decides whether money may be taken out. */
export const verificationStatus: { readonly [status in PayoutAccountStatus]: VerificationStatus } = {
  none: 'not_started',
  pending: 'pending',
  verified: 'approved',
  rejected: 'rejected',
};

/** A problem of a submission. `field` is a path into it; null for the submission as a whole. */
export type RejectionReason = {
  readonly field: string | null;
  readonly code: string;
  readonly message: string;
};

/** The provider's answer about a verification. `unknown` means that no answer came. */
export type VerificationAnswer =
  | { readonly status: 'pending' }
  | { readonly status: 'approved' }
  | { readonly status: 'rejected'; readonly reasons: readonly RejectionReason[] }
  | { readonly status: 'unknown' };

/** A decision of the provider. */
export type VerificationDecision = Extract<VerificationAnswer, { readonly status: 'approved' | 'rejected' }>;

/** The effect of an answer about a verification: the changed request, and the decision; null without one. */
export type VerificationAnswered = {
  readonly request: ProviderRequestRow;
  readonly decision: VerificationDecision | null;
};

/**
 * Applies an answer about a verification. The first decision counts; a later one that differs is recorded.
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

/** A day such as 2027-02-28, as the midnight that begins it; null for text that is no day. */
function dayOf(text: string): Date | null {
  const day = new Date(`${text}T00:00:00.000Z`);
  return Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text ? null : day;
}

/**
 * What is wrong with the days of a person and a document at an instant: a document is good to the end of the
 * day it expires on.
 */
export function dayProblems(birthDate: string, expiresOn: string, now: Date): FieldProblem[] {
  const [birth, expiry] = [dayOf(birthDate), dayOf(expiresOn)];
  const today = now.toISOString().slice(0, 10);
  const problems: (FieldProblem | null)[] = [
    birth === null ? { field: 'person.birthDate', message: 'must be a day such as 1990-02-28' } : null,
    birth !== null && birthDate >= today
      ? { field: 'person.birthDate', message: 'must be in the past' }
      : null,
    expiry === null ? { field: 'document.expiresOn', message: 'must be a day such as 2030-02-28' } : null,
    expiry !== null && expiresOn < today
      ? { field: 'document.expiresOn', message: 'must not be in the past' }
      : null,
  ];
  return problems.filter((problem) => problem !== null);
}
