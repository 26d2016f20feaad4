import {
  type FieldProblem,
  QuittanceError,
  specificError,
  validationError,
} from '../domain/errors/errors.ts';

// Maps errors from the authentication library to API error codes. `details.reason` contains the library's own code.

const byStatus: ReadonlyMap<number, () => QuittanceError> = new Map([
  [401, () => specificError('unauthorized', 'not_signed_in')],
  [403, () => specificError('forbidden', 'account_request')],
  [404, () => specificError('not_found', 'account_address')],
  [429, () => specificError('rate_limited', 'account_attempts')],
]);

/** Field errors by error code of the authentication library. */
const problems: ReadonlyMap<string | null, FieldProblem> = new Map([
  ['invalid_password', { field: 'currentPassword', message: 'is incorrect' }],
  ['invalid_token', { field: 'token', message: 'is no longer valid. Request a new link' }],
  ['token_expired', { field: 'token', message: 'is no longer valid. Request a new link' }],
  ['invalid_code', { field: 'code', message: 'is incorrect' }],
  ['invalid_backup_code', { field: 'code', message: 'is incorrect' }],
  ['challenge_not_found', { field: 'response', message: "doesn't match a pending request. Start over" }],
  [
    'failed_to_verify_registration',
    { field: 'response', message: "doesn't match the challenge of the passkey registration. Start over" },
  ],
  [
    'user_not_verified',
    {
      field: 'response',
      message: 'must come from a passkey that verifies the user, for example with a PIN or fingerprint',
    },
  ],
  [
    'too_many_passkeys',
    { field: 'response', message: 'exceeds the maximum number of passkeys. Remove a passkey first' },
  ],
]);

/** Failed passkey sign-ins. The response doesn't reveal whether the passkey is unknown or its signature is wrong. */
const wrongPasskey: ReadonlySet<string | null> = new Set(['passkey_not_found', 'authentication_failed']);

const unacceptable: FieldProblem = {
  field: '',
  message: 'The request is invalid. Check the values and try again.',
};

/** Returns the API error for an HTTP status and error code from the library. */
export function accountError(status: number, libraryCode: unknown): QuittanceError {
  const reason = typeof libraryCode === 'string' ? libraryCode.toLowerCase() : null;
  const details = reason === null ? undefined : { reason };
  // The authentication library cancels a sign-in after five wrong codes.
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

/** Returns the error for adding a credential before the email address is verified. */
export const addressUnverified = (): QuittanceError =>
  specificError('forbidden', 'address_unverified', { details: { reason: 'email_not_verified' } });

/** Returns the error for a request sent by a page on another site. */
export const foreignOrigin = (origin: string): QuittanceError =>
  specificError('forbidden', 'foreign_origin', {
    values: { origin },
    details: { reason: 'origin_not_allowed' },
  });

/** Returns the error for a request with a session cookie but without the CSRF header. */
export const lacksCsrfHeader = (): QuittanceError =>
  specificError('forbidden', 'csrf_header_missing', {
    details: { reason: 'csrf_header_missing' },
  });
