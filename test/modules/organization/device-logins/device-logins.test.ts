import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keyPreset } from '../../../../src/domain/limits/key-presets.ts';
import { type Area, areas } from '../../../../src/domain/limits/permissions.ts';
import { keyPresetNames } from '../../../../src/domain/limits/preset-scopes.ts';
import { findArea, operationNames } from '../../../../src/graphql/declare/areas.ts';
import { schema } from '../../../../src/schema.ts';
import { removeOld } from '../../../../src/worker/retention.ts';
import { MovableClock } from '../../../support/billing-world.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { memberOf, type Session } from '../../../support/people.ts';

// Sign-in of a command line with the approval of a member (AGT-40).

const began = '2027-03-01T12:00:00.000Z';
const wall = new MovableClock(began);
let t: TestApp;
let admin: Session & { readonly memberId: string };

beforeAll(async () => {
  t = await startApp({
    env: {
      SIGN_INS_PER_MINUTE: '0',
      PUBLIC_URL: 'https://billing.test/quittance',
      REQUEST_LOG_DAYS: '7',
      REQUEST_LOG_PER_MINUTE: '1000',
    },
    wall,
  });
});
afterAll(() => t.close());
beforeEach(async () => {
  wall.set(began);
  admin = await memberOf(t, t.organizationId, 'admin');
});

type Codes = { readonly deviceCode: string; readonly userCode: string; readonly verificationUrl: string };
type Key = {
  readonly id: string;
  readonly apiKey: string;
  readonly expiresAt: string;
  readonly livemode: boolean;
};
type Result = { readonly status: string; readonly key: Key | null };

const nobody = { key: null };
const as = ({ headers }: Session, environment: 'sandbox' | 'live' = 'sandbox') => ({
  key: null,
  headers: { ...headers, 'x-organization': t.organizationId, 'x-environment': environment },
});

async function start(machineName = 'ada-laptop'): Promise<Codes> {
  const { deviceLoginStart } = await t.graphql<{ deviceLoginStart: Codes }>(
    'mutation ($input: DeviceLoginStartInput!) { deviceLoginStart(input: $input) { deviceCode userCode verificationUrl expiresInSeconds intervalSeconds } }',
    { input: { machineName } },
    nobody,
  );
  return deviceLoginStart;
}

/** Asks for the API key after the announced interval. */
async function poll({ deviceCode }: Codes, waitsMs = 2_000): Promise<Result> {
  wall.set(new Date(wall.now().getTime() + waitsMs).toISOString());
  const { deviceLoginComplete } = await t.graphql<{ deviceLoginComplete: Result }>(
    'mutation ($input: DeviceLoginCompleteInput!) { deviceLoginComplete(input: $input) { status key { id apiKey name expiresAt organizationId organizationName livemode } } }',
    { input: { deviceCode } },
    nobody,
  );
  return deviceLoginComplete;
}

const approveText =
  'mutation ($input: DeviceLoginApproveInput!) { deviceLoginApprove(input: $input) { machineName apiKeyExpiresInDays } }';
const approve = ({ userCode }: Codes, session: Session = admin, preset = 'builder') =>
  t.graphql(approveText, { input: { userCode, preset } }, as(session));

const denyText =
  'mutation ($input: DeviceLoginDenyInput!) { deviceLoginDeny(input: $input) { machineName } }';
const readText = 'query ($userCode: String!) { deviceLogin(userCode: $userCode) { machineName } }';

const failure = async (
  text: string,
  variables: Record<string, unknown>,
  options: { key: string | null; headers?: Record<string, string> },
): Promise<unknown> => (await t.graphqlFailure(text, variables, options)).errors[0]?.extensions?.['code'];

const keys = () => t.app.database.prisma.apiKeyHash.count();

/** Checks that `work` creates no API key. */
async function withoutKey(work: () => Promise<unknown>): Promise<void> {
  const before = await keys();
  await work();
  expect(await keys()).toBe(before);
}

