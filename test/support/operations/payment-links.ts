import { cards, createPayment, neededAddress, payLink, payment } from '../factories.ts';
import { reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  unrouted: {
    paymentLink: {
      because: reasons.paymentLinkPage,
      text: 'query ($token: String!) { paymentLink(token: $token) { status nextStep amountTotal } }',
      variables: async (shop) => ({ token: (await createPayment(shop)).token }),
    },
    paymentLinkAuthenticate: {
      because: reasons.paymentLinkPage,
      text: 'mutation ($input: PaymentLinkAuthenticateInput!) { paymentLinkAuthenticate(input: $input) { status } }',
      variables: async (shop) => {
        const { token } = await createPayment(shop);
        await payLink(shop, token, { email: 'payer@shop.test' }, cards.authenticates);
        return { input: { token, succeed: true } };
      },
    },
    paymentLinkChanged: {
      because: reasons.live,
      text: 'subscription ($token: String!) { paymentLinkChanged(token: $token) { status } }',
      variables: async (shop) => ({ token: (await createPayment(shop)).token }),
    },
    paymentLinkPay: {
      because: reasons.paymentLinkPage,
      text: 'mutation ($input: PaymentLinkPayInput!) { paymentLinkPay(input: $input) { status paymentLink { status } } }',
      variables: async (shop) => {
        const { token } = await createPayment(shop);
        return {
          input: {
            ...payment(token),
            email: 'payer@shop.test',
            ...(await neededAddress(shop, 'paymentLink', token)),
          },
        };
      },
    },
  },
};
