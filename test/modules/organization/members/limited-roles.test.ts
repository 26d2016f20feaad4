import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LimitedRole, limitedRoles } from '../../../../src/domain/limits/member-roles.ts';
import {
  createActiveSubscription,
  firstShop,
  latestTransaction,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { memberOf, type Session } from '../../../support/people.ts';

// Members with the roles read_only, support, and finance (PLT-6). The access table contains the access of these roles to each operation.

type Body = {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
};

let t: TestApp;
let shop: Shop;
let people: Readonly<Record<LimitedRole | 'admin' | 'owner', Session & { readonly memberId: string }>>;

beforeAll(async () => {
  t = await startApp({ env: { SIGN_INS_PER_MINUTE: '0' } });
  shop = firstShop(t);
  const of = (role: LimitedRole | 'admin' | 'owner') => memberOf(t, t.organizationId, role);
  people = {
    read_only: await of('read_only'),
    support: await of('support'),
    finance: await of('finance'),
    admin: await of('admin'),
    owner: await of('owner'),
  };
});
afterAll(() => t.close());

async function send(
  session: Session,
  query: string,
  variables: object = {},
  environment: 'sandbox' | 'live' = 'sandbox',
): Promise<Body> {
  const response = await fetch(`${t.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...session.headers, 'x-environment': environment },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as Body;
}

const codeOf = async (...call: Parameters<typeof send>): Promise<string> =>
  (await send(...call)).errors?.[0]?.extensions.code ?? 'ok';

/** Returns the result of a call by each limited role. */
async function byRole(query: string, variables: object = {}): Promise<Record<string, string>> {
  const codes = [];
  for (const role of limitedRoles) codes.push([role, await codeOf(people[role], query, variables)]);
  return Object.fromEntries(codes);
}

describe('a limited role', () => {
  test.each([
    ['customers', '{ customers { nodes { id } } }', 'ok', 'ok', 'ok'],
    ['metrics', '{ metricsHeadline { currency } }', 'ok', 'ok', 'ok'],
    ['payouts', '{ payouts { nodes { id } } }', 'ok', 'forbidden', 'ok'],
    ['API keys', '{ apiKeys { nodes { id } } }', 'forbidden', 'forbidden', 'forbidden'],
    ['members', '{ members { id } }', 'forbidden', 'forbidden', 'forbidden'],
    ['its own views', '{ savedViews(list: "customers") { id } }', 'ok', 'ok', 'ok'],
  ] as const)('reads %s', async (_, query, readOnly, support, finance) => {
    expect(await byRole(query)).toEqual({ read_only: readOnly, support, finance });
  });

  test('refunds a payment only if the role is finance, and a rejected refund changes nothing', async () => {
    const { id } = await createActiveSubscription(shop);
    const transactionId = await latestTransaction(shop, id);
    const refund = 'mutation ($i: TransactionRefundInput!) { transactionRefund(input: $i) { amount } }';
    const variables = { i: { id: transactionId, amount: 100 } };
    const refundsOf = async () =>
      t.graphql('query ($id: ID!) { transaction(id: $id) { refundedAmount } }', { id: transactionId });
    expect(await codeOf(people.read_only, refund, variables)).toBe('forbidden');
    expect(await codeOf(people.support, refund, variables)).toBe('forbidden');
    expect(await refundsOf()).toEqual({ transaction: { refundedAmount: 0 } });
    expect(await send(people.finance, refund, variables)).toEqual({
      data: { transactionRefund: { amount: 100 } },
    });
    expect(await refundsOf()).toEqual({ transaction: { refundedAmount: 100 } });
  });

  test('creates customers only if the role is support', async () => {
    const create = 'mutation ($i: CustomerCreateInput!) { customerCreate(input: $i) { email } }';
    const variables = { i: { email: 'grace@people.test' } };
    for (const role of ['read_only', 'finance'] as const)
      expect(await codeOf(people[role], create, variables)).toBe('forbidden');
    expect(await send(people.support, create, variables)).toEqual({
      data: { customerCreate: { email: 'grace@people.test' } },
    });
  });

  test('gets an error that names the role', async () => {
    const create = 'mutation ($i: FeatureCreateInput!) { featureCreate(input: $i) { id } }';
    const { data, errors } = await send(people.support, create, {
      i: { code: 'exports', name: 'Exports', type: 'boolean' },
    });
    expect([data, errors?.map(({ message }) => message)]).toEqual([
      { featureCreate: null },
      ['The role support has no access to this. An owner or admin of the organization can change your role.'],
    ]);
  });

  test('knows the mutations that it can call', async () => {
    const own = async (role: keyof typeof people): Promise<readonly string[] | null> => {
      const { data } = await send(people[role], '{ memberships { mutations } }');
      const memberships = data?.['memberships'] as
        | readonly { readonly mutations: readonly string[] | null }[]
        | undefined;
      return memberships?.[0]?.mutations ?? null;
    };
    const [readOnly, support, finance] = [await own('read_only'), await own('support'), await own('finance')];
    expect(await own('admin')).toBeNull();
    expect(readOnly).not.toContain('customerCreate');
    expect(readOnly).toContain('savedViewSave');
    expect([support?.includes('customerCreate'), support?.includes('transactionRefund')]).toEqual([
      true,
      false,
    ]);
    expect([finance?.includes('customerCreate'), finance?.includes('payoutCreate')]).toEqual([false, true]);
  });
});

describe('the role of a member', () => {
  const set = 'mutation ($i: MemberRoleSetInput!) { memberRoleSet(input: $i) { role } }';
  const roleOf = async (id: string) =>
    (await t.app.database.prisma.member.findUnique({ where: { id } }))?.role;

  test("can't be raised by a member with a limited role", async () => {
    for (const role of limitedRoles) {
      const { memberId } = people[role];
      const input = { i: { id: memberId, role: 'admin' } };
      expect(await codeOf(people[role], set, input, 'live')).toBe('forbidden');
      expect(await roleOf(memberId)).toBe(role);
    }
  });

  test('can be changed to a limited role by an admin, and applies to the next request', async () => {
    const member = await memberOf(t, t.organizationId, 'member');
    const create = 'mutation ($i: CustomerCreateInput!) { customerCreate(input: $i) { email } }';
    const input = { i: { id: member.memberId, role: 'read_only' } };
    expect(await send(people.admin, set, input, 'live')).toEqual({
      data: { memberRoleSet: { role: 'read_only' } },
    });
    expect(await codeOf(member, create, { i: { email: 'mary@people.test' } })).toBe('forbidden');
  });

  test("can't be changed if the member is the owner", async () => {
    const { memberId } = people.owner;
    expect(await codeOf(people.admin, set, { i: { id: memberId, role: 'read_only' } }, 'live')).toBe(
      'forbidden',
    );
    expect(await roleOf(memberId)).toBe('owner');
  });

  test('can be chosen in an invitation', async () => {
    const invite = 'mutation ($i: MemberInviteInput!) { memberInvite(input: $i) { email role } }';
    const input = { i: { email: 'joan@people.test', role: 'finance' } };
    expect(await send(people.admin, invite, input, 'live')).toEqual({
      data: { memberInvite: { email: 'joan@people.test', role: 'finance' } },
    });
  });
});
