import { afterAll, beforeAll, expect, it } from 'vitest';
import { cards, payment } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { emit } from '../support/story.ts';

// What a customer reads while a trial ends in a decline and is made good (PLT-9, PAY-20, BIL-40).

let mail: MailServer;
let t: TestApp;
beforeAll(async () => {
  mail = await startMailServer();
  t = await startApp({ env: { SMTP_URL: mail.url, PUBLIC_URL: 'https://bill.test' } });
});
afterAll(async () => {
  await t.close();
  await mail.close();
});

it('describes the end of a trial, of the failed charge with a link that works, and of the payment', async () => {
  await emit(t, '2027-01-01', async (story) => {
    await story.sell('pro', { price: { billingInterval: 'monthly', price: 3_400, trialDays: 14 } });
    const subjects = async (count: number) =>
      (await mail.received(count)).map(({ subject }) => subject?.replace('[Test] ', ''));
    const ada = await story.subscribe('ada', 'pro');
    expect(await subjects(1)).toEqual(['Start your trial of Another organization']);
    expect(await story.pay(ada, cards.declinesLater)).toBe('paid');

    // The trial ends on 15 January; the notice comes before.
    await story.on('2027-01-14T12:00:00Z');
    expect(await subjects(2)).toContain('Your trial of Another organization ends soon');
    expect(mail.notifications[1]?.text).toContain('Date: January 15, 2027');

    // 34.00 are declined.
    await story.on('2027-01-15T06:00:00Z');
    expect(await story.state(ada)).toMatch(/^past_due/);
    expect(await subjects(3)).toContain('Your payment to Another organization failed');
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
    expect(await subjects(5)).toContain('Your subscription to Another organization was canceled');
    expect(mail.notifications).toHaveLength(5);
  });
});
