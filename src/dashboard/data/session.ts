import { ApiError, errorOf, type GraphqlError, noAnswer } from './api-error.ts';
import { base } from './place.ts';
import { ClaimLinkCreateDocument } from './session.graphql';
import { createStore } from './store.ts';

/** Whether someone has to sign in before requests go on. */
export const isSignInNeeded = createStore(false);

let renewal: PromiseWithResolvers<void> | null = null;

/** Resolves once someone has signed in again; the dialog for it opens over the page. */
export function renewed(): Promise<void> {
  renewal ??= Promise.withResolvers<void>();
  isSignInNeeded.set(true);
  return renewal.promise;
}

/** Lets requests go on that waited for a sign-in. */
export function resume(): void {
  isSignInNeeded.set(false);
  renewal?.resolve();
  renewal = null;
}

type Rejected = {
  readonly error?: { readonly code?: string; readonly message?: string; readonly details?: unknown };
};

/** Calls the account service. Throws an ApiError for what it rejects. */
export async function account<Answer = unknown>(path: string, body: object): Promise<Answer> {
  const response = await fetch(`${base}/auth${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', 'x-quittance-csrf': '1' },
    body: JSON.stringify(body),
  }).catch(() => {
    throw noAnswer();
  });
  if (response.ok) return (await response.json()) as Answer;
  const answer = (await response.json().catch(() => ({}))) as Rejected;
  throw new ApiError({
    code: answer.error?.code ?? 'internal_error',
    status: response.status,
    message: answer.error?.message ?? '',
    details: answer.error?.details,
    requestId: response.headers.get('x-request-id'),
    retryAfterSeconds: Number(response.headers.get('retry-after')) || null,
  });
}

export type Proof = { readonly email: string; readonly password: string };

/** Signs in by a password. Answers whether that was all: false where a one-time code is needed beside it. */
export const signIn = async (proof: Proof): Promise<boolean> =>
  (await account<{ readonly twoFactorRedirect?: boolean }>('/sign-in/email', proof)).twoFactorRedirect !==
  true;

/** Makes an account. It does not tell whether the address has one already: signing in afterwards does. */
export const signUp = (proof: Proof & { readonly name: string }): Promise<unknown> =>
  account('/sign-up/email', proof);

/** Proves the password of who has signed in, which counts for 15 minutes. */
export const provePassword = (currentPassword: string): Promise<unknown> =>
  account('/verify-password', { currentPassword });

export const changeName = (name: string): Promise<unknown> => account('/update-user', { name });

/** Changes the password, and ends all other sessions. */
export const changePassword = (currentPassword: string, newPassword: string): Promise<unknown> =>
  account('/change-password', { currentPassword, newPassword });

/** Sends a link to the new address, which counts once the link was opened. Throws `reauthentication_required` without a fresh proof of the password. */
export const changeEmail = (newEmail: string): Promise<unknown> => account('/change-email', { newEmail });

export const verifyEmail = (token: string): Promise<unknown> => account('/verify-email', { token });

/** Sends a link for a new password. It does not tell whether the address has an account. */
export const requestPasswordReset = (email: string): Promise<unknown> =>
  account('/request-password-reset', { email });

export const resetPassword = (token: string, newPassword: string): Promise<unknown> =>
  account('/reset-password', { token, newPassword });

export const signOut = (): Promise<unknown> => account('/sign-out', {});

type SignedIn = { readonly user: { readonly twoFactorEnabled?: boolean | null } };

/** Who has signed in; null for nobody. Throws an ApiError when the service does not answer. */
export async function readSession(): Promise<SignedIn | null> {
  const fail = (): never => {
    throw noAnswer();
  };
  const headers = { Accept: 'application/json', 'x-quittance-csrf': '1' };
  const response = await fetch(`${base}/auth/get-session`, { headers }).catch(fail);
  return response.ok ? ((await response.json()) as SignedIn | null) : fail();
}

/** Whether someone has signed in. Throws an ApiError when the service does not answer. */
export const isSignedIn = async (): Promise<boolean> => (await readSession()) !== null;

type ClaimAnswer = {
  readonly data?: { readonly claimLinkCreate?: { readonly url: string } | null } | null;
  readonly errors?: readonly GraphqlError[];
};

/** The link by which a person takes over the organization of a key. Throws an ApiError where there is none. */
export async function claimLinkOf(key: string): Promise<string> {
  const response = await fetch(`${base}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', 'x-api-key': key },
    body: JSON.stringify({ query: ClaimLinkCreateDocument }),
    credentials: 'omit',
  }).catch(() => {
    throw noAnswer();
  });
  const { data, errors = [] } = (await response.json()) as ClaimAnswer;
  const url = data?.claimLinkCreate?.url;
  if (url === undefined) throw errorOf(errors, response);
  return url;
}
