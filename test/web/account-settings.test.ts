import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MailMessage } from '../../src/platform/mail.ts';
import { MovableClock } from '../support/billing-world.ts';
import { watchChanges } from '../support/changes.ts';
import { eventually } from '../support/eventually.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { account, enter, memberOf, password, type Session, signIn } from '../support/people.ts';
import { rejection } from '../support/refusals.ts';

const beganMs = Math.floor(Date.now() / 1_000) * 1_000;
const wall = new MovableClock(new Date(beganMs).toISOString());
const notifications: MailMessage[] = [];
let t: TestApp;

beforeAll(async () => {
  t = await startApp({ env: { SIGN_INS_PER_MINUTE: '0' }, wall });
  Object.assign(t.app, {
    mail: {
      send: async (notification: MailMessage) => void notifications.push(notification),
      close: () => undefined,
    },
  });
});
afterAll(() => t.close());
beforeEach(() => {
  wall.set(new Date(beganMs).toISOString());
  notifications.length = 0;
});

type Viewer = {
  id: string;
  name: string;
  email: string;
  provenUntil: string | null;
  sessions: { id: string; isCurrent: boolean }[];
};
const as = (session: Session, more: Record<string, string> = {}) => ({
  key: null,
  headers: { ...session.headers, ...more },
});
const viewerOf = async (session: Session): Promise<Viewer> =>
  (
    await t.graphql<{ viewer: Viewer }>(
      '{ viewer { id name email provenUntil sessions { id isCurrent } } }',
      {},
      as(session),
    )
  ).viewer;
