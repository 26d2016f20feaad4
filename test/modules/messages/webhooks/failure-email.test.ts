import { expect, it } from 'vitest';
import { MovableClock } from '../../../support/billing-world.ts';
import { eventually } from '../../../support/eventually.ts';
import { createCustomer, createWebhook, firstShop } from '../../../support/factories.ts';
import { startApp } from '../../../support/harness.ts';
import { startMailServer } from '../../../support/mail-server.ts';
import { openReceiver } from '../../../support/receiver.ts';

it('a permanently failed webhook delivery sends an email to the notification recipient (PLT-44)', async () => {
  const [mail, receiver] = [await startMailServer(), await openReceiver()];
  receiver.behave((_message, response) => void response.writeHead(500).end('out of order 🔧'));
  const wall = new MovableClock('2027-05-04T13:00:00.000Z');
  const t = await startApp({
    wall,
    env: { SMTP_URL: mail.url, SANDBOX_EMAILS: 'all', MAIL_FROM: 'Quittance <billing@shop.test>' },
  });
  try {
    const shop = firstShop(t);
    await t.app.database.query('UPDATE "Organization" SET "notificationEmail" = $2 WHERE id = $1', [
      t.organizationId,
      'ops@shop.test',
    ]);
    const { id } = await createWebhook(shop, { url: receiver.url, events: ['customer.created'] });
    await createCustomer(shop);
    const delivery = async () => {
      const [found] = await t.app.database.query<{
        id: string;
        eventId: string;
        status: string;
        attempts: number;
      }>('SELECT id, "eventId", status, attempts FROM "WebhookDelivery" WHERE "webhookId" = $1', [id]);
      return found;
    };
    for (const [index, time] of [
      '13:00',
      '13:01',
      '13:06',
      '13:21',
      '13:51',
      '14:51',
      '16:51',
      '20:51',
    ].entries()) {
      wall.set(`2027-05-04T${time}:00.000Z`);
      await eventually(async () => (await delivery())?.attempts === index + 1);
    }
    await eventually(async () => mail.notifications.length > 0);
    const provided = await delivery();
    expect(provided?.status).toBe('failed');
    expect(mail.notifications).toHaveLength(1);
    expect(mail.notifications[0]).toMatchObject({
      from: { name: 'Quittance', address: 'billing@shop.test' },
      to: [{ address: 'ops@shop.test' }],
      subject: 'Webhook delivery failed: customer.created',
    });
    expect(mail.notifications[0]?.text?.trim()).toBe(
      [
        'Hello,',
        "An event couldn't be delivered after 8 attempts. Quittance won't retry the delivery automatically. You can resend it in the dashboard.",
        [
          `Endpoint: ${receiver.url}`,
          `Event: customer.created (${provided?.eventId})`,
          `Delivery: ${provided?.id}`,
          'Last response: Status 500',
        ].join('\n'),
        'Quittance',
      ].join('\n\n'),
    );
    // The receiver has a private address, so only the response status is shown.
    expect(mail.notifications[0]?.text).not.toContain('out of order');
    for (const part of ['<html lang="en">', receiver.url, provided?.eventId, 'Status 500'])
      expect(mail.notifications[0]?.html).toContain(part);
  } finally {
    await t.close();
    await Promise.all([mail.close(), receiver.close()]);
  }
});
