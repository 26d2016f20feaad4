import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { runStory } from '../support/story.ts';

// Emails about prepaid amounts that expire soon, and about the end of prepaid commitments (PRM-21, PRM-24).

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

it("a customer receives emails before a commitment expires and when it ends, in the customer's language", async () => {
  await runStory(t, '2027-01-10', async (story) => {
    await story.sell('pro', { plan: { consumptionModel: 'credits' }, price: { includedCredits: 100 } });
    const ada = await story.subscribe('ada', 'pro');
    expect(await story.pay(ada)).toBe('paid');
    const commitment = { price: 1_000, grant: 1_250, asset: 'credits', validMonths: 1 };
    await story.do('POST', `/subscriptions/${ada.id}/commitments`, commitment);
    /** Waits for an email that contains a word. Returns its subject and text. */
    const emailWith = async (word: string): Promise<string> => {
      for (let count = 1; ; count++) {
        const texts = (await mail.received(count)).map(({ subject, text }) => `${subject}\n${text}`);
        const found = texts.find((text) => text.includes(word));
        if (found !== undefined) return found;
      }
    };
    await story.on('2027-02-04');
    const expiring = await emailWith('expires soon');
    expect(expiring).toContain('[Test] Your prepaid Another organization balance expires soon');
    expect(expiring).toContain(
      'Part of your prepaid Another organization balance expires on February 10, 2027: 1,250 credits.',
    );
    await story.do('PATCH', `/customers/${ada.customerId}`, { metadata: { language: 'es' } });
    await story.on('2027-02-11');
    const ended = await emailWith('compromiso');
    expect(ended).toContain('[Prueba] Tu compromiso prepagado con Another organization terminó');
    expect(ended).toContain(
      'Tu compromiso prepagado con Another organization terminó el 10 de febrero de 2027.',
    );
  });
});
