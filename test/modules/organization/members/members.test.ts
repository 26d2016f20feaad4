import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MailMessage } from '../../../../src/platform/mail.ts';
import { MovableClock } from '../../../support/billing-world.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { enter, memberOf, type Session } from '../../../support/people.ts';
import { rejection } from '../../../support/refusals.ts';

// Organization members, invitations, and roles, and claiming a provisioned organization (PLT-6, PLT-17).

const began = '2027-03-01T12:00:00.000Z';
const wall = new MovableClock(began);
const notifications: MailMessage[] = [];
let t: TestApp;

beforeAll(async () => {
  t = await startApp({ env: { SIGN_INS_PER_MINUTE: '0', PROVISIONING_PER_MINUTE: '0' }, wall });
  Object.assign(t.app, {
    mail: {
      send: async (notification: MailMessage) => void notifications.push(notification),
      close: () => undefined,
    },
  });
});
afterAll(() => t.close());
beforeEach(() => {
  wall.set(began);
  notifications.length = 0;
});

type Row = Record<string, unknown>;
type Person = Session & { readonly memberId: string };

const as = (session: Session, more: Record<string, string> = {}) => ({
  key: null,
  headers: { ...session.headers, 'x-environment': 'live', ...more },
});
const call = async (session: Session, field: string, input: Row, shown: string): Promise<Row> => {
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`;
  const data = await t.graphql<Record<string, Row>>(
    `mutation ($input: ${type}!) { ${field}(input: $input) { ${shown} } }`,
    { input },
    as(session),
  );
  return data[field] ?? {};
};
const rejected = async (session: Session, field: string, input: Row, shown = 'id'): Promise<string> => {
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`;
  return (
    await rejection(
      t,
      `mutation ($input: ${type}!) { ${field}(input: $input) { ${shown} } }`,
      { input },
      as(session),
    )
  ).code;
};
const people = async (session: Session): Promise<unknown> =>
  (await t.graphql('{ members { email role } }', {}, as(session)))['members'];

async function organization(): Promise<{
  owner: Person;
  admin: Person;
  member: Person;
  organizationId: string;
}> {
  const { organizationId } = await t.otherTenant();
  const [owner, admin, member] = [
    await memberOf(t, organizationId, 'owner'),
    await memberOf(t, organizationId, 'admin'),
    await memberOf(t, organizationId, 'member'),
  ];
  return { owner, admin, member, organizationId };
}

