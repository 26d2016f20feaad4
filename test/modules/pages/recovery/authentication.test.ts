import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cards, createAddon } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { runStory, type Story } from '../../../support/story.ts';
import { card, visit } from '../portal/visit.ts';

// Cards that require authentication, on every page that accepts a card: success, failure, abandonment, and repeated completion.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const secured = ['4000002500003155', '4000000000003220'] as const;
const cove = { price: { price: 3_400 } };
const shown = 'status authentication { status amount currency publishableKey clientSecret }';
const waiting = (amount: number) => ({
  status: 'requires_action',
  amount,
  currency: 'usd',
  publishableKey: null,
  clientSecret: null,
});

type Page = { status: string; authentication: object | null };

/** Operations with which a page reads its data, submits a card, and completes an authentication. */
type Fields = { readonly read: string; readonly give: string; readonly end: string };

/** Hosted page that a token opens. */
class CardPage {
  readonly #fields: Fields;
  readonly #token: string;
  constructor(token: string, fields: Fields) {
    this.#token = token;
    this.#fields = fields;
  }
  async #ask(text: string, variables: object): Promise<Page | string> {
    const response = await fetch(`${t.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: text, variables }),
    });
    type Answer = {
      data?: { page: Page };
      errors?: { extensions: { code: string; details?: { declineCode?: string } } }[];
    };
    const { data, errors = [] } = (await response.json()) as Answer;
    const [error] = errors;
    if (error !== undefined)
      return [error.extensions.code, error.extensions.details?.declineCode].filter(Boolean).join(' ');
    return data?.page ?? 'nothing';
  }
  #do(field: string, input: object): Promise<Page | string> {
    const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`;
    return this.#ask(`mutation ($input: ${type}!) { page: ${field}(input: $input) { ${shown} } }`, {
      input: { token: this.#token, ...input },
    });
  }
  see = () =>
    this.#ask(`query ($token: String!) { page: ${this.#fields.read}(token: $token) { ${shown} } }`, {
      token: this.#token,
    });
  give = (number: string) => this.#do(this.#fields.give, { card: card(number) });
  end = (succeed: boolean) => this.#do(this.#fields.end, { succeed });
}

const recoveryPage = async (story: Story, id: string): Promise<CardPage> => {
  const { token } = await story.do<{ token: string }>('POST', `/subscriptions/${id}/recovery-links`);
  return new CardPage(token, { read: 'recovery', give: 'recoveryPay', end: 'recoveryAuthenticate' });
};
const methodPage = async (story: Story, id: string): Promise<CardPage> => {
  const { checkoutUrl } = await story.do<{ checkoutUrl: string }>(
    'POST',
    `/subscriptions/${id}/payment-method/update`,
    {},
  );
  const fields = {
    read: 'paymentMethodUpdate',
    give: 'paymentMethodStore',
    end: 'paymentMethodAuthenticate',
  };
  return new CardPage(checkoutUrl.split('/').at(-1) ?? '', fields);
};

/** Creates a subscriber whose renewal on February 28 was declined. */
async function pastDue(story: Story): Promise<string> {
  await story.sell('cove', cove);
  const { id } = await story.active('ada', 'cove', cards.declinesLater);
  await story.on('2027-02-28');
  await story.news();
  return id;
}
const recovered = [
  'payment_method.updated',
  'payment.received',
  'payment.recovered',
  'state subscription_activated',
];

