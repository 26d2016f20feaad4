import { afterAll, beforeAll, expect, it } from 'vitest';
import { cards, payment } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { runStory } from '../support/story.ts';

// Emails to a customer whose first charge after the trial is declined and later recovered (PLT-9, PAY-20, BIL-40).

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

it('a customer receives emails about the end of the trial, the failed charge with a recovery link, and the payment', async () => {
  await runStory(t, '2027-01-01', async (story) => {
    await story.sell('pro', { price: { billingInterval: 'monthly', price: 3_400, trialDays: 14 } });
    const subjects = async (count: number) =>
      (await mail.received(count)).map(({ subject }) => subject?.replace('[Test] ', ''));
    const ada = await story.subscribe('ada', 'pro');
    expect(await subjects(1)).toEqual(['Start your Another organization free trial']);
    expect(await story.pay(ada, cards.declinesLater)).toBe('paid');

    // The trial ends on January 15. The trial notice has already been sent.
    await story.on('2027-01-14T12:00:00Z');
    expect(await subjects(2)).toContain('Your Another organization free trial ends soon');
    expect(mail.notifications[1]?.text).toContain('Date: January 15, 2027');

    // The charge of 34.00 is declined.
    await story.on('2027-01-15T06:00:00Z');
    expect(await story.state(ada)).toMatch(/^past_due/);
    expect(await subjects(3)).toContain("Your Another organization payment didn't go through");
    const failed = mail.notifications[2];
    expect(failed?.text).toContain('Amount: $34.00');
    const token = /https:\/\/bill\.test\/recover\/(\S+)/.exec(failed?.text ?? '')?.[1] ?? '';

    const recoveryPay = 'mutation ($input: RecoveryPayInput!) { recoveryPay(input: $input) { status } }';
    type Answer = { recoveryPay: { status: string } };
    expect(await story.page<Answer>(recoveryPay, payment(token), (data) => data.recoveryPay.status)).toBe(
      'paid',
    );
    expect(await story.state(ada)).toMatch(/^active/);
    expect(await subjects(4)).toContain('Receipt from Another organization');
    expect(mail.notifications[3]?.text).toContain('Amount: $34.00');

    await story.do('POST', `/subscriptions/${ada.id}/cancel`, { immediate: true });
    expect(await subjects(5)).toContain('Your Another organization subscription was canceled');
    expect(mail.notifications).toHaveLength(5);
  });
});
