import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, chargesOf, openBrowser, phone, Visitor } from '../support/browser.ts';
import {
  cards,
  createCustomer,
  createPayment,
  createSubscription,
  type MadePayment,
  type MadeSubscription,
  otherShop,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// The merchant is registered for tax in France (20% VAT) and Texas. A payer in the United States must enter a state before tax can be
// calculated.

let t: TestApp;
let shop: Shop;
let browser: Browser;

type Totals = [label: string, amount: string][];

describe.skipIf(browserPath === null)('a form on a payer page', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startApp(), openBrowser()]);
    shop = await otherShop(t);
    for (const place of ['country: "FR"', 'country: "US", region: "TX"'])
      await t.graphql(
        `mutation { taxRegistrationCreate(input: { ${place} }) { id } }`,
        {},
        { key: shop.key },
      );
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  const openCheckout = ({ token }: MadeSubscription, options = {}) =>
    Visitor.open(browser, `${t.url}/checkout/${token}`, options);
  const openLink = ({ token }: MadePayment, query = '') =>
    Visitor.open(browser, `${t.url}/pay/${token}${query}`);
  const totals = async ({ page }: Visitor): Promise<Totals> => {
    const rows = await page.locator('#totals tr').all();
    return Promise.all(
      rows.map(async (row): Promise<[string, string]> => {
        const label = (await row.locator('summary, th:not(:has(summary))').textContent()) ?? '';
        return [label.replace(/ Why\?$/, ''), (await row.locator('td').textContent()) ?? ''];
      }),
    );
  };
  /** Vertical position of the country field in pixels, and the ID of the focused element. */
  const place = async (payer: Visitor): Promise<[number | undefined, string]> => [
    (await payer.page.locator('#country').boundingBox())?.y,
    await payer.focused(),
  ];
  const methodsOf = async (customerId: string): Promise<string[]> => {
    const { customer } = await t.graphql<{ customer: { paymentMethods: { last4: string }[] } }>(
      'query ($id: ID!) { customer(id: $id) { paymentMethods { last4 } } }',
      { id: customerId },
      { key: shop.key },
    );
    return customer.paymentMethods.map(({ last4 }) => last4);
  };

  it("keeps the focus and scroll position while waiting for a state, and hides the previous country's tax", async () => {
    const payer = await openCheckout(await createSubscription(shop), phone);
    expect(await totals(payer)).toEqual([
      ['Tax', 'Choose a country'],
      ['Due now', '$49.00'],
    ]);
    await payer.page.selectOption('#country', 'FR');
    await payer.page.getByText('Pay $58.80').waitFor();
    expect(await totals(payer)).toEqual([
      ['VAT (20%)', '$9.80'],
      ['Due now', '$58.80'],
    ]);
    await payer.page.focus('#country');
    const before = await place(payer);
    await payer.page.selectOption('#country', 'US');
    await payer.page.getByText('Choose a state').waitFor();
    expect(await totals(payer)).toEqual([
      ['Tax', 'Choose a state'],
      ['Due now', '$49.00'],
    ]);
    expect(await payer.page.textContent('#pay')).toBe('Pay');
    expect(await payer.page.textContent('#terms')).toBe('');
    expect(await payer.alert()).toBeNull();
    const after = await place(payer);
    expect(after[1]).toBe(before[1]);
    // Scroll positions on phones can be fractions of a pixel.
    expect(Math.abs((after[0] ?? 0) - (before[0] ?? 0))).toBeLessThan(2);
    // Paying without a state shows an error next to the field.
    await payer.typeCard(cards.pays);
    await payer.page.click('#pay');
    await payer.page.getByText('Choose your state or province so that tax can be calculated.').waitFor();
    expect(await payer.focused()).toBe('state');
    await payer.page.selectOption('#state', 'TX');
    await payer.page.getByText('Pay $52.06').waitFor();
    // 6.25% tax on 49.00 is 3.0625, rounded to 3.06.
    expect(await totals(payer)).toEqual([
      ['Sales tax (6.25%)', '$3.06'],
      ['Due now', '$52.06'],
    ]);
    expect(await payer.accessibilityViolations()).toEqual([]);
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });

  it("requires a state if the selected country's tax depends on the state, and keeps the focus", async () => {
    const payer = await openLink(await createPayment(shop));
    await payer.page.selectOption('#country', 'FR');
    await payer.page.getByText('Pay $50.40').waitFor();
    await payer.page.focus('#country');
    await payer.page.selectOption('#country', 'US');
    await payer.page.getByText('Choose a state').waitFor();
    expect(await totals(payer)).toEqual([
      ['Tax', 'Choose a state'],
      ['Amount due', '$42.00'],
    ]);
    expect(await payer.page.textContent('#pay')).toBe('Pay');
    expect([await payer.alert(), await payer.focused()]).toEqual([null, 'country']);
    await payer.close();
  });

  it.each(['reject', 'confirm'])(
    'keeps all entries during bank authentication, and after %s',
    async (choice) => {
      const subscription = await createSubscription(shop);
      const payer = await openCheckout(subscription);
      const filled = {
        number: '4000 0025 0000 3155',
        expiry: '12/99',
        cvc: '123',
        line1: '1 rue de la Paix',
        postalCode: '75002',
        city: 'Paris',
        companyName: 'Dupont SARL',
        taxDocument: 'FR40303265045',
      };
      await payer.typeCard(cards.authenticates);
      await payer.page.selectOption('#country', 'FR');
      await payer.page.check('#business');
      for (const name of ['line1', 'postalCode', 'city', 'companyName', 'taxDocument'] as const)
        await payer.page.fill(`#${name}`, filled[name]);
      await payer.page.locator('#taxDocument').blur();
      await payer.page.getByText('Pay $58.80').click();
      await payer.page.locator(`#${choice}`).waitFor();
      expect(await payer.page.isVisible('#number')).toBe(false);
      expect(await totals(payer)).toEqual([
        ['VAT (20%)', '$9.80'],
        ['Due now', '$58.80'],
      ]);
      if (choice === 'confirm') await payer.context.setOffline(true);
      await payer.page.click(`#${choice}`);
      await payer.page.locator('#alert').waitFor();
      expect(await payer.page.locator('#alert').count()).toBe(1);
      if (choice === 'confirm') {
        // The response to the bank's confirmation was lost, so the authentication is still pending.
        await payer.context.setOffline(false);
        await payer.page.click('#reject');
        await payer.page.locator('#number').waitFor();
      }
      await payer.settled();
      expect(await payer.alert()).toBe(
        'The confirmation with your bank failed. Try again or use another card.',
      );
      for (const [name, text] of Object.entries(filled))
        expect([name, await payer.page.inputValue(`#${name}`)]).toEqual([name, text]);
      expect(await payer.page.inputValue('#country')).toBe('FR');
      expect(await totals(payer)).toEqual([
        ['VAT (20%)', '$9.80'],
        ['Due now', '$58.80'],
      ]);
      expect(await payer.page.textContent('#pay')).toBe('Pay $58.80');
      await payer.typeCard(cards.pays);
      await payer.page.click('#pay');
      await payer.page.locator('.status.done').waitFor();
      expect(await chargesOf(shop, subscription.customerId)).toEqual([
        [5_880, 'failed'],
        [5_880, 'succeeded'],
      ]);
      await payer.close();
    },
  );

  it("shows a payment's progress in the button, and over the page if the payment takes longer", async () => {
    const text = 'Procesando…';
    const payer = await openLink(
      await createPayment(shop, { customerId: (await createCustomer(shop, 'CH')).id }),
      '?locale=es',
    );
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await payer.page.route('**/graphql', async (route, request) => {
      if ((request.postData() ?? '').includes('mutation PayLink(')) await held;
      return route.fallback();
    });
    await payer.typeCard(cards.pays);
    const height = (await payer.page.locator('#pay').boundingBox())?.height;
    await payer.page.click('#pay');
    await payer.page.locator('body[aria-busy="true"]').waitFor();
    const shown = (pseudo: string): Promise<string> =>
      payer.page.evaluate(
        (name) => getComputedStyle(document.getElementById('pay') as HTMLElement, name).content,
        pseudo,
      );
    expect(await shown('::after')).toBe(`"${text}"`);
    expect((await payer.page.locator('#pay').boundingBox())?.height).toBe(height);
    expect(await payer.status()).toBe(text);
    const clip = (): Promise<string> =>
      payer.page.evaluate(() => getComputedStyle(document.getElementById('status') as HTMLElement).clipPath);
    expect(await clip()).toBe('inset(50%)');
    await expect.poll(clip, { timeout: 10_000 }).toBe('none');
    expect(await payer.isOnScreen('#status')).toBe(true);
    expect(await payer.accessibilityViolations()).toEqual([]);
    release();
    await payer.page.locator('.status.done').waitFor();
    expect(await payer.page.locator('[data-working]').count()).toBe(0);
    await payer.close();
  });

  it('states that a payment link saves the card, and saves the card (PAY-8)', async () => {
    const { id: customerId } = await createCustomer(shop, 'CH');
    const payer = await openLink(await createPayment(shop, { customerId }));
    expect(await payer.page.textContent('#mandate')).toMatch(
      /^You allow .+ to charge your card now, save it, and charge it for future payments\.$/,
    );
    await payer.typeCard(cards.pays);
    await payer.page.click('#pay');
    await payer.page.locator('.status.done').waitFor();
    expect(await methodsOf(customerId)).toEqual(['4242']);
    await payer.close();
  });

  it.each([
    ['never', false, []],
    ['optional', false, []],
    ['optional', true, ['4242']],
  ] as const)(
    "saves a payment link's card only with the payer's consent: saveCard %s, box checked %s (PAY-8)",
    async (saveCard, isChecked, saved) => {
      const { id: customerId } = await createCustomer(shop, 'CH');
      const payer = await openLink(await createPayment(shop, { customerId, saveCard }));
      expect(await payer.page.textContent('#mandate')).toMatch(
        /^You allow .+ to charge your card once\. Your card won't be saved\.$/,
      );
      expect(await payer.page.locator('#saveCard').count()).toBe(saveCard === 'never' ? 0 : 1);
      if (saveCard === 'optional') expect(await payer.page.isChecked('#saveCard')).toBe(false);
      if (isChecked) {
        await payer.page.check('#saveCard');
        expect(await payer.page.textContent('#mandate')).toMatch(/charge it for future payments\.$/);
      }
      expect(await payer.accessibilityViolations()).toEqual([]);
      await payer.typeCard(cards.pays);
      await payer.page.click('#pay');
      await payer.page.locator('.status.done').waitFor();
      expect(await methodsOf(customerId)).toEqual(saved);
      await payer.close();
    },
  );
});
