import { cards, createSubscription, neededAddress, pay, payment } from '../factories.ts';
import { reasons } from './shared.ts';
import type { MakeVariables, ModuleOperations } from './types.ts';

const openCheckout: MakeVariables = async (shop) => ({ token: (await createSubscription(shop)).token });

export const operations: ModuleOperations = {
  unrouted: {
    checkout: {
      because: reasons.checkoutPage,
      text: 'query ($token: String!) { checkout(token: $token) { status } }',
      variables: openCheckout,
    },
    checkoutPay: {
      because: reasons.checkoutPage,
      text: 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status subscription { subscriptionId status } } }',
      variables: async (shop) => {
        const { token } = await createSubscription(shop);
        return { input: { ...payment(token), ...(await neededAddress(shop, 'checkout', token)) } };
      },
    },
    checkoutAuthenticate: {
      because: reasons.checkoutPage,
      text: 'mutation ($input: CheckoutAuthenticateInput!) { checkoutAuthenticate(input: $input) { status } }',
      variables: async (shop) => {
        const { token } = await createSubscription(shop);
        await pay(shop, token, cards.authenticates);
        return { input: { token, succeed: true } };
      },
    },
    checkoutChanged: {
      because: reasons.live,
      text: 'subscription ($token: String!) { checkoutChanged(token: $token) { status } }',
      variables: openCheckout,
    },
    checkoutUpdate: {
      because: reasons.checkoutPage,
      text: 'mutation ($input: CheckoutUpdateInput!) { checkoutUpdate(input: $input) { status locale } }',
      variables: async (shop) => ({ input: { ...(await openCheckout(shop)), locale: 'es' } }),
    },
    checkoutQuote: {
      because: reasons.checkoutPage,
      text: 'query ($input: CheckoutQuoteInput!) { checkoutQuote(input: $input) { currency amountDue } }',
      variables: async (shop) => ({ input: { ...(await openCheckout(shop)), country: 'US' } }),
    },
  },
};
