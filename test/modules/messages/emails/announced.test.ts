import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MovableClock } from '../../../support/billing-world.ts';
import { watchChanges } from '../../../support/changes.ts';
import { eventually } from '../../../support/eventually.ts';
import { cards, otherShop, type Shop, setCurrency } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { type MailServer, startMailServer } from '../../../support/mail-server.ts';
import { rejection } from '../../../support/refusals.ts';
import { Story } from '../../../support/story.ts';

// Emails that announce a charge with its amount and date, and contain a cancellation link.

let mail: MailServer;
let t: TestApp;
let shop: Shop;
let wall: MovableClock;

beforeAll(async () => {
  mail = await startMailServer();
  wall = new MovableClock('2027-01-01T00:00:00Z');
  t = await startApp({
    wall,
    env: { SMTP_URL: mail.url, SANDBOX_EMAILS: 'all', PUBLIC_URL: 'https://bill.test' },
  });
});
afterAll(async () => {
  await t.close();
  await mail.close();
});
beforeEach(async () => {
  shop = await otherShop(t, 'Quarry');
  mail.notifications.length = 0;
});

type Listed = { kind: string; status: string; recipient: string; error: string | null };
const list = async (): Promise<Listed[]> => {
  const query = '{ emails(first: 100) { edges { node { kind status recipient error } } } }';
  const { emails } = await t.graphql<{ emails: { edges: { node: Listed }[] } }>(query, {}, { key: shop.key });
  return emails.edges.map(({ node }) => node).toReversed();
};
/** Waits until an email of each type has been sent. */
const sent = (...kinds: readonly string[]): Promise<Listed[]> =>
  eventually(list, (notifications) =>
    kinds.every((kind) => notifications.some((one) => one.kind === kind && one.status === 'sent')),
  );

