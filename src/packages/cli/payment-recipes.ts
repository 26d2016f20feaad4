import {
  cards,
  createPlan,
  type PlanTerms,
  type Recipe,
  rejected,
  type Stage,
  subscribe,
  subscribeWith,
  track,
  unique,
} from './recipe-stage.ts';

// Recipes of payments and payment methods.

/** Creates a payment link, and pays it with a card on its page. */
async function payLink({ client, page }: Stage, number: string): Promise<void> {
  const { url } = await client.payments.create({
    amount: 1_500,
    currency: 'usd',
    description: 'Workshop',
  });
  await page.graphql('mutation ($input: PaymentLinkPayInput!) { paymentLinkPay(input: $input) { status } }', {
    input: {
      token: url?.split('/').at(-1),
      email: `${unique('trigger')}@example.com`,
      card: { number, expMonth: 12, expYear: 2099, cvc: '123' },
      billingAddress: { country: 'NO' },
    },
  });
}

export const paymentRecipes: readonly Recipe[] = [
  {
    causes: ['payment_link.completed'],
    run: (stage) => payLink(stage, cards.pays),
  },
  {
    causes: ['payment_link.failed'],
    run: (stage) => rejected('payment_failed', payLink(stage, cards.declines)),
  },
  {
    causes: ['payment.disputed'],
    run: async (stage) => subscribe(stage, await createPlan(stage), cards.disputes),
  },
  {
    causes: ['payment_method.updated', 'payment_method.detached'],
    run: async (stage) => {
      const { customerId } = await subscribe(stage, await createPlan(stage));
      const { portalUrl } = await stage.client.portal.sessionCreate({ customerId });
      const token = portalUrl.split('/').at(-1);
      const stored = await stage.page.graphql<{
        portal: { paymentMethods: readonly { readonly paymentMethodId: string }[] };
      }>('query ($token: String!) { portal(token: $token) { paymentMethods { paymentMethodId } } }', {
        token,
      });
      await stage.page.graphql(
        'mutation ($input: PortalPaymentMethodStoreInput!) { portalPaymentMethodStore(input: $input) { __typename } }',
        { input: { token, card: { number: cards.otherPays, expMonth: 12, expYear: 2099, cvc: '123' } } },
      );
      await stage.page.graphql(
        'mutation ($input: PortalPaymentMethodRemoveInput!) { portalPaymentMethodRemove(input: $input) { __typename } }',
        { input: { token, paymentMethodId: stored.portal.paymentMethods[0]?.paymentMethodId } },
      );
    },
  },
  {
    causes: ['auto_topup.succeeded'],
    run: async (stage) => {
      const plan: PlanTerms = { model: 'balance', price: { includedBalance: 100_000 } };
      const subscription = await subscribeWith(stage, plan, 'usage', {
        overage: { enabled: true, unitPrice: 10_000 },
      });
      await stage.client.customers.autoTopUpSet(subscription.customerId, {
        threshold: 50_000,
        refill: { amount: 2_000 },
        maxAmountPerMonth: 10_000,
        consentReference: 'terms-2026',
      });
      await track(stage, subscription, 8);
    },
  },
  {
    causes: ['auto_topup.failed'],
    run: async (stage) => {
      const plan: PlanTerms = { model: 'balance', price: { includedBalance: 100_000 } };
      const terms = { overage: { enabled: true, unitPrice: 10_000 } };
      const subscription = await subscribeWith(stage, plan, 'usage', terms, cards.declinesLater);
      await stage.client.customers.autoTopUpSet(subscription.customerId, {
        threshold: 50_000,
        refill: { amount: 2_000 },
        maxAmountPerMonth: 10_000,
        consentReference: 'terms-2026',
      });
      await track(stage, subscription, 8);
    },
  },
  {
    causes: ['lot.refunded'],
    run: async (stage) => {
      const plan: PlanTerms = { model: 'credits', price: { includedCredits: 10 } };
      const { id } = await subscribe(stage, await createPlan(stage, plan));
      const pack = await stage.client.creditPacks.create({
        name: unique('pack'),
        credits: 10,
        price: 900,
        refundTakesBack: true,
      });
      await stage.client.subscriptions.creditsPurchase(id, { creditPackId: pack.id });
      const { data } = await stage.client.transactions.list({ subscriptionIds: [id] });
      await stage.client.transactions.refund(data[0]?.id ?? '');
    },
  },
  {
    causes: ['tax_registration.created', 'tax_registration.deleted'],
    run: async ({ client }) => {
      const { taxRegistrationCreate } = await client.graphql<{ taxRegistrationCreate: { id: string } }>(
        'mutation { taxRegistrationCreate(input: { country: "NO", rateBps: 2500 }) { id } }',
      );
      await client.graphql(
        'mutation ($id: ID!) { taxRegistrationDelete(input: { id: $id }) { deletedId } }',
        {
          id: taxRegistrationCreate.id,
        },
      );
    },
  },
];