describe('the recovery page', () => {
  it.each(secured)('charges the card %s once after the customer authenticates', (number) =>
    runStory(t, '2027-01-31', async (story) => {
      const page = await recoveryPage(story, await pastDue(story));
      expect(await page.give(number)).toEqual({ status: 'open', authentication: waiting(3_400) });
      expect(await page.see()).toEqual({ status: 'open', authentication: waiting(3_400) });
      expect(await story.news()).toEqual({ documents: [], events: [] });
      const both = await Promise.all([page.end(true), page.end(true)]);
      expect(both).toContainEqual({ status: 'paid', authentication: null });
      expect(both).toContain('payment_not_found');
      const paid = 'INV-0002 recurring paid 2027-02-28..2027-03-31 3400 = plan_base 3400';
      expect(await story.news()).toEqual({ documents: [paid], events: recovered });
      // Later charges are made off-session.
      await story.on('2027-04-01');
      expect((await story.news()).documents).toEqual([
        'INV-0003 recurring paid 2027-03-31..2027-04-30 3400 = plan_base 3400',
      ]);
    }),
  );

  it('stays open if the authentication fails or is abandoned, and rejects a completion if no authentication is pending', () =>
    runStory(t, '2027-01-31', async (story) => {
      const id = await pastDue(story);
      const page = await recoveryPage(story, id);
      const open = { status: 'open', authentication: null };
      expect(await page.end(true)).toBe('payment_not_found');
      await page.give(secured[1]);
      expect(await page.end(false)).toBe('charge_failed authentication_failed');
      expect(await page.see()).toEqual(open);
      // The customer abandons the authentication and pays with another card, so the first authentication's result is ignored.
      await page.give(secured[1]);
      expect(await page.give(cards.pays)).toEqual({ status: 'paid', authentication: null });
      expect(await page.end(true)).toBe('payment_not_found');
      expect((await story.news()).events).toEqual(recovered);
      const list = await story.do<{ data: { status: string }[] }>('GET', '/transactions');
      expect(list.data.map(({ status }) => status)).toEqual([
        'succeeded',
        'failed',
        'failed',
        'failed',
        'succeeded',
      ]);
    }));

  it("lets the next retry charge the stored card if the authentication isn't completed", () =>
    runStory(t, '2027-01-31', async (story) => {
      const id = await pastDue(story);
      const page = await recoveryPage(story, id);
      await page.give(secured[0]);
      await story.on('2027-03-02');
      expect((await story.news()).events).toEqual(['invoice.overdue']);
      expect(await page.see()).toEqual({ status: 'open', authentication: null });
      await story.on('2027-03-08');
      expect(await page.end(true)).toBe('payment_not_found');
      expect(await story.state({ id, customerId: 'ada', token: null })).toBe('canceled 2027-03-07');
    }));
});

describe('the payment method page', () => {
  it.each(secured)('stores the card %s after the customer authenticates', (number) =>
    runStory(t, '2027-01-31', async (story) => {
      await story.sell('cove', cove);
      const { id } = await story.active('ada', 'cove', cards.declinesLater);
      await story.news();
      const page = await methodPage(story, id);
      expect(await page.give(number)).toEqual({ status: 'open', authentication: waiting(0) });
      expect(await page.end(false)).toBe('charge_failed authentication_failed');
      expect(await page.see()).toEqual({ status: 'open', authentication: null });
      expect(await story.news()).toEqual({ documents: [], events: [] });
      await page.give(number);
      expect(await page.end(true)).toEqual({ status: 'open', authentication: null });
      expect(await page.end(true)).toBe('payment_not_found');
      expect((await story.news()).events).toEqual(['payment_method.updated']);
      await story.on('2027-03-01');
      expect((await story.news()).documents).toEqual([
        'INV-0002 recurring paid 2027-02-28..2027-03-31 3400 = plan_base 3400',
      ]);
    }),
  );

  it("doesn't complete the authentication of a payment that was started on another page", () =>
    runStory(t, '2027-01-31', async (story) => {
      const id = await pastDue(story);
      const [paying, storing] = [await recoveryPage(story, id), await methodPage(story, id)];
      await paying.give(secured[0]);
      expect(await storing.see()).toEqual({ status: 'open', authentication: null });
      expect(await storing.end(true)).toBe('payment_not_found');
      expect(await storing.give(secured[1])).toEqual({ status: 'open', authentication: waiting(0) });
      expect(await paying.see()).toEqual({ status: 'open', authentication: null });
      expect(await paying.end(true)).toBe('payment_not_found');
      expect((await story.news()).events).toEqual([]);
    }));
});