describe('a member invitation', () => {
  test('sends an email with a link that makes the signed-in user a member', async () => {
    const { admin, organizationId } = await organization();
    const invitation = await call(
      admin,
      'memberInvite',
      { email: 'New@People.test', role: 'admin' },
      'email role expiresAt',
    );
    expect(invitation).toEqual({
      email: 'new@people.test',
      role: 'admin',
      expiresAt: '2027-03-08T12:00:00.000Z',
    });
    expect(notifications).toMatchObject([{ to: 'new@people.test', subject: 'Join Another organization' }]);
    const token = /\/invitation\/([\w-]{43})/.exec(notifications[0]?.text ?? '')?.[1] ?? '';
    const view = await t.graphql(
      'query ($token: String!) { memberInvitation(token: $token) { organizationName email role } }',
      { token },
      { key: null },
    );
    expect(view).toEqual({
      memberInvitation: { organizationName: 'Another organization', email: 'new@people.test', role: 'admin' },
    });
    const person = await enter(t, 'New@People.test');
    expect(await call(person, 'memberInvitationAccept', { token }, 'organizationId role')).toEqual({
      organizationId,
      role: 'admin',
    });
    expect(await people(person)).toContainEqual({ email: 'new@people.test', role: 'admin' });
    expect(await rejected(await enter(t), 'memberInvitationAccept', { token }, 'role')).toBe('not_found');
  });

  test('rejects an account with another email address, and changes nothing', async () => {
    const { admin, organizationId } = await organization();
    await call(admin, 'memberInvite', { email: 'bound@people.test', role: 'admin' }, 'id');
    const token = notifications[0]?.text.split('/invitation/')[1]?.trim() ?? '';
    const state = () =>
      Promise.all([
        t.app.database.prisma.memberInvitation.findMany({ where: { organizationId } }),
        t.app.database.prisma.member.findMany({ where: { organizationId }, orderBy: { id: 'asc' } }),
      ]);
    const before = await state();
    const mutation =
      'mutation ($input: MemberInvitationAcceptInput!) { memberInvitationAccept(input: $input) { role } }';
    for (const email of [undefined, 'bound@people.test.evil', 'xbound@people.test', 'bound+1@people.test']) {
      const unknownRecord = await enter(t, email);
      expect(await rejection(t, mutation, { input: { token } }, as(unknownRecord))).toMatchObject({
        code: 'forbidden',
        status: 403,
        message:
          'This invitation is for bound@people.test. Sign in with an account that has this email address.',
        param: 'token',
        details: { reason: 'other_address' },
      });
    }
    expect(await state()).toEqual(before);
    const invited = await enter(t, 'BOUND@people.test');
    expect(await call(invited, 'memberInvitationAccept', { token }, 'organizationId role')).toEqual({
      organizationId,
      role: 'admin',
    });
  });

  test('is limited to one per email address, ignoring case, and is rejected for existing members', async () => {
    const { admin, owner, member } = await organization();
    await call(admin, 'memberInvite', { email: 'twice@people.test', role: 'member' }, 'id');
    expect(await rejected(owner, 'memberInvite', { email: 'TWICE@people.test', role: 'admin' })).toBe(
      'duplicate',
    );
    expect(await rejected(owner, 'memberInvite', { email: member.email, role: 'admin' })).toBe('duplicate');
    expect(notifications).toHaveLength(1);
  });

  test('is created once for five concurrent requests with the same email address', async () => {
    const { admin } = await organization();
    const calls = Array.from({ length: 5 }, () =>
      call(admin, 'memberInvite', { email: 'race@people.test', role: 'member' }, 'id'),
    );
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(notifications).toHaveLength(1);
  });

  test('expires after seven days, and can then be sent again', async () => {
    const { admin } = await organization();
    await call(admin, 'memberInvite', { email: 'late@people.test', role: 'member' }, 'id');
    const token = notifications[0]?.text.split('/invitation/')[1]?.trim() ?? '';
    const person = await enter(t);
    wall.set('2027-03-08T12:00:00.000Z');
    expect(await rejected(person, 'memberInvitationAccept', { token }, 'role')).toBe('not_found');
    await t.app.database.prisma.session.updateMany({
      where: { userId: admin.userId },
      data: { provenAt: wall.now() },
    });
    await call(admin, 'memberInvite', { email: 'late@people.test', role: 'member' }, 'id');
    expect(notifications).toHaveLength(2);
  });

  test('can be canceled by its ID, but not by another organization', async () => {
    const { admin } = await organization();
    const { id } = await call(admin, 'memberInvite', { email: 'gone@people.test', role: 'member' }, 'id');
    expect(await rejected((await organization()).owner, 'memberInvitationCancel', { id }, 'deletedId')).toBe(
      'not_found',
    );
    await call(admin, 'memberInvitationCancel', { id }, 'deletedId');
    expect(await rejected(admin, 'memberInvitationCancel', { id }, 'deletedId')).toBe('not_found');
    const token = notifications[0]?.text.split('/invitation/')[1]?.trim();
    expect(await rejected(await enter(t), 'memberInvitationAccept', { token }, 'role')).toBe('not_found');
  });

  test('can grant the roles admin and member, but not owner', async () => {
    const { owner } = await organization();
    expect(await rejected(owner, 'memberInvite', { email: 'o@people.test', role: 'owner' })).toBe(
      'validation_error',
    );
    expect(await rejected(owner, 'memberInvite', { email: 'nobody', role: 'member' })).toBe(
      'validation_error',
    );
  });
});

