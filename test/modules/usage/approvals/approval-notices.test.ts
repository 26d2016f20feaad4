import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import {
  createActiveSubscription,
  firstShop,
  latestTransaction,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { type MailServer, startMailServer } from '../../../support/mail-server.ts';
import { memberOf } from '../../../support/people.ts';

type Email = {
  readonly recipient: string;
  readonly subject: string;
  readonly content: { readonly text: string };
};

let t: TestApp;
let shop: Shop;
let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
  t = await startApp({
    wall: { now: () => new Date('2027-01-01T00:00:00Z') },
    env: { SMTP_URL: mail.url, SANDBOX_EMAILS: 'all', PUBLIC_URL: 'https://bill.test' },
  });
  shop = firstShop(t);
});
afterAll(async () => {
  await t.close();
  await mail.close();
});

it('emails members who can decide at most once in 10 minutes, and needs attention until it is decided', async () => {
  const admin = await memberOf(t, t.organizationId, 'admin');
  const asAdmin = {
    key: null,
    headers: { ...admin.headers, 'x-organization': t.organizationId, 'x-environment': 'sandbox' },
  };
  const { body: key } = await t.rest<{ id: string; apiKey: string }>('POST', '/api-keys', { name: 'Agent' });
  await t.rest('PUT', `/api-keys/${key.id}/policy`, { approveAbove: 0 }, asAdmin);
  const ask = async (price: number): Promise<string> => {
    const { id } = await createActiveSubscription(shop, { price });
    const transaction = await latestTransaction(shop, id);
    const { body } = await t.rest<{ error: { details: { approvalId: string } } }>(
      'POST',
      `/transactions/${transaction}/refund`,
      undefined,
      { key: key.apiKey },
    );
    return body.error.details.approvalId;
  };
  const emails = () =>
    t.app.database.query<Email>(
      `SELECT recipient, subject, content FROM "EmailNotification" WHERE "environmentId" = $1 AND recipient = $2 ORDER BY seq`,
      [t.sandboxId, admin.email],
    );
  const waiting = async () =>
    (
      await t.graphql<{ attention: readonly { kind: string; count: { value: number } }[] }>(
        '{ attention { kind count { value } } }',
      )
    ).attention.find(({ kind }) => kind === 'approval_waiting')?.count.value;
  const [first, second, third] = [await ask(1_000), await ask(2_000), await ask(3_000)];
  expect(await waiting()).toBe(3);
  const sent = await eventually(emails, (rows) => rows.some(({ content }) => content.text.includes(third)));
  expect(sent.length).toBeLessThanOrEqual(2);
  expect(sent[0]?.subject).toContain('needs your approval');
  expect(sent.at(-1)?.content.text).toContain(`/dashboard/sandbox/approvals/${third}`);
  const decide = (id: string) =>
    t.graphql(
      'mutation ($id: ID!) { approvalDecide(input: { id: $id, decision: reject }) { id } }',
      { id },
      asAdmin,
    );
  await decide(first);
  await decide(second);
  expect(await waiting()).toBe(1);
  await decide(third);
  expect(await waiting()).toBeUndefined();
});
