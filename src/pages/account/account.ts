import { getJson, postJson, Rejection, type RejectionDetails } from '../data/service.ts';

// Accounts of people, as the service has them beside its operations.

/** Says that this page sends the request: no other site can make a browser send it. */
export const csrf = { 'X-Quittance-Csrf': '1' };

type Rejected = { readonly error?: RejectionDetails };

/** Calls the account service. Throws a Rejection for what it rejects, and NoAnswer when none comes. */
async function account(path: string, body: object): Promise<void> {
  const answer = await postJson<Rejected | null>(`/auth${path}`, body, csrf);
  if (!answer.isOk) throw new Rejection(answer.body?.error ?? { code: 'internal_error' });
}

export type Proof = { readonly email: string; readonly password: string };

export const signIn = (proof: Proof): Promise<void> => account('/sign-in/email', proof);

/** Makes an account. It does not tell whether the address has one already: signing in afterwards does. */
export const signUp = (proof: Proof & { readonly name: string }): Promise<void> =>
  account('/sign-up/email', proof);

export const signOut = (): Promise<void> => account('/sign-out', {});

/** The email address of who has signed in; null for nobody. Throws NoAnswer when the service does not say. */
export async function readSignedIn(): Promise<string | null> {
  const { body } = await getJson<{ readonly user?: { readonly email?: string } } | null>(
    '/auth/get-session',
    csrf,
  );
  return body?.user?.email ?? null;
}
