import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MovableClock } from '../../../support/billing-world.ts';
import { watchChanges } from '../../../support/changes.ts';
import { eventually } from '../../../support/eventually.ts';
import { createAdjustment, type Shop, shopOf } from '../../../support/factories.ts';
import { newTenant, startApp, type TestApp } from '../../../support/harness.ts';
import { type MailServer, startMailServer } from '../../../support/mail-server.ts';
import { memberOf, type Session } from '../../../support/people.ts';
import { rejection } from '../../../support/refusals.ts';

// Restrictions on the recipients of emails sent through a mail server (PLT-114), and email limits (PLT-115). The tests use default
// settings, but lower limits.

let mail: MailServer;
let t: TestApp;
const wall = new MovableClock('2027-01-01T00:00:00Z');
const later = (minutes: number): void =>
  wall.set(new Date(Date.parse('2027-01-01T00:00:00Z') + minutes * 60_000).toISOString());

beforeAll(async () => {
  mail = await startMailServer();
  t = await startApp({
    wall,
    env: { SMTP_URL: mail.url, SANDBOX_EMAILS_PER_DAY: '4', PROVISIONED_EMAILS_PER_DAY: '3' },
  });
});
afterAll(async () => {
  await t.close();
  await mail.close();
});
beforeEach(() => {
  mail.notifications.length = 0;
  later(0);
});

type Listed = {
  status: string;
  recipient: string;
  attempts: number;
  error: string | null;
  text: string | null;
};
const list = async (key: string): Promise<Listed[]> =>
  (
    await t.graphql<{ emails: { nodes: Listed[] } }>(
      '{ emails(first: 100) { nodes { status recipient attempts error text } } }',
      {},
      { key },
    )
  ).emails.nodes.toReversed();
const settled = (key: string, statuses: readonly string[]): Promise<Listed[]> =>
  eventually(
    () => list(key),
    (found) => JSON.stringify(found.map(({ status }) => status)) === JSON.stringify(statuses),
  );

/** Issues an invoice to a customer, which sends an email. */
async function bill(shop: Shop, email: string): Promise<{ id: string; customerId: string }> {
  const { body } = await shop.rest<{ id: string }>('POST', '/customers', { email, fullName: 'Ada' });
  const { id: customerId } = body;
  const { id } = await createAdjustment(shop, { customerId, amount: 500, description: 'Help' });
  return { id, customerId };
}

const sending = 'mutation ($id: ID!) { invoiceSend(input: { id: $id }) { sent reason } }';
const send = (key: string, id: string) =>
  t.graphql<{ invoiceSend: { sent: boolean; reason: string | null } }>(sending, { id }, { key });

/** Creates a self-registered organization and returns its live shop. */
async function provisioned(name: string): Promise<{ live: Shop; organizationId: string }> {
  const { liveKey, liveId, organizationId } = await newTenant(t.app, name);
  await t.app.database.prisma.organization.update({
    where: { id: organizationId },
    data: { isProvisioned: true },
  });
  return { live: shopOf(t, liveKey, liveId), organizationId };
}

describe('the sandbox (PLT-114)', () => {
  test('sends emails to verified members up to the daily limit, and only stores emails to other recipients', async () => {
    const { sandboxKey, sandboxId, organizationId } = await newTenant(t.app, 'Quarry');
    const shop = shopOf(t, sandboxKey, sandboxId);
    const owner = await memberOf(t, organizationId, 'owner');
    const stranger = await bill(shop, 'stranger@corp.test');
    const [kept] = await settled(shop.key, ['kept']);
    expect(kept).toMatchObject({
      recipient: 'stranger@corp.test',
      attempts: 0,
      error: 'A sandbox sends emails only to verified members of the organization.',
    });
    expect(kept?.text).toContain('Quarry');
    const changes = await watchChanges(t.app.database.query);
    expect(await send(shop.key, stranger.id)).toEqual({ invoiceSend: { sent: false, reason: 'sandbox' } });
    expect([await changes(), mail.notifications.length]).toEqual([[], 0]);

    const own = await bill(shop, owner.email.toUpperCase());
    await settled(shop.key, ['kept', 'sent']);
    for (let count = 0; count < 3; count += 1)
      expect(await send(shop.key, own.id)).toEqual({ invoiceSend: { sent: true, reason: null } });
    expect((await rejection(t, sending, { id: own.id }, { key: shop.key })).code).toBe('rate_limited');
    await createAdjustment(shop, { customerId: own.customerId, amount: 700, description: 'More' });
    const ended = await settled(shop.key, ['kept', 'sent', 'kept']);
    expect(ended.at(-1)?.error).toBe('The sandbox has reached its email limit.');
    expect(mail.notifications.map(({ to }) => to?.[0]?.address?.toLowerCase())).toEqual(
      Array(4).fill(owner.email),
    );
  });
});

