import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemContext } from '../../../../src/request/context.ts';
import { inTransaction, recordEvents } from '../../../../src/request/transaction.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { type MailServer, startMailServer } from '../../../support/mail-server.ts';
import { memberOf } from '../../../support/people.ts';

let mail: MailServer;
let t: TestApp;
beforeAll(async () => {
  mail = await startMailServer();
  t = await startApp({ env: { SMTP_URL: mail.url, SANDBOX_EMAILS: 'all', PUBLIC_URL: 'https://bill.test' } });
});
afterAll(async () => {
  await t.close();
  await mail.close();
});

test.each([
  ['en', 'An app was connected to', 'The app Assistant was connected.', 'Connected by'],
  ['es', 'Se conectó una aplicación a', 'Se conectó la aplicación Assistant.', 'Conectada por'],
  ['pt_BR', 'Um aplicativo foi conectado a', 'O aplicativo Assistant foi conectado.', 'Conectado por'],
])(
  'a connected app is emailed to the notification recipient in %s (AGT-67)',
  async (language, subject, summary, by) => {
    const { memberId } = await memberOf(t, t.organizationId, 'admin');
    await t.app.database.query(
      'UPDATE "Organization" SET "notificationEmail" = $2, language = $3::"Language" WHERE id = $1',
      [t.organizationId, `${language}@ops.test`, language],
    );
    const ctx = await systemContext(t.app, t.sandboxId);
    await inTransaction(
      ctx,
      (tx) =>
        recordEvents(tx, [
          {
            kind: 'app.connected',
            occurredAt: new Date('2027-03-01T12:30:00Z'),
            customerId: null,
            subscriptionId: null,
            data: { apiKeyId: 'key_1', name: 'Assistant', preset: 'reader', connectedBy: memberId },
          },
        ]),
      { clockLock: 'none' },
    );
    const own = () => mail.notifications.filter(({ to }) => to?.[0]?.address === `${language}@ops.test`);
    await expect.poll(() => own().length, { timeout: 20_000 }).toBe(1);
    const [email] = own();
    expect(email?.subject).toContain(subject);
    expect(email?.text).toContain(summary);
    expect(email?.text).toContain(`${by}: Ada`);
    expect(email?.text).toContain('12:30 UTC');
    expect(email?.text).toContain('https://bill.test/dashboard/sandbox/api-keys');
  },
);