describe('an upcoming charge', () => {
  const register =
    'mutation ($input: TaxRegistrationCreateInput!) { taxRegistrationCreate(input: $input) { id } }';
  const address = { line1: '1', city: 'Berlin', postalCode: '1', country: 'DE' };
  /** Creates a customer in Germany on a plan for 34.00 US dollars or 31.28 euros, with a 10-day trial. */
  async function trialing(): Promise<Story> {
    const story = new Story(shop);
    await story.on('2027-06-03');
    await t.settings({ country: 'DE' }, story.shop.environmentId);
    await story.ask(register, { input: { country: 'DE' } });
    const plan = await story.sell('pro', {
      price: { billingInterval: 'monthly', price: 3_400, trialDays: 10 },
    });
    await setCurrency(shop, plan.id, 'eur', 0.92);
    const ada = await story.subscribe('ada', 'pro', {}, { address });
    await sent('checkout');
    expect(await story.pay(ada)).toBe('paid');
    return story;
  }
  const textOf = (subject: string): string =>
    (
      mail.notifications.find((notification) => notification.subject?.includes(subject))?.text ?? ''
    ).replaceAll('\u00a0', ' ');
  const linkIn = (text: string): string => /https:\/\/bill\.test(\/manage\/\S+)/.exec(text)?.[1] ?? '';
  const follow = (path: string, method = 'GET') => fetch(`${t.url}${path}`, { method, redirect: 'manual' });

  test("is announced after a declined charge, with the dates of the next payment retry and of the subscription's end", async () => {
    const story = new Story(shop);
    await story.on('2027-01-31');
    await story.sell('pro', { price: { billingInterval: 'monthly', price: 3_400 } });
    await story.active('ada', 'pro', cards.declinesLater);
    await story.on('2027-02-28T12:00:00Z');
    await sent('payment_failed');
    const text = textOf("didn't go through");
    expect(text).toContain(
      "We'll try to charge your card again on March 1, 2027. To keep your subscription, pay before March 7, 2027.",
    );
    expect(text).toContain('Amount: $34.00\n');
    expect(text).toMatch(
      /Pay now:\nhttps:\/\/bill\.test\/recover\/\S+\n\nManage or cancel your subscription:\nhttps:\/\/bill\.test\/manage\/\S+\n/,
    );
  });

  test('is announced before the end of a trial, with the amount, tax, and currency that are later charged', async () => {
    const story = await trialing();
    // 31.28 euros plus 19% is 37.22.
    expect(textOf('Start your')).toContain(
      "After the trial, you'll be charged €37.22, tax included, every month until you cancel.",
    );
    await story.on('2027-06-10');
    await sent('trial_ending');
    const text = textOf('ends soon');
    expect(text).toContain(
      "You'll be charged €37.22, tax included, on June 13, 2027 unless you cancel before then. Your subscription renews every month",
    );
    expect(text).toContain('Amount: €37.22\n');
    await story.news();
    await story.on('2027-06-14');
    expect((await story.news()).documents).toEqual([
      'INV-0001 recurring paid 2027-06-13..2027-07-13 3722 eur = plan_base 3128 + tax 594',
    ]);
  });

  test("can be avoided by canceling through the email's link, which works for a month unless the customer's email address changes", async () => {
    const story = await trialing();
    await story.on('2027-06-10');
    await sent('trial_ending');
    const path = linkIn(textOf('ends soon'));
    wall.set(new Date(wall.now().getTime() + 5 * 86_400_000).toISOString());
    expect((await follow(path, 'HEAD')).status).toBe(200);
    const changes = await watchChanges(t.app.database.query);
    const asked = await follow(path);
    expect([asked.status, asked.headers.get('cache-control'), asked.headers.get('location')]).toEqual([
      200,
      'no-store',
      null,
    ]);
    expect(asked.headers.get('content-security-policy')).toContain("; form-action 'self';");
    expect(await asked.text()).toContain('<button type="submit">Email me a link</button>');
    // Opening the link neither sends an email nor starts a session (PLT-116).
    expect(await changes()).toEqual([]);
    expect((await follow(path, 'POST')).status).toBe(200);
    const fresh = () =>
      eventually(
        () => Promise.resolve(linkIn(textOf('Your sign-in link for'))),
        (link) => link !== '',
      );
    const entry = await fresh();
    expect(entry).not.toBe(path);
    expect((await follow(entry, 'POST')).status).toBe(404);
    const first = await follow(entry);
    expect([first.status, first.headers.get('cache-control')]).toEqual([303, 'no-store']);
    const location = first.headers.get('location') ?? '';
    expect(location).toMatch(/^https:\/\/bill\.test\/portal\/\S+$/);
    // Concurrent requests with the link share one session. A later request starts another session.
    expect((await follow(entry)).headers.get('location')).toBe(location);
    wall.set(new Date(wall.now().getTime() + 60_000).toISOString());
    expect((await follow(entry)).headers.get('location')).not.toBe(location);
    for (let count = 0; count < 4; count += 1) expect((await follow(path, 'POST')).status).toBe(200);
    expect((await follow(path, 'POST')).status).toBe(429);
    const input = { token: location.split('/').at(-1) };
    const cancel =
      'mutation ($input: PortalSubscriptionCancelInput!) { portalSubscriptionCancel(input: $input) { cancellation { effectiveAt } } }';
    expect(await t.graphql(cancel, { input }, { key: null })).toEqual({
      portalSubscriptionCancel: { cancellation: { effectiveAt: '2027-06-13T00:00:00.000Z' } },
    });
    await story.do('PATCH', '/customers/ada', { email: 'new@story.test' });
    expect((await follow(path)).status).toBe(404);
    await story.do('PATCH', '/customers/ada', { email: 'ada@story.test' });
    expect([(await follow(path)).status, (await follow(entry)).status]).toEqual([200, 303]);
    wall.set(new Date(wall.now().getTime() + 3_600_000).toISOString());
    expect([(await follow(path)).status, (await follow(entry)).status]).toEqual([200, 410]);
    wall.set(new Date(wall.now().getTime() + 25 * 86_400_000).toISOString());
    expect((await follow(path)).status).toBe(410);
    expect((await follow(`${path.slice(0, -4)}AAAA`)).status).toBe(404);
    expect((await follow('/manage/none')).status).toBe(404);
    // A link for another page doesn't open a portal, and a portal link doesn't open another page.
    const { token } = await story.subscribe('bo', 'pro');
    // The next check compares all rows, so all emails must be finished.
    await eventually(list, (emails) => emails.filter(({ kind }) => kind === 'checkout').length === 2);
    await eventually(list, (emails) =>
      emails.every(({ status }) => status !== 'pending' && status !== 'sending'),
    );
    expect((await follow(`/manage/${token}`)).status).toBe(404);
    const portal = 'query ($token: String!) { portal(token: $token) { customer { email } } }';
    expect(await rejection(t, portal, { token: path.split('/').at(-1) }, { key: null })).toMatchObject({
      code: 'unauthorized',
    });
  });

  test("isn't announced after a cancellation, or after the trial has ended", async () => {
    const story = await trialing();
    const { data } = await story.do<{ data: { id: string }[] }>('GET', '/subscriptions?customerId=ada');
    await story.do('POST', `/subscriptions/${data[0]?.id}/cancel`, {});
    await story.on('2027-06-10');
    await sent('trial_ending');
    expect(textOf('ends soon')).toContain("Your subscription ends with the trial. You won't be charged.");
    expect(textOf('ends soon')).not.toContain('Amount');
    await story.subscribe('bo', 'pro', {}, { address }).then((bo) => story.pay(bo));
    await story.on('2027-06-30');
    const tooLate = ({ kind, recipient }: Listed): boolean =>
      kind === 'trial_ending' && recipient === 'bo@story.test';
    const notifications = await eventually(list, (all) =>
      all.some((one) => tooLate(one) && one.status === 'canceled'),
    );
    expect(notifications.find(tooLate)?.error).toBe('The free trial ended before the email was sent.');
  });
});
