import { ApiError, errorOf, type GraphqlError, noAnswer } from './api-error.ts';
import { base } from './place.ts';
import { ClaimLinkCreateDocument } from './session.graphql';
import { createStore } from './store.ts';

/** True while requests wait for the user to sign in. */
export const isSignInNeeded = createStore(false);

let renewal: PromiseWithResolvers<void> | null = null;

/** Opens the sign-in dialog over the page. Resolves once the user has signed in. */
export function renewed(): Promise<void> {
  renewal ??= Promise.withResolvers<void>();
  isSignInNeeded.set(true);
  return renewal.promise;
}

/** Resumes the requests that wait for a sign-in. */
export function resume(): void {
  isSignInNeeded.set(false);
  renewal?.resolve();
  renewal = null;
}

type Rejected = {
  readonly error?: { readonly code?: string; readonly message?: string; readonly details?: unknown };
};

/** Sends a request to the account service. Throws an `ApiError` if the request is rejected. */
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

/** Signs in with a password. Returns false if a one-time code is also required. */
export const signIn = async (proof: Proof): Promise<boolean> =>
  (await account<{ readonly twoFactorRedirect?: boolean }>('/sign-in/email', proof)).twoFactorRedirect !==
  true;

/** Creates an account. The response doesn't reveal whether the address already has an account; only the subsequent sign-in does. */
export const signUp = (proof: Proof & { readonly name: string }): Promise<unknown> =>
  account('/sign-up/email', proof);

/** Confirms the identity of the signed-in user with their password. The confirmation is valid for 15 minutes. */
export const provePassword = (currentPassword: string): Promise<unknown> =>
  account('/verify-password', { currentPassword });

export const changeName = (name: string): Promise<unknown> => account('/update-user', { name });

/** Changes the password and ends all other sessions. */
export const changePassword = (currentPassword: string, newPassword: string): Promise<unknown> =>
  account('/change-password', { currentPassword, newPassword });

/**
 * Sends a link to the new address. The address changes when the link is opened. Throws `reauthentication_required` if the password hasn't been
 * confirmed recently.
 */
export const changeEmail = (newEmail: string): Promise<unknown> => account('/change-email', { newEmail });

/** Sends another link that verifies the email address of the signed-in user. */
export const sendVerification = (): Promise<unknown> => account('/send-verification-email', {});

export const verifyEmail = (token: string): Promise<unknown> => account('/verify-email', { token });

/** Sends a link to reset the password. The response doesn't reveal whether the address has an account. */
export const requestPasswordReset = (email: string): Promise<unknown> =>
  account('/request-password-reset', { email });

export const resetPassword = (token: string, newPassword: string): Promise<unknown> =>
  account('/reset-password', { token, newPassword });

export const signOut = (): Promise<unknown> => account('/sign-out', {});

type SignedIn = { readonly user: { readonly twoFactorEnabled?: boolean | null } };

/** Returns the signed-in user. `null` if there is no session. Throws an `ApiError` if the service doesn't respond. */
export async function readSession(): Promise<SignedIn | null> {
  const fail = (): never => {
    throw noAnswer();
  };
  const headers = { Accept: 'application/json', 'x-quittance-csrf': '1' };
  const response = await fetch(`${base}/auth/get-session`, { headers }).catch(fail);
  return response.ok ? ((await response.json()) as SignedIn | null) : fail();
}

/** True if a user is signed in. Throws an `ApiError` if the service doesn't respond. */
export const isSignedIn = async (): Promise<boolean> => (await readSession()) !== null;

type ClaimAnswer = {
  readonly data?: { readonly claimLinkCreate?: { readonly url: string } | null } | null;
  readonly errors?: readonly GraphqlError[];
};

/** Returns the claim link for the organization that an API key belongs to. Throws an `ApiError` if the service doesn't return a link. */
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
