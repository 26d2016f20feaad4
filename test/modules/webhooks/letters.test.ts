import { expect, it } from 'vitest';
import { MovableClock } from '../../support/billing-world.ts';
import { eventually } from '../../support/eventually.ts';
import { createCustomer, createWebhook, firstShop } from '../../support/factories.ts';
import { startApp } from '../../support/harness.ts';
import { startMailServer } from '../../support/mail-server.ts';
import { openReceiver } from '../../support/receiver.ts';

it('a delivery given up is told to the notification recipient by a letter that arrives (PLT-44)', async () => {
  const [mail, receiver] = [await startMailServer(), await openReceiver()];
  receiver.behave((_message, response) => void response.writeHead(500).end('out of order 🔧'));
  const wall = new MovableClock('2027-05-04T13:00:00.000Z');
  const t = await startApp({ wall, env: { SMTP_URL: mail.url, MAIL_FROM: 'Quittance <billing@shop.test>' } });
  try {
    const shop = firstShop(t);
    await t.app.database.query('UPDATE "Organization" SET "notificationEmail" = $2 WHERE id = $1', [t.organizationId, 'ops@shop.test']);
    const { id } = await createWebhook(shop, { url: receiver.url, events: ['customer.created'] });
    await createCustomer(shop);
    const delivery = async () => {
      const [found] = await t.app.database.query<{ id: string; eventId: string; status: string; attempts: number }>(
        'SELECT id, "eventId", status, attempts FROM "WebhookDelivery" WHERE "webhookId" = $1',
        [id],
      );
      return found;
    };
    for (const [index, time] of ['13:00', '13:01', '13:06', '13:21', '13:51', '14:51', '16:51', '20:51'].entries()) {
      wall.set(`2027-05-04T${time}:00.000Z`);
      await eventually(async () => (await delivery())?.attempts === index + 1);
    }
    await eventually(async () => mail.letters.length > 0);
    const given = await delivery();
    expect(given?.status).toBe('failed');
    expect(mail.letters).toHaveLength(1);
    expect(mail.letters[0]).toMatchObject({
      from: { name: 'Quittance', address: 'billing@shop.test' },
      to: [{ address: 'ops@shop.test' }],
      subject: 'A webhook could not be delivered: customer.created',
    });
    expect(mail.letters[0]?.text?.trim()).toBe(
      [
        'Hello,',
        'All 8 attempts to deliver an event failed. It will not be tried again by itself; you can resend it.',
        [
          `Endpoint: ${receiver.url}`,
          `Event: customer.created (${given?.eventId})`,
          `Delivery: ${given?.id}`,
          'Last answer: Status 500\nout of order 🔧',
        ].join('\n'),
        'Quittance',
      ].join('\n\n'),
    );
    for (const part of ['<html lang="en">', receiver.url, given?.eventId, 'out of order 🔧']) expect(mail.letters[0]?.html).toContain(part);
  } finally {
    await t.close();
    await Promise.all([mail.close(), receiver.close()]);
  }
});
