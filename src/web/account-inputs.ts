import { z } from 'zod';
import { type FieldProblem, specificError, validationError } from '../domain/errors.ts';
import type { HttpRequest } from '../http/request.ts';
import { passwordLength } from '../identity/auth.ts';
import { authenticationResponse, registrationResponse } from './passkey-inputs.ts';

/** A text with a least and a greatest length. */
const text = (minimum: number, maximum: number) =>
  z
    .string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a string') })
    .min(minimum, minimum === 1 ? 'must not be empty' : `must have at least ${minimum} characters`)
    .max(maximum, `must have at most ${maximum} characters`);

const email = text(1, 320).regex(z.regexes.email, 'must be an email address');
/** A password that was chosen earlier: any text that can be one. */
const password = text(1, passwordLength.maximum);
const newPassword = text(passwordLength.minimum, passwordLength.maximum);

const flag = z.boolean('must be true or false').optional();

/** The password beside a change of one-time codes. */
const withPassword = z
  .strictObject({ currentPassword: password })
  .transform((input) => ({ password: input.currentPassword }));

/** An address below /auth: what its body may hold, and what counts for it. */
export type AccountInput = {
  /** Null where there is no body. */
  readonly body: z.ZodType<Record<string, unknown>> | null;
  /** Whether it proves a password or begins a proof, so that attempts are counted. */
  readonly isProof: boolean;
  /** Whether the library takes the input in the address of a GET. */
  readonly isQuery?: true;
  /**
   * What the session must be: one of somebody, one whose person was proved of late, or, where the name ends with `IfSignedIn`, none or one of
   * these.
   */
  readonly needs?: 'session' | 'proof' | 'sessionIfSignedIn' | 'proofIfSignedIn';
  /** Whether it acts for the person who is signed in, by the cookie. */
  readonly usesSession: boolean;
};

/** What is offered of the authentication library: nothing else it knows is reachable. By method and path, both exact. */
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
      // Other sessions always end; the member says nothing any more.
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
      isQuery: true,
      needs: 'session',
    },
  ],
  ['POST /two-factor/enable', { body: withPassword, isProof: true, usesSession: true, needs: 'session' }],
  ['POST /two-factor/disable', { body: withPassword, isProof: true, usesSession: true, needs: 'session' }],
  [
    'POST /two-factor/generate-backup-codes',
    { body: withPassword, isProof: true, usesSession: true, needs: 'session' },
  ],
  // The second step of a sign-in, or the first code of someone who has just set codes up.
  [
    'POST /two-factor/verify-totp',
    {
      body: z.strictObject({ code: text(6, 6) }),
      isProof: true,
      usesSession: true,
      needs: 'proofIfSignedIn',
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
  // Each challenge is for one answer, so those are counted that ask for one.
  [
    'POST /passkey/generate-register-options',
    { body: z.strictObject({}), isProof: true, usesSession: true, isQuery: true, needs: 'proof' },
  ],
  [
    'POST /passkey/verify-registration',
    {
      body: z.strictObject({ response: registrationResponse }),
      isProof: false,
      usesSession: true,
      needs: 'proof',
    },
  ],
  [
    'POST /passkey/generate-authenticate-options',
    { body: z.strictObject({}), isProof: true, usesSession: true, isQuery: true },
  ],
  // A sign-in; or who has signed in proves again who they are.
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
      ? issue.keys.map((field) => ({ field, message: 'is not known here' }))
      : [
          {
            field: issue.path.join('.'),
            message: issue.path.length === 0 ? 'The body must be a JSON object' : issue.message,
          },
        ],
  );

/**
 * Reads the body of a request to an address of accounts as what the library gets. Throws `validation_error`, also for another type than JSON, which
 * a form on another site could send, and `invalid_json`.
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