describe('the portal', () => {
  it('stores a card only after the customer authenticates, and then accepts the purchase', () =>
    runStory(t, '2027-01-31', async (story) => {
      await story.sell('cove', cove);
      await story.active('ada', 'cove');
      const { id: addonId } = await createAddon(story.shop, { basePrice: 1_450 });
      const portal = await visit(story);
      await story.news();
      const fields = 'authentication { status amount } addons { addonId } paymentMethod { last4 }';
      const before = {
        authentication: { status: 'requires_action', amount: 0 },
        addons: [],
        paymentMethod: { last4: '4242' },
      };
      expect(await portal.do('portalPaymentMethodStore', { card: card(secured[1]) }, fields)).toEqual(before);
      expect(await portal.declined('portalCardAuthenticate', { succeed: false })).toBe('charge_failed');
      expect(await portal.rejected('portalCardAuthenticate', { succeed: true })).toBe('payment_not_found');
      expect(await portal.do('portalAddonActivate', { addonId, card: card(secured[1]) }, fields)).toEqual(
        before,
      );
      expect(await story.news()).toEqual({ documents: [], events: [] });
      const stored = { authentication: null, addons: [], paymentMethod: { last4: '3220' } };
      expect(await portal.do('portalCardAuthenticate', { succeed: true }, fields)).toEqual(stored);
      expect(await portal.do('portalAddonActivate', { addonId }, 'addons { addonId }')).toEqual({
        addons: [{ addonId }],
      });
      expect((await story.news()).events).toEqual([
        'payment_method.updated',
        'invoice.created',
        'payment.received',
        'addon.activated',
        'state addon_activated',
      ]);
    }));

  it('charges the outstanding amount to a card after the customer authenticates, or to the stored card instead', () =>
    runStory(t, '2027-01-31', async (story) => {
      const id = await pastDue(story);
      const portal = await visit(story);
      const fields = 'status outstandingAmount authentication { amount }';
      const waits = { status: 'past_due', outstandingAmount: 3_400, authentication: { amount: 3_400 } };
      expect(await portal.do('portalPaymentRetry', { card: card(secured[0]) }, fields)).toEqual(waits);
      expect(await portal.see(fields)).toEqual(waits);
      // The stored card is charged instead, and the authentication is abandoned.
      expect(await portal.declined('portalPaymentRetry')).toBe('charge_failed');
      expect(await portal.see(fields)).toEqual({ ...waits, authentication: null });
      await portal.do('portalPaymentRetry', { card: card(secured[0]) }, fields);
      expect(await portal.do('portalCardAuthenticate', { succeed: true }, fields)).toEqual({
        status: 'active',
        outstandingAmount: null,
        authentication: null,
      });
      expect((await story.news()).events).toEqual(recovered);
      expect(await story.state({ id, customerId: 'ada', token: null })).toBe('active 2027-03-31');
    }));
});

it('a checkout and a payment link return a pending authentication in the same format', () =>
  runStory(t, '2027-01-31', async (story) => {
    await story.sell('cove', cove);
    const ada = await story.subscribe('ada', 'cove');
    await story.pay(ada, secured[1]);
    const checkout =
      'query ($token: String!) { page: checkout(token: $token) { authentication { status amount currency publishableKey clientSecret } } }';
    const ask = async (query: string, token: string | null) =>
      (await t.graphql<{ page: { authentication: unknown } }>(query, { token }, { key: null })).page
        .authentication;
    expect(await ask(checkout, ada.token)).toEqual(waiting(3_400));
    await story.authenticate(ada, true);
    expect(await ask(checkout, ada.token)).toBeNull();
    const { url } = await story.do<{ url: string }>('POST', '/payments', {
      amount: 4_200,
      currency: 'usd',
      description: 'Workshop',
    });
    const token = url.split('/').at(-1) ?? '';
    const operation = 'mutation ($input: PaymentLinkPayInput!) { paymentLinkPay(input: $input) { status } }';
    const input = { token, email: 'new@payer.test', card: card(secured[1]) };
    expect(
      await story.page<{ paymentLinkPay: { status: string } }>(
        operation,
        input,
        (data) => data.paymentLinkPay.status,
      ),
    ).toBe('requires_action');
    expect(await ask(checkout.replace('checkout', 'paymentLink'), token)).toEqual(waiting(4_200));
  }));