describe('the sign-in of a command line', () => {
  test('delivers one key with the name of the machine, the preset, and 90 days, after the approval', async () => {
    const before = await keys();
    const codes = await start();
    expect(codes).toMatchObject({
      userCode: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/) as string,
      verificationUrl: `https://billing.test/quittance/dashboard/sandbox/device?user_code=${codes.userCode}`,
      expiresInSeconds: 600,
    });
    expect(await poll(codes)).toEqual({ status: 'pending', key: null });
    const entered = codes.userCode.toLowerCase().replace('-', ' ');
    expect(await t.graphql(readText, { userCode: entered }, as(admin))).toEqual({
      deviceLogin: { machineName: 'ada-laptop' },
    });
    expect(await poll(codes)).toEqual({ status: 'pending', key: null });
    expect(await approve(codes, admin, 'metering')).toEqual({
      deviceLoginApprove: { machineName: 'ada-laptop', apiKeyExpiresInDays: 90 },
    });
    // The key doesn't exist until the command line asks for it.
    expect(await keys()).toBe(before);
    const { status, key } = await poll(codes);
    expect(status).toBe('approved');
    expect(key).toMatchObject({
      name: 'ada-laptop',
      expiresAt: '2027-05-30T12:00:06.000Z',
      organizationId: t.organizationId,
      livemode: false,
    });
    expect(await keys()).toBe(before + 1);
    expect(await poll(codes)).toEqual({ status: 'expired', key: null });
    expect(await keys()).toBe(before + 1);
    const { status: tracked } = await t.rest('GET', '/features', undefined, { key: key?.apiKey ?? '' });
    expect(tracked).toBe(403);
    const [stored] = await t.app.database.prisma.apiKey.findMany({ where: { id: key?.id ?? '' } });
    expect(stored).toMatchObject({
      scopes: ['read', 'write'],
      policy: { operations: { allow: expect.any(Array) as [] } },
    });
  });

  test('stores neither code, and deletes expired sign-ins', async () => {
    const codes = await start();
    const rows = JSON.stringify(await t.app.database.prisma.deviceLogin.findMany());
    expect(rows).not.toContain(codes.deviceCode);
    expect(rows).not.toContain(codes.userCode.slice(0, 4));
    wall.set('2027-03-01T12:10:00.001Z');
    await removeOld(t.app, 'deviceLogins');
    expect(await t.app.database.prisma.deviceLogin.count()).toBe(0);
  });

  test('creates one key for concurrent approvals and concurrent requests', async () => {
    const codes = await start();
    const second = await memberOf(t, t.organizationId, 'owner').catch(() =>
      memberOf(t, t.organizationId, 'admin'),
    );
    const attempts = await Promise.allSettled([approve(codes), approve(codes, second), approve(codes)]);
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const before = await keys();
    wall.set('2027-03-01T12:00:10.000Z');
    const results = await Promise.all([0, 0, 0, 0].map((waits) => poll(codes, waits)));
    expect(results.filter(({ key }) => key !== null)).toHaveLength(1);
    expect(await keys()).toBe(before + 1);
  });

  test('slows down a command line that asks too fast', async () => {
    const codes = await start();
    expect((await poll(codes)).status).toBe('pending');
    await approve(codes);
    await withoutKey(async () => expect(await poll(codes, 1_000)).toEqual({ status: 'too_fast', key: null }));
    expect((await poll(codes, 1_000)).status).toBe('approved');
  });
});

describe('a sign-in without a key', () => {
  test('results from a denial', () =>
    withoutKey(async () => {
      const codes = await start();
      await t.graphql(denyText, { input: { userCode: codes.userCode } }, as(admin));
      expect(await poll(codes)).toEqual({ status: 'denied', key: null });
      await expect(approve(codes)).rejects.toThrow();
      expect(await poll(codes)).toEqual({ status: 'denied', key: null });
    }));

  test('results from a code that is 10 minutes old, even if a member approved it in time', () =>
    withoutKey(async () => {
      const [pending, approved] = [await start(), await start()];
      await approve(approved);
      wall.set('2027-03-01T12:10:00.000Z');
      expect(
        await failure(approveText, { input: { userCode: pending.userCode, preset: 'reader' } }, as(admin)),
      ).toBe('not_found');
      expect((await poll(pending)).status).toBe('expired');
      expect((await poll(approved)).status).toBe('expired');
    }));

  test('results from decisions of members, API keys, and visitors, who learn nothing about the code', () =>
    withoutKey(async () => {
      const codes = await start();
      const member = await memberOf(t, t.organizationId, 'member');
      const input = { userCode: codes.userCode };
      const callers = [
        ['forbidden', as(member)],
        ['unauthorized', { key: t.sandboxKey }],
        ['unauthorized', nobody],
      ] as const;
      for (const [code, options] of callers) {
        expect(await failure(readText, input, options)).toBe(code);
        expect(await failure(approveText, { input: { ...input, preset: 'reader' } }, options)).toBe(code);
        expect(await failure(denyText, { input }, options)).toBe(code);
      }
      expect((await poll(codes)).status).toBe('pending');
    }));

  test('results from an approval in the live environment without a recent sign-in, or with a preset of the sandbox', () =>
    withoutKey(async () => {
      const codes = await start();
      const input = { userCode: codes.userCode, preset: 'builder' };
      expect(await failure(approveText, { input }, as(admin, 'live'))).toBe('sandbox_only');
      wall.set('2027-03-01T12:05:00.000Z');
      await t.app.database.prisma.session.updateMany({
        where: { userId: admin.userId },
        data: { provenAt: new Date('2027-03-01T11:49:00.000Z') },
      });
      const reader = { ...input, preset: 'reader' };
      expect(await failure(approveText, { input: reader }, as(admin, 'live'))).toBe(
        'reauthentication_required',
      );
      expect((await poll(codes)).status).toBe('pending');
    }));

  test('results from removing or demoting the member who approved it', () =>
    withoutKey(async () => {
      for (const change of ['removed', 'demoted']) {
        const approver = await memberOf(t, t.organizationId, 'admin');
        const codes = await start();
        await approve(codes, approver);
        const { member } = t.app.database.prisma;
        const byId = { where: { id: approver.memberId } };
        await (change === 'removed'
          ? member.delete(byId)
          : member.update({ ...byId, data: { role: 'member' } }));
        expect(await poll(codes)).toEqual({ status: 'denied', key: null });
      }
    }));

  test('results from guesses, because a person can enter 30 codes in 10 minutes', () =>
    withoutKey(async () => {
      const codes = await start();
      for (let index = 0; index < 30; index++)
        expect(await failure(readText, { userCode: 'BBBB-BBBB' }, as(admin))).toBe('not_found');
      const input = { userCode: codes.userCode, preset: 'reader' };
      expect(await failure(readText, { userCode: codes.userCode }, as(admin))).toBe('rate_limited');
      expect(await failure(approveText, { input }, as(admin))).toBe('rate_limited');
      expect((await poll(codes)).status).toBe('pending');
    }));
});

