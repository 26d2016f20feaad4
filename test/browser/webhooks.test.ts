import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import type { TestApp } from '../support/harness.ts';
import { messagesIn } from '../support/messages.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';

let t: TestApp;
let browser: Browser;
let receiver: Receiver;

describe.skipIf(browserPath === null)('the webhooks page in the browser', () => {
  beforeAll(async () => {
    [t, browser, receiver] = await Promise.all([
      startDashboard({ WEBHOOKS_TO_PRIVATE_ADDRESSES: 'on' }),
      openBrowser(),
      openReceiver(),
    ]);
  });
  afterAll(() => Promise.all([browser.close(), t.close(), receiver.close()]));

  it.each([{ language: 'es', width: 390, theme: 'dark' }] as const)(
    'adds, tests, changes, disables, and deletes an endpoint: $language, $width wide',
    async ({ language, width, theme }) => {
      const text = messagesIn('dashboard', language, 'webhooks');
      const { more } = messagesIn('dashboard', language, 'kit');
      const member = await DashboardMember.signIn(t, browser, {
        language,
        theme,
        viewport: { width, height: 800 },
      });
      const { page } = member;
      const url = `${receiver.url}/${language}`;
      const found: string[] = [];
      const look = async (what: string) => {
        found.push(...(await member.accessibilityViolations()).map((barrier) => `${what}: ${barrier}`));
        if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth))
          found.push(`${what}: scrolls sideways`);
      };
      const endpoint = () => t.app.database.prisma.webhook.findFirst({ where: { url, deletedAt: null } });

      // An invalid URL shows an error next to its field, and the form keeps the other entries.
      await member.open('/webhooks?new=yes');
      const sheet = page.getByRole('dialog');
      await sheet.getByRole('textbox', { name: text.description }).fill('Receives everything');
      await sheet.getByRole('textbox', { name: text.url }).fill('nowhere');
      await sheet.getByRole('button', { name: text.create }).click();
      await sheet.locator('input[name="url"][aria-invalid="true"]').waitFor();
      await look('rejected');
      await sheet.getByRole('textbox', { name: text.url }).fill(url);
      await sheet.getByText(text.kindsChosen).click();
      await look('kinds');
      await sheet.getByRole('checkbox', { name: /customer.created/ }).check({ force: true });
      await sheet.getByRole('button', { name: text.create }).click();
      await page.getByText(text.secretOnce).waitFor();
      await look('secret');
      await page.getByRole('button', { name: text.done }).click();
      expect(await endpoint()).toMatchObject({
        description: 'Receives everything',
        events: ['customer.created'],
      });
      await page.getByRole('link', { name: url }).click();
      await page.getByRole('heading', { name: url, level: 1 }).waitFor();
      await member.settled();
      await look('endpoint');

      // A receiver that fails initially and then succeeds.
      receiver.behave(500);
      await page.getByRole('button', { name: text.sendTest }).click();
      await sheet.getByRole('button', { name: text.sendTest }).click();
      await page.getByText(text.testFailed).waitFor();
      await look('failed test');
      receiver.behave(200);
      await sheet.getByRole('button', { name: text.sendTest }).click();
      await page.getByText(text.testOk).waitFor();
      await page.getByRole('button', { name: text.showDelivery }).click();
      await page.getByRole('heading', { name: text.attemptLog }).waitFor();
      await look('delivery');
      await page.keyboard.press('Escape');
      const { body } = await t.rest<{ id: string }>('POST', '/customers', { email: `${language}@hook.test` });
      await receiver.received(receiver.messages.length + 1);
      expect(receiver.messages.at(-1)?.text).toContain(body.id);
      await page
        .getByRole('button', { name: /customer.created/ })
        .first()
        .waitFor();

      // Rotates the secret, changes the description, and disables and enables the endpoint.
      const menu = async (name: string) => {
        await page.getByRole('main').getByRole('button', { name: more }).click();
        await page.getByRole('menuitem', { name }).click();
      };
      await menu(text.rotate);
      await look('rotation');
      await sheet.getByRole('button', { name: text.rotate }).click();
      await page.getByText(text.secretOnce).waitFor();
      await page.getByRole('button', { name: text.done }).click();
      await menu(text.edit);
      await sheet.getByRole('textbox', { name: text.description }).fill('Receives customers');
      await sheet.getByRole('button', { name: text.save }).click();
      await page.getByText('Receives customers').waitFor();
      await menu(text.pause);
      await page.getByRole('alertdialog').getByRole('button', { name: text.pause }).click();
      await page.getByText(text.pausedNotice).waitFor();
      await look('paused');
      await page.getByRole('button', { name: text.resume }).click();
      await page.getByText(text.resumed).first().waitFor();
      await menu(text.remove);
      await look('removal');
      await page.getByRole('alertdialog').getByRole('button', { name: text.remove }).click();
      await page.getByText(text.empty, { exact: true }).waitFor();
      expect([
        found,
        await endpoint(),
        member.browserErrors.filter((each) => !/status of 4\d\d/.test(each)),
      ]).toEqual([[], null, []]);
      await member.close();
    },
  );
});