describe('the live environment', () => {
  test('sends no emails for an unverified organization until its owner has verified an email address', async () => {
    const { live, organizationId } = await provisioned('PayPal Security: https://evil.example/login');
    const invoice = await bill(live, 'stranger@corp.test');
    const [waiting] = await eventually(
      () => list(live.key),
      ([first]) => first?.error !== null && first?.error !== undefined,
    );
    expect(waiting).toMatchObject({
      status: 'pending',
      attempts: 0,
      error: 'The owner of the organization must verify an email address first.',
    });
    expect(await send(live.key, invoice.id)).toEqual({
      invoiceSend: { sent: false, reason: 'organization_unverified' },
    });
    expect(mail.notifications).toEqual([]);

    await memberOf(t, organizationId, 'owner');
    later(60);
    await settled(live.key, ['sent']);
    const [sent] = await mail.received(1);
    expect(JSON.stringify(sent)).not.toContain('evil.example');

    // The limit is three per day. Emails above the limit are delayed, not dropped.
    for (const name of ['b', 'c', 'd']) await bill(live, `${name}@corp.test`);
    const late = await eventually(
      () => list(live.key),
      (found) => found.filter(({ status }) => status === 'sent').length === 3 && found.at(-1)?.error !== null,
    );
    expect(late.at(-1)).toMatchObject({
      status: 'pending',
      attempts: 0,
      error:
        'The email limit of this address or organization has been reached. The email will be sent later.',
    });
    later(60 + 24 * 60);
    await settled(live.key, ['sent', 'sent', 'sent', 'sent']);
  });
});

describe('an invitation (PLT-115)', () => {
  const invite = 'mutation ($email: String!) { memberInvite(input: { email: $email, role: member }) { id } }';
  const takeBack = 'mutation ($id: ID!) { memberInvitationCancel(input: { id: $id }) { object } }';
  const as = (owner: Session, organizationId: string) => ({
    key: null,
    headers: { ...owner.headers, 'x-environment': 'live', 'x-organization': organizationId },
  });

  test('is limited to three per hour and five per day for an email address, across organizations', async () => {
    const email = 'stranger@corp.test';
    const owners = await Promise.all(
      ['One', 'Two'].map(async (name) => {
        const { organizationId: id } = await newTenant(t.app, name);
        return as(await memberOf(t, id, 'owner'), id);
      }),
    );
    const [one, two] = owners;
    if (one === undefined || two === undefined) throw new Error('There is no owner.');
    const again = async (owner: typeof one): Promise<string> => {
      const answer = await t
        .graphql<{ memberInvite: { id: string } }>(invite, { email }, owner)
        .catch(() => null);
      if (answer === null) return (await rejection(t, invite, { email }, owner)).code;
      await t.graphql(takeBack, { id: answer.memberInvite.id }, owner);
      return 'sent';
    };
    expect([await again(one), await again(one), await again(two)]).toEqual(['sent', 'sent', 'sent']);
    const invitations = () => t.app.database.prisma.memberInvitation.count({ where: { email } });
    expect([await again(two), await again(one), await invitations()]).toEqual([
      'rate_limited',
      'rate_limited',
      0,
    ]);
    later(60);
    await t.app.database.prisma.session.updateMany({ data: { provenAt: wall.now() } });
    expect([await again(one), await again(two), await again(two)]).toEqual(['sent', 'sent', 'rate_limited']);
    expect((await mail.received(5)).map(({ subject }) => subject)).toEqual([
      'Join One',
      'Join One',
      'Join Two',
      'Join One',
      'Join Two',
    ]);
  });

  test("omits the organization's name until its owner has verified an email address", async () => {
    const { organizationId } = await provisioned('PayPal Security: https://evil.example/login');
    const owner = await memberOf(t, organizationId, 'owner');
    await t.app.database.prisma.person.update({
      where: { id: owner.userId },
      data: { emailVerified: false },
    });
    await t.graphql(invite, { email: 'other@corp.test' }, as(owner, organizationId));
    const [sent] = await mail.received(1);
    expect(sent?.subject).toBe('Join an organization on Quittance');
    expect(JSON.stringify(sent)).not.toMatch(/PayPal|evil\.example/);
  });
});
