import { z } from 'zod';
import { type FieldProblem, specificError, validationError } from '../domain/errors/errors.ts';
import type { HttpRequest } from '../http/request.ts';
import { passwordLength } from '../identity/auth.ts';
import { authenticationResponse, registrationResponse } from './passkey-inputs.ts';

const text = (minimum: number, maximum: number) =>
  z
    .string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a string') })
    .min(minimum, minimum === 1 ? 'must not be empty' : `must have at least ${minimum} characters`)
    .max(maximum, `must have at most ${maximum} characters`);

const email = text(1, 320).regex(z.regexes.email, 'must be an email address');
/** No minimum length, because an existing password may predate the current limit. */
const password = text(1, passwordLength.maximum);
const newPassword = text(passwordLength.minimum, passwordLength.maximum);

const flag = z.boolean('must be true or false').optional();

/** Body for requests that change two-factor authentication. */
const withPassword = z
  .strictObject({ currentPassword: password })
  .transform((input) => ({ password: input.currentPassword }));

/** Allowed body and requirements of a path below `/auth`. */
export type AccountInput = {
  /** Request body schema. `null` if the request has no body. */
  readonly body: z.ZodType<Record<string, unknown>> | null;
  /** True if the request verifies a password or starts a sign-in, so that attempts are limited. */
  readonly isProof: boolean;
  /** True if the library expects the input as query parameters of a GET request. */
  readonly isQuery?: true;
  /**
   * Required session. `proof` requires a recent sign-in or password check. With the suffix `IfSignedIn`, the
   * requirement only applies to signed-in users.
   */
  readonly needs?: 'session' | 'proof' | 'sessionIfSignedIn' | 'proofIfSignedIn';
  /** True if the request adds a credential, which requires a verified email address. */
  readonly addsCredential?: true;
  /** True if the request applies to the user signed in by the session cookie. */
  readonly usesSession: boolean;
};

/** Supported endpoints of the authentication library, by method and path. All other endpoints of the library are unreachable. */
export const accountInputs: ReadonlyMap<string, AccountInput> = new Map([
  [
    'POST /sign-up/email',
    {
      body: z.strictObject({ name: text(1, 200), email, password: newPassword }),
      isProof: true,
      usesSession: false,
    },
  ],
  [
    'POST /sign-in/email',
    { body: z.strictObject({ email, password, rememberMe: flag }), isProof: true, usesSession: false },
  ],
  ['POST /sign-out', { body: z.strictObject({}), isProof: false, usesSession: true }],
  [
    'POST /change-password',
    {
      // This option has no effect, because other sessions always end.
      body: z
        .strictObject({ currentPassword: password, newPassword, revokeOtherSessions: flag })
        .transform((input) => ({ ...input, revokeOtherSessions: true })),
      isProof: true,
      usesSession: true,
    },
  ],
  [
    'POST /verify-password',
    {
      body: z
        .strictObject({ currentPassword: password })
        .transform((input) => ({ password: input.currentPassword })),
      isProof: true,
      usesSession: true,
    },
  ],
  ['POST /request-password-reset', { body: z.strictObject({ email }), isProof: true, usesSession: false }],
  [
    'POST /reset-password',
    { body: z.strictObject({ newPassword, token: text(1, 200) }), isProof: true, usesSession: false },
  ],
  ['POST /update-user', { body: z.strictObject({ name: text(1, 200) }), isProof: false, usesSession: true }],
  [
    'POST /change-email',
    { body: z.strictObject({ newEmail: email }), isProof: true, usesSession: true, needs: 'proof' },
  ],
  [
    'POST /verify-email',
    {
      body: z.strictObject({ token: text(1, 2_000) }),
      isProof: true,
      usesSession: true,
      needs: 'session',
    },
  ],
  // Sends a new verification link to the signed-in user's address.
  [
    'POST /send-verification-email',
    { body: z.strictObject({}), isProof: true, usesSession: true, needs: 'session' },
  ],
  [
    'POST /two-factor/enable',
    { body: withPassword, isProof: true, usesSession: true, needs: 'session', addsCredential: true },
  ],
  ['POST /two-factor/disable', { body: withPassword, isProof: true, usesSession: true, needs: 'session' }],
  [
    'POST /two-factor/generate-backup-codes',
    { body: withPassword, isProof: true, usesSession: true, needs: 'session', addsCredential: true },
  ],
  // Second step of a sign-in, or confirmation that newly set up one-time codes work.
  [
    'POST /two-factor/verify-totp',
    {
      body: z.strictObject({ code: text(6, 6) }),
      isProof: true,
      usesSession: true,
      needs: 'proofIfSignedIn',
      addsCredential: true,
    },
  ],
  [
    'POST /two-factor/verify-backup-code',
    {
      body: z.strictObject({ code: text(1, 20) }),
      isProof: true,
      usesSession: true,
      needs: 'proofIfSignedIn',
    },
  ],
  // Each challenge accepts one response, so limiting challenges also limits guesses.
  [
    'POST /passkey/generate-register-options',
    {
      body: z.strictObject({}),
      isProof: true,
      usesSession: true,
      isQuery: true,
      needs: 'proof',
      addsCredential: true,
    },
  ],
  [
    'POST /passkey/verify-registration',
    {
      body: z.strictObject({ response: registrationResponse }),
      isProof: false,
      usesSession: true,
      needs: 'proof',
      addsCredential: true,
    },
  ],
  [
    'POST /passkey/generate-authenticate-options',
    { body: z.strictObject({}), isProof: true, usesSession: true, isQuery: true },
  ],
  // Passkey sign-in, or renewed proof of identity for a signed-in user.
  [
    'POST /passkey/verify-authentication',
    {
      body: z.strictObject({ response: authenticationResponse }),
      isProof: false,
      usesSession: true,
      needs: 'sessionIfSignedIn',
    },
  ],
  ['GET /get-session', { body: null, isProof: false, usesSession: true }],
]);

const problemsOf = ({ issues }: z.ZodError): FieldProblem[] =>
  issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((field) => ({ field, message: "isn't a supported field" }))
      : [
          {
            field: issue.path.join('.'),
            message: issue.path.length === 0 ? 'The body must be a JSON object' : issue.message,
          },
        ],
  );

/**
 * Parses the body of an account request. Throws `validation_error` and `invalid_json`. Content types other than JSON are rejected because forms on
 * other sites can send them.
 */
export async function accountInput(
  request: HttpRequest,
  { body }: AccountInput,
  limit: number,
): Promise<Record<string, unknown> | null> {
  if (body === null) return null;
  const raw = Buffer.from(await request.bytes(limit)).toString('utf8');
  const type = request.headers.get('content-type');
  if (!/^application\/json\s*(?:;|$)/i.test(type ?? '') && (raw !== '' || type !== null))
    throw validationError([{ field: 'Content-Type', message: 'must be application/json' }]);
  const parsed = body.safeParse(raw === '' ? {} : parse(raw));
  if (!parsed.success) throw validationError(problemsOf(parsed.error));
  return parsed.data;
}

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    throw specificError('invalid_json', 'not_utf8');
  }
}