const isSignedIn = async (session: Session): Promise<boolean> =>
  (
    await fetch(`${t.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...session.headers },
      body: '{"query":"{ viewer { id } }"}',
    }).then((response) => response.text())
  ).includes('usr_');
const codeOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { error: { code: string } }).error.code,
];
const nextEmail = async (): Promise<MailMessage> => {
  const found = await eventually(
    () => notifications[0],
    (notification) => notification !== undefined,
  );
  if (found === undefined) throw new Error('No email was sent.');
  return found;
};
const tokenIn = ({ text }: MailMessage): string => /\/dashboard\/[a-z-]+\/(\S+)/.exec(text)?.[1] ?? '';

describe('a password reset', () => {
  test('works once with an emailed link, and ends all sessions of the account', async () => {
    const person = await enter(t);
    const asked = await account(t, '/request-password-reset', { email: person.email });
    const unknown = await account(t, '/request-password-reset', { email: 'nobody@people.test' });
    expect([asked.status, await asked.text()]).toEqual([unknown.status, await unknown.text()]);
    const email = await nextEmail();
    expect([email.to, email.subject, notifications.length]).toEqual([person.email, 'Reset your password', 1]);
    const token = tokenIn(email);
    expect(email.text).toContain(`${t.app.config.publicUrl}/dashboard/reset-password/${token}\n`);
    const stored = await t.app.database.query('SELECT * FROM "Verification"');
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(
      await codeOf(await account(t, '/reset-password', { token: 'x', newPassword: 'another password' })),
    ).toEqual([400, 'validation_error']);
    expect(await isSignedIn(person)).toBe(true);
    const change = { token, newPassword: 'another password' };
    expect((await account(t, '/reset-password', change)).status).toBe(200);
    expect(await isSignedIn(person)).toBe(false);
    expect(await codeOf(await account(t, '/reset-password', change))).toEqual([400, 'validation_error']);
    expect((await account(t, '/sign-in/email', { email: person.email, password })).status).toBe(401);
    expect(await isSignedIn(await signIn(t, person.email, 'another password'))).toBe(true);
  });

  test('is rate limited per client address, whether or not the account exists', async () => {
    const limited = await startApp({ env: { SIGN_INS_PER_MINUTE: '2' } });
    try {
      const ask = async () =>
        (await account(limited, '/request-password-reset', { email: 'nobody@people.test' })).status;
      expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429]);
    } finally {
      await limited.close();
    }
  });
});

describe('changing the account settings', () => {
  test('updates the name', async () => {
    const person = await enter(t);
    expect((await account(t, '/update-user', { name: 'Grace' }, person.headers)).status).toBe(200);
    expect((await viewerOf(person)).name).toBe('Grace');
    expect(await codeOf(await account(t, '/update-user', { name: '' }, person.headers))).toEqual([
      400,
      'validation_error',
    ]);
    expect(await codeOf(await account(t, '/update-user', { name: 'Eve' }))).toEqual([401, 'unauthorized']);
  });

  test('updates the email address after the user opens the emailed link', async () => {
    const person = await enter(t);
    const newEmail = `new-${person.email}`;
    expect((await account(t, '/change-email', { newEmail }, person.headers)).status).toBe(200);
    const email = await nextEmail();
    expect([email.to, email.subject]).toEqual([newEmail, 'Confirm your email address']);
    expect((await viewerOf(person)).email).toBe(person.email);
    const token = tokenIn(email);
    const stranger = await enter(t);
    expect((await account(t, '/verify-email', { token })).ok).toBe(false);
    expect((await account(t, '/verify-email', { token }, stranger.headers)).ok).toBe(false);
    expect((await account(t, '/verify-email', { token }, person.headers)).status).toBe(200);
    expect([(await viewerOf(person)).email, (await viewerOf(stranger)).email]).toEqual([
      newEmail,
      stranger.email,
    ]);
    expect(await isSignedIn(await signIn(t, newEmail))).toBe(true);
  });

  test('keeps the email address if another account uses the new address, without revealing that account', async () => {
    const [person, other] = [await enter(t), await enter(t)];
    const answer = await account(t, '/change-email', { newEmail: other.email }, person.headers);
    expect([answer.status, notifications]).toEqual([200, []]);
    expect((await viewerOf(person)).email).toBe(person.email);
  });
});

describe('the session list', () => {
  test('allows only its owner to end one session or all other sessions', async () => {
    const person = await enter(t);
    const [second, third] = [await signIn(t, person.email), await signIn(t, person.email)];
    const stranger = await enter(t);
    const { sessions } = await viewerOf(third);
    expect(sessions.map(({ isCurrent }) => isCurrent).sort()).toEqual([false, false, true]);
    const [{ id = '' } = {}] = (await viewerOf(second)).sessions.filter(({ isCurrent }) => isCurrent);
    const end = 'mutation ($id: ID!) { sessionEnd(input: { id: $id }) { sessions { id } } }';
    const changes = await watchChanges(t.app.database.query);
    expect((await rejection(t, end, { id }, as(stranger))).code).toBe('not_found');
    expect(await changes()).toEqual([]);
    await t.graphql(end, { id }, as(third));
    expect([await isSignedIn(person), await isSignedIn(second)]).toEqual([true, false]);
    await t.graphql('mutation { sessionsEndOthers { id } }', {}, as(third));
    expect([await isSignedIn(person), await isSignedIn(third), await isSignedIn(stranger)]).toEqual([
      false,
      true,
      true,
    ]);
  });
});

describe('recent authentication', () => {
  const creating = 'mutation { apiKeyCreate(input: { name: "Key" }) { id } }';
  const live = { 'x-environment': 'live' };
  const later = (ms: number) => wall.set(new Date(beganMs + ms).toISOString());

  test('is required from users for live API keys after 15 minutes, but not in the sandbox or for requests with an API key', async () => {
    const owner = await memberOf(t, t.organizationId, 'owner');
    expect((await viewerOf(owner)).provenUntil).toBe(new Date(beganMs + 900_000).toISOString());
    later(899_999);
    await t.graphql(creating, {}, as(owner, live));
    later(900_000);
    expect((await viewerOf(owner)).provenUntil).toBeNull();
    const changes = await watchChanges(t.app.database.query);
    expect((await rejection(t, creating, {}, as(owner, live))).code).toBe('reauthentication_required');
    expect(await changes()).toEqual([]);
    await t.graphql(creating, {}, as(owner));
    await t.graphql(creating, {}, { key: t.liveKey });
    expect((await t.rest('POST', '/api-keys', { name: 'Key' }, { key: t.liveKey })).status).toBe(201);
    expect(
      await codeOf(await account(t, '/verify-password', { currentPassword: 'wrong one' }, owner.headers)),
    ).toEqual([400, 'validation_error']);
    expect((await rejection(t, creating, {}, as(owner, live))).code).toBe('reauthentication_required');
    expect((await account(t, '/verify-password', { currentPassword: password }, owner.headers)).status).toBe(
      200,
    );
    await t.graphql(creating, {}, as(owner, live));
  });

  test('applies to one session, and is required for ownership transfers, payouts, and email changes', async () => {
    const { organizationId } = await t.otherTenant();
    const owner = await memberOf(t, organizationId, 'owner');
    const { memberId } = await memberOf(t, organizationId, 'admin');
    later(900_000);
    const fresh = await signIn(t, owner.email);
    const transfer = 'mutation ($id: ID!) { memberRoleSet(input: { id: $id, role: owner }) { role } }';
    const payout = 'mutation { payoutCreate(input: { amount: 100 }) { id } }';
    expect((await rejection(t, transfer, { id: memberId }, as(owner, live))).code).toBe(
      'reauthentication_required',
    );
    expect((await rejection(t, payout, {}, as(owner, live))).code).toBe('reauthentication_required');
    expect(
      await codeOf(await account(t, '/change-email', { newEmail: 'x@people.test' }, owner.headers)),
    ).toEqual([403, 'reauthentication_required']);
    expect(notifications).toEqual([]);
    expect(await t.graphql(transfer, { id: memberId }, as(fresh, live))).toEqual({
      memberRoleSet: { role: 'owner' },
    });
  });
});

test('the viewer query lists the organizations and environments of a signed-in user', async () => {
  const { organizationId } = await t.otherTenant();
  const person = await memberOf(t, organizationId, 'admin');
  const { viewer } = await t.graphql<{ viewer: unknown }>(
    '{ viewer { email memberships { role environments organization { organizationId name slug country logoUrl } } } }',
    {},
    as(person),
  );
  expect(viewer).toEqual({
    email: person.email,
    memberships: [
      {
        role: 'admin',
        environments: ['live', 'sandbox'],
        organization: {
          organizationId,
          name: 'Another organization',
          slug: null,
          country: null,
          logoUrl: null,
        },
      },
    ],
  });
});
