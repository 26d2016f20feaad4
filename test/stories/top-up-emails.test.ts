import { afterAll, beforeAll, expect, it } from 'vitest';
import { cards } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { runStory } from '../support/story.ts';

// Emails about declined and paused automatic top-ups.

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

it('a customer receives an email after the first decline of a top-up, and after the pause', async () => {
  await runStory(t, '2027-05-05', async (story) => {
    await story.sell('pro', { plan: { consumptionModel: 'balance' }, price: { includedBalance: 420_000 } });
    const ada = await story.subscribe('ada', 'pro');
    expect(await story.pay(ada, cards.declinesLater)).toBe('paid');
    await story.do('PUT', `/customers/${ada.customerId}/auto-top-up`, {
      threshold: 420_000,
      refill: { amount: 5_000 },
      maxAmountPerMonth: 20_000,
      consentReference: 'contract-7',
    });
    /** Waits for an email that contains a text. Returns its subject and text. */
    const emailWith = async (wanted: string): Promise<string> => {
      for (let count = 1; ; count++) {
        const texts = (await mail.received(count)).map(({ subject, text }) => `${subject}\n${text}`);
        const found = texts.find((text) => text.includes(wanted));
        if (found !== undefined) return found;
      }
    };
    const failed = await emailWith("top-up didn't go through");
    expect(failed).toContain("We couldn't charge the automatic top-up of your Another organization balance.");
    expect(failed).toContain('Amount: $50.00');
    await story.do('PATCH', `/customers/${ada.customerId}`, { metadata: { language: 'es' } });
    await story.on('2027-05-08');
    expect(await emailWith('recarga automática')).toContain(
      'Pausamos la recarga automática de tu saldo con Another organization, porque el pago fue rechazado.',
    );
    expect(
      (await mail.received(3)).filter(({ subject }) => /top-up|recarga/.test(subject ?? '')).length,
    ).toBe(2);
  });
});