test('new sign-ins are limited by IP address', async () => {
  const limited = await startApp({ env: { SIGN_INS_PER_MINUTE: '2' } });
  try {
    const text = 'mutation { deviceLoginStart(input: { machineName: "ada-laptop" }) { userCode } }';
    for (let index = 0; index < 2; index++) await limited.graphql(text, {}, nobody);
    const { errors } = await limited.graphqlFailure(text, {}, nobody);
    expect(errors[0]?.extensions?.['code']).toBe('rate_limited');
    expect(await limited.app.database.prisma.deviceLogin.count()).toBe(2);
  } finally {
    await limited.close();
  }
});

test('the request log contains the approval by the member, but no code and no key', async () => {
  const codes = await start('logged-machine');
  await approve(codes, admin, 'reader');
  const { key } = await poll(codes);
  await t.app.requestLog.flush();
  const { database } = t.app;
  const records = await database.prisma.requestRecord.findMany({ where: { callerId: admin.memberId } });
  expect(records.map(({ operation }) => operation)).toEqual(['deviceLoginApprove']);
  const { body: entry } = await t.rest('GET', `/request-log/${records[0]?.id}`);
  expect(entry).toMatchObject({ requestBody: expect.stringContaining('reader') as string });
  const rows = await database.query('SELECT row_to_json(r)::text AS text FROM "RequestRecord" r');
  const text = JSON.stringify([rows, entry]);
  for (const secret of [codes.userCode, codes.deviceCode, key?.apiKey ?? '-'])
    expect(text).not.toContain(secret);
});

describe('presets', () => {
  const known = operationNames(schema);
  const redirecting =
    /^(payoutBankAccountAdd|payoutCreate|paymentRouteSet|connectedAccount|webhook|apiKey|organization|member)/;

  test.each(keyPresetNames)('%s names existing operations', (name) => {
    for (const livemode of [true, false]) {
      const operations = keyPreset(name, livemode)?.policy?.operations;
      const allowed = operations != null && 'allow' in operations ? operations.allow : [];
      expect(allowed.filter((each) => !known.has(each) && !areas.includes(each as Area))).toEqual([]);
    }
  });

  test.each(keyPresetNames)('%s redirects no money and no data in the live environment (AGT-73)', (name) => {
    const preset = keyPreset(name, true);
    expect(preset === null).toBe(name === 'builder');
    if (preset === null) return;
    expect(preset.scopes).not.toContain('keys');
    const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {});
    const operations = preset.policy?.operations;
    const allowed = mutations.filter(
      (each) =>
        preset.scopes.length > 1 &&
        operations != null &&
        'allow' in operations &&
        (operations.allow.includes(each) || operations.allow.includes(findArea(each) ?? '')),
    );
    expect(allowed.filter((each) => redirecting.test(each))).toEqual([]);
    if (preset.scopes.length > 1) expect(allowed.length).toBeGreaterThan(0);
  });
});
