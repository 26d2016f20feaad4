import { randomUUID } from 'node:crypto';
import type { Role } from '../../src/context.ts';
import { newId } from '../../src/platform/ids.ts';
import type { TestApp } from './harness.ts';

/** A person's cookies and the header that lets them count, as the pages send them. */
export type Session = {
  readonly email: string;
  readonly userId: string;
  readonly headers: Readonly<Record<string, string>>;
};

export const password = 'correct horse battery';

/** Sends what the pages send to the account service. */
export const account = (
  t: TestApp,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${t.url}/auth${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: t.app.config.publicUrl, ...headers },
    body: JSON.stringify(body),
  });

/** The cookies an answer sets, as a browser sends them back. */
export const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

/** Makes an account and signs it in, through the public door. */
export async function signUp(t: TestApp, email = `${randomUUID()}@people.test`): Promise<Session> {
  const made = await account(t, '/sign-up/email', { name: 'Ada', email, password });
  if (!made.ok) throw new Error(`An account was rejected with ${made.status}: ${await made.text()}`);
  return signIn(t, email);
}

/** Signs in with an account's password; each time is a session of its own. */
export async function signIn(t: TestApp, email: string, secret = password): Promise<Session> {
  const response = await account(t, '/sign-in/email', { email, password: secret });
  if (!response.ok)
    throw new Error(`A sign-in was rejected with ${response.status}: ${await response.text()}`);
  const { user } = (await response.json()) as { user: { id: string } };
  return { email, userId: user.id, headers: { cookie: cookiesOf(response), 'x-quittance-csrf': '1' } };
}

/** A person with a role in an organization, signed in. */
export async function memberOf(
  t: TestApp,
  organizationId: string,
  role: Role,
): Promise<Session & { readonly memberId: string }> {
  const session = await signUp(t);
  const memberId = newId('mem');
  await t.app.database.prisma.member.create({
    data: { id: memberId, organizationId, userId: session.userId, role, createdAt: t.app.wall.now() },
  });
  return { ...session, memberId };
}
