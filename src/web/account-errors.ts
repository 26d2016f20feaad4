import { type FieldProblem, QuittanceError, specificError, validationError } from '../domain/errors.ts';

// What the authentication library rejects, with the codes of the other interfaces. Its own code is in `details.reason`.

const byStatus: ReadonlyMap<number, () => QuittanceError> = new Map([
  [401, () => specificError('unauthorized', 'not_signed_in')],
  [403, () => specificError('forbidden', 'account_request')],
  [404, () => specificError('not_found', 'account_address')],
  [429, () => specificError('rate_limited', 'account_attempts')],
]);

/** Problems with the input, by the code of the library. */
const problems: ReadonlyMap<string | null, FieldProblem> = new Map([
  ['invalid_password', { field: 'currentPassword', message: 'is wrong' }],
  ['invalid_token', { field: 'token', message: 'is not valid any more' }],
  ['token_expired', { field: 'token', message: 'is not valid any more' }],
  ['invalid_code', { field: 'code', message: 'is wrong' }],
  ['invalid_backup_code', { field: 'code', message: 'is wrong' }],
  ['challenge_not_found', { field: 'response', message: 'is not awaited any more' }],
  ['failed_to_verify_registration', { field: 'response', message: 'does not fit the challenge' }],
  ['user_not_verified', { field: 'response', message: 'was given without verifying the user' }],
  ['too_many_passkeys', { field: 'response', message: 'is one passkey too many' }],
]);

/** A passkey that does not sign in: unknown, removed, or its signature is wrong. Which of these is not said. */
const wrongPasskey: ReadonlySet<string | null> = new Set(['passkey_not_found', 'authentication_failed']);

const unacceptable: FieldProblem = { field: '', message: 'The request is not acceptable.' };

/** The error for a rejection of the library: its status, and its own code where it named one. */
export function accountError(status: number, libraryCode: unknown): QuittanceError {
  const reason = typeof libraryCode === 'string' ? libraryCode.toLowerCase() : null;
  const details = reason === null ? undefined : { reason };
  // After five wrong codes the sign-in begins again.
  if (reason === 'too_many_attempts_request_new_code')
    return specificError('rate_limited', 'account_attempts', { details });
  if (wrongPasskey.has(reason)) return specificError('unauthorized', 'wrong_passkey');
  if (status === 400 || status === 422 || problems.has(reason))
    return validationError([{ ...(problems.get(reason) ?? unacceptable), ...details }]);
  if (reason === 'invalid_email_or_password')
    return specificError('unauthorized', 'wrong_password', { details });
  const { code, message } = byStatus.get(status)?.() ?? specificError('internal_error', 'hidden');
  return new QuittanceError({ code, message, details });
}

/** The rejection of a request that another site may have made a browser send. */
export const foreignOrigin = (origin: string): QuittanceError =>
  specificError('forbidden', 'foreign_origin', {
    values: { origin },
    details: { reason: 'origin_not_allowed' },
  });

/** The rejection of a cookie without the header that no other site can make a browser send. */
export const lacksCsrfHeader = (): QuittanceError =>
  specificError('forbidden', 'csrf_header_missing', {
    details: { reason: 'csrf_header_missing' },
  });
