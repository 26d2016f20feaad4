import { getJson, postJson, Rejection, type RejectionDetails } from '../data/service.ts';

// Sends requests to the account service, whose endpoints are separate from the GraphQL API.

/** Header that authenticates requests from this page. Browsers don't let other sites send it. */
export const csrf = { 'X-Quittance-Csrf': '1' };

type Rejected = { readonly error?: RejectionDetails };

/** Sends a request to the account service. Throws `Rejection` if the request is rejected, and `NoAnswer` if there's no response. */
async function account(path: string, body: object): Promise<void> {
  const answer = await postJson<Rejected | null>(`/auth${path}`, body, csrf);
  if (!answer.isOk) throw new Rejection(answer.body?.error ?? { code: 'internal_error' });
}

export type Proof = { readonly email: string; readonly password: string };

export const signIn = (proof: Proof): Promise<void> => account('/sign-in/email', proof);

/** Creates an account. The response doesn't reveal whether the email address already has an account; only the subsequent sign-in does. */
export const signUp = (proof: Proof & { readonly name: string }): Promise<void> =>
  account('/sign-up/email', proof);

export const signOut = (): Promise<void> => account('/sign-out', {});

/**
 * Returns the email address of the signed-in user. `null` if no user is signed in. Throws `NoAnswer` if there's no
 * response.
 */
export async function readSignedIn(): Promise<string | null> {
  const { body } = await getJson<{ readonly user?: { readonly email?: string } } | null>(
    '/auth/get-session',
    csrf,
  );
  return body?.user?.email ?? null;
}