describe('a member role', () => {
  test("can be changed by the owner and by admins, except for the owner's own role", async () => {
    const { owner, admin, member } = await organization();
    expect(await call(admin, 'memberRoleSet', { id: member.memberId, role: 'admin' }, 'role')).toEqual({
      role: 'admin',
    });
    expect(await rejected(admin, 'memberRoleSet', { id: owner.memberId, role: 'member' })).toBe('forbidden');
    expect(await rejected(owner, 'memberRoleSet', { id: owner.memberId, role: 'member' })).toBe('forbidden');
    expect(await rejected(admin, 'memberRoleSet', { id: admin.memberId, role: 'owner' })).toBe('forbidden');
    expect(await rejected(admin, 'memberRemove', { id: owner.memberId }, 'deletedId')).toBe('forbidden');
    expect(await rejected(owner, 'memberRoleSet', { id: 'mem_none', role: 'admin' })).toBe('not_found');
  });

  test("is transferred immediately if it's the owner role, and concurrent transfers leave exactly one owner", async () => {
    const { owner, admin, member, organizationId } = await organization();
    const outcomes = await Promise.allSettled(
      [admin, member].map(({ memberId }) =>
        call(owner, 'memberRoleSet', { id: memberId, role: 'owner' }, 'role'),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const rows = await t.app.database.prisma.member.findMany({ where: { organizationId } });
    expect(rows.filter(({ role }) => role === 'owner')).toHaveLength(1);
    expect(rows.find(({ id }) => id === owner.memberId)?.role).toBe('admin');
  });

  test('gives no access after the member is removed', async () => {
    const { owner, member, organizationId } = await organization();
    await call(owner, 'memberRemove', { id: member.memberId }, 'deletedId');
    const { errors } = await t.graphqlFailure('{ members { email } }', {}, as(member));
    expect(errors[0]?.extensions['code']).toBe('unauthorized');
    expect(await t.app.database.prisma.member.count({ where: { organizationId } })).toBe(2);
  });
});

describe('claiming an organization', () => {
  const provision = async () =>
    (
      await t.rest<{ id: string; claimUrl: string; liveApiKey: string }>(
        'POST',
        '/provision',
        { name: 'Acme', country: 'US', businessType: 'software' },
        { key: null, headers: { 'idempotency-key': randomUUID() } },
      )
    ).body;
  const tokenOf = (url: string) => url.split('/').at(-1) ?? '';

  test('makes the signed-in user the owner, and keeps API keys valid (PLT-17)', async () => {
    const { id, claimUrl, liveApiKey } = await provision();
    const person = await enter(t);
    expect(
      await call(
        person,
        'organizationClaim',
        { token: tokenOf(claimUrl) },
        'organizationId organizationName role',
      ),
    ).toEqual({
      organizationId: id,
      organizationName: 'Acme',
      role: 'owner',
    });
    expect(await people(person)).toEqual([{ email: person.email, role: 'owner' }]);
    expect((await t.rest('GET', '/customers', undefined, { key: liveApiKey })).status).toBe(200);
    expect(await rejected(await enter(t), 'organizationClaim', { token: tokenOf(claimUrl) }, 'role')).toBe(
      'organization_already_claimed',
    );
    const again = await t.rest<{ error: { code: string } }>('POST', '/claim-link', undefined, {
      key: liveApiKey,
    });
    expect([again.status, again.body.error.code]).toEqual([409, 'organization_already_claimed']);
  });

  test('succeeds once for two concurrent requests', async () => {
    const { id, claimUrl } = await provision();
    const rivals = [await enter(t), await enter(t), await enter(t)];
    const outcomes = await Promise.allSettled(
      rivals.map((rival) => call(rival, 'organizationClaim', { token: tokenOf(claimUrl) }, 'role')),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        expect(String(outcome.reason)).toContain('organization_already_claimed');
    expect(await t.app.database.prisma.member.count({ where: { organizationId: id } })).toBe(1);
  });

  test('rejects an expired, replaced, or invalid link, and changes nothing', async () => {
    const { claimUrl, liveApiKey } = await provision();
    const person = await enter(t);
    wall.set('2027-03-08T12:00:00.000Z');
    expect(await rejected(person, 'organizationClaim', { token: tokenOf(claimUrl) }, 'role')).toBe(
      'claim_not_pending',
    );
    await t.rest('POST', '/claim-link', undefined, { key: liveApiKey });
    expect(await rejected(person, 'organizationClaim', { token: tokenOf(claimUrl) }, 'role')).toBe(
      'claim_not_pending',
    );
    expect(await rejected(person, 'organizationClaim', { token: 'x'.repeat(200) }, 'role')).toBe(
      'claim_not_pending',
    );
  });
});

describe('organizationCreate', () => {
  const wish = { name: 'Ada & Co', country: 'GB', businessType: 'software' };
  const shown = 'organizationId organizationName role';
  const counts = async () => ({
    organizations: await t.app.database.prisma.organization.count(),
    members: await t.app.database.prisma.member.count(),
    environments: await t.app.database.prisma.environment.count(),
  });
  type Counts = Awaited<ReturnType<typeof counts>>;
  /** Returns the counts after this many organizations are added. */
  const withOrganizations = ({ organizations, members, environments }: Counts, made: number): Counts => ({
    organizations: organizations + made,
    members: members + made,
    environments: environments + 2 * made,
  });

  test('creates an organization with both environments, in which the owner can create API keys', async () => {
    const person = await enter(t);
    const before = await counts();
    const { organizationId, ...made } = await call(person, 'organizationCreate', wish, shown);
    expect(made).toEqual({ organizationName: 'Ada & Co', role: 'owner' });
    expect(await counts()).toEqual(withOrganizations(before, 1));
    for (const environment of ['live', 'sandbox']) {
      const headers = as(person, {
        'x-environment': environment,
        'x-organization': String(organizationId),
      });
      const data = await t.graphql('{ organization { id name country businessType livemode } }', {}, headers);
      expect(data['organization']).toEqual({ id: organizationId, ...wish, livemode: environment === 'live' });
    }
    const { apiKeyCreate } = await t.graphql<{ apiKeyCreate: { apiKey: string } }>(
      'mutation { apiKeyCreate(input: { name: "First" }) { apiKey } }',
      {},
      as(person, { 'x-environment': 'live' }),
    );
    const link = await t.rest<{ error: { code: string } }>('POST', '/claim-link', undefined, {
      key: apiKeyCreate.apiKey,
    });
    expect([link.status, link.body.error.code]).toEqual([409, 'organization_already_claimed']);
  });

  test('requires a signed-in user and a name, and is limited to 20 organizations per user', async () => {
    const person = await enter(t);
    const before = await counts();
    const wrong = [{ name: '' }, { name: 'n'.repeat(201) }, { name: 'Ada', country: 'gb' }];
    for (const input of wrong)
      expect(await rejected(person, 'organizationCreate', input, 'role')).toBe('validation_error');
    for (const options of [{ key: t.sandboxKey }, { key: null }])
      expect(
        (await rejection(t, 'mutation { organizationCreate(input: { name: "Ada" }) { role } }', {}, options))
          .code,
      ).toBe('unauthorized');
    expect(await counts()).toEqual(before);
    const made = await Promise.allSettled(
      Array.from({ length: 22 }, () => call(person, 'organizationCreate', { name: 'Ada' }, 'role')),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    expect(await counts()).toEqual(withOrganizations(before, 20));
  });

  test('is forbidden if provisioning is turned off', async () => {
    const off = await startApp({ env: { PROVISIONING: 'off' } });
    try {
      const person = await enter(off);
      const before = await off.app.database.prisma.organization.count();
      const { code } = await rejection(
        off,
        'mutation { organizationCreate(input: { name: "Ada" }) { role } }',
        {},
        as(person),
      );
      expect([code, await off.app.database.prisma.organization.count()]).toEqual(['forbidden', before]);
    } finally {
      await off.close();
    }
  });
});

test("a member's request headers determine the environment and the organization", async () => {
  const { owner, organizationId } = await organization();
  const other = await organization();
  await t.app.database.prisma.member.create({
    data: {
      id: `mem_${randomUUID()}`,
      organizationId: other.organizationId,
      userId: owner.userId,
      role: 'member',
      createdAt: new Date('2028-01-01'),
    },
  });
  const read = (more: Record<string, string>) =>
    t.graphql<{ organization: unknown }>(
      '{ organization { id livemode } }',
      {},
      { key: null, headers: { ...owner.headers, ...more } },
    );
  expect((await read({})).organization).toEqual({ id: organizationId, livemode: false });
  expect((await read({ 'x-environment': 'live' })).organization).toEqual({
    id: organizationId,
    livemode: true,
  });
  expect((await read({ 'x-organization': other.organizationId })).organization).toEqual({
    id: other.organizationId,
    livemode: false,
  });
  const { errors } = await t.graphqlFailure(
    '{ viewer { email } }',
    {},
    { key: null, headers: { ...owner.headers, 'x-environment': 'test' } },
  );
  expect(errors[0]?.extensions).toMatchObject({ code: 'validation_error', param: 'x-environment' });
});
