import { type ErrorCode, QuittanceError } from '../domain/errors.ts';

// What the authentication library rejects, with the codes of the other interfaces. Its own code is in `details.reason`.

const byStatus: ReadonlyMap<number, readonly [ErrorCode, string]> = new Map([
  [400, ['validation_error', 'The request is not acceptable.']],
  [401, ['unauthorized', 'No one has signed in.']],
  [403, ['forbidden', 'This is not allowed.']],
  [404, ['not_found', 'Accounts have no such address.']],
  [422, ['validation_error', 'The request is not acceptable.']],
  [429, ['rate_limited', 'Too many attempts; wait a minute.']],
]);

const messages: ReadonlyMap<string, string> = new Map([
  ['invalid_email_or_password', 'The e-mail address or the password is wrong.'],
  ['unauthorized', 'No one has signed in.'],
]);

/** Problems with one input, by the library's word. */
const problems: ReadonlyMap<string, { readonly field: string; readonly message: string }> = new Map([
  ['invalid_password', { field: 'currentPassword', message: 'is wrong' }],
]);

/** The error for a rejection of the library: its status, and its own code where it named one. */
export function accountError(status: number, libraryCode: unknown): QuittanceError {
  const [code, message] = byStatus.get(status) ?? ['internal_error', 'Something went wrong on our side.'];
  const reason = typeof libraryCode === 'string' ? libraryCode.toLowerCase() : null;
  const problem = problems.get(reason ?? '');
  if (code === 'validation_error') {
    const { field, message: text } = problem ?? { field: '', message };
    const details = [{ field, message: text, ...(reason === null ? {} : { reason }) }];
    return problem === undefined
      ? new QuittanceError(code, text, { details })
      : new QuittanceError(code, `${field}: ${text}.`, { param: field, details });
  }
  return new QuittanceError(
    code,
    messages.get(reason ?? '') ?? message,
    reason === null ? {} : { details: { reason } },
  );
}

/** The rejection of a request that another site may have made a browser send. */
export const foreignOrigin = (origin: string): QuittanceError =>
  new QuittanceError(
    'forbidden',
    `Accounts are used from pages of ${origin}, or by programs, which send no Origin.`,
    {
      details: { reason: 'origin_not_allowed' },
    },
  );

/** The rejection of a cookie without the header that no other site can make a browser send. */
export const lacksCsrfHeader = (): QuittanceError =>
  new QuittanceError('forbidden', 'A cookie counts only beside the header x-quittance-csrf.', {
    details: { reason: 'csrf_header_missing' },
  });
