import {
  cards,
  createPlan,
  declineTopUp,
  type PlanTerms,
  payCheckout,
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

/** Purchases a plan on a pricing page with the email address of a subscriber. The card is verified but not charged. */
async function buyTwice(stage: Stage): Promise<void> {
  const { client, page } = stage;
  const { id: planId } = await createPlan(stage);
  const { customerId } = await subscribe(stage, { id: planId });
  const { email } = await client.customers.get(customerId);
  const { url } = await client.pricingTables.create({ name: unique('table'), plans: [{ planId }] });
  const visit = crypto.randomUUID().replaceAll('-', '');
  const input = { token: url.split('/').at(-1), planId, billingInterval: 'monthly', email, visit };
  const { pricingTablePurchase } = await page.graphql<{ pricingTablePurchase: { checkoutUrl: string } }>(
    'mutation ($input: PricingTablePurchaseInput!) { pricingTablePurchase(input: $input) { checkoutUrl } }',
    { input },
  );
  await rejected('already_has_active_subscription', payCheckout(stage, pricingTablePurchase.checkoutUrl));
}

/** Records a transfer that names no invoice. */
const receiveTransfer = ({ client }: Stage) =>
  client.receipts.record({
    amount: 1_500,
    currency: 'usd',
    reference: 'Thank you',
    bankReference: unique('bank'),
  });

export const paymentRecipes: readonly Recipe[] = [
  {
    causes: ['receipt.recorded'],
    run: async (stage) => {
      await receiveTransfer(stage);
    },
  },
  {
    causes: ['receipt.returned'],
    run: async (stage) => {
      const { id } = await receiveTransfer(stage);
      await stage.client.receipts.return(id, {});
    },
  },
  {
    causes: ['receipt.applied'],
    run: async (stage) => {
      const { customerId } = await subscribe(stage, await createPlan(stage));
      const invoice = await stage.client.invoices.adjustmentCreate({
        customerId,
        amount: 1_500,
        description: 'Correction',
      });
      const { id } = await receiveTransfer(stage);
      await stage.client.receipts.apply(id, { invoiceId: invoice.id });
    },
  },
  {
    causes: ['payment_link.completed'],
    run: (stage) => payLink(stage, cards.pays),
  },
  {
    causes: ['payment_link.failed'],
    run: (stage) => rejected('payment_failed', payLink(stage, cards.declines)),
  },
  {
    causes: ['payment.disputed', 'payment.dispute_resolved'],
    run: async (stage) => {
      const { id } = await subscribe(stage, await createPlan(stage), cards.disputes);
      const { data } = await stage.client.transactions.list({ subscriptionIds: [id] });
      await stage.client.graphql(
        'mutation ($id: ID!) { transactionDisputeResolve(input: { id: $id, outcome: won }) { id } }',
        { id: data[0]?.id },
      );
    },
  },
  {
    causes: ['checkout.duplicate'],
    run: buyTwice,
  },
  {
    causes: ['payment_route.updated'],
    run: async ({ client }) => {
      // Antarctica has no customers, so that the route affects no checkout.
      const set =
        'mutation ($provider: String) { paymentRouteSet(input: { country: "AQ", provider: $provider }) { country } }';
      await client.graphql(set, { provider: 'platform' });
      await client.graphql(set, { provider: null });
    },
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
    causes: ['auto_topup.skipped'],
    run: async (stage) => {
      const { client } = stage;
      const plan: PlanTerms = { model: 'credits', price: { includedCredits: 10 } };
      const subscription = await subscribeWith(stage, plan, 'usage', { creditsPerUnit: 1 });
      const pack = await client.creditPacks.create({ name: unique('pack'), credits: 10, price: 900 });
      await client.customers.autoTopUpSet(subscription.customerId, {
        threshold: 5,
        refill: { creditPackId: pack.id },
        maxAmountPerMonth: 10_000,
        consentReference: 'terms-2026',
      });
      // The customer hasn't consented to the new price.
      await client.creditPacks.update(pack.id, { price: 1_900 });
      await track(stage, subscription, 8);
    },
  },
  {
    causes: ['auto_topup.failed'],
    run: async (stage) => {
      await declineTopUp(stage);
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
