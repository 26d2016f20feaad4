import {
  cards,
  createActiveSubscription,
  createSubscription,
  pay,
  payment,
  type Shop,
} from '../factories.ts';
import { canceled, noId, reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

const openMethodPage = async (shop: Shop): Promise<string> => {
  const { id } = await createActiveSubscription(shop);
  const { body } = await shop.rest<{ checkoutUrl: string }>(
    'POST',
    `/subscriptions/${id}/payment-method/update`,
    {},
  );
  return body.checkoutUrl.split('/').at(-1) ?? '';
};

/** Creates a recovery link for a subscription whose reactivation failed. */
const openRecovery = async (shop: Shop): Promise<string> => {
  const { id, token } = await createSubscription(shop);
  await pay(shop, token, cards.declinesLater);
  await shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true });
  const { body } = await shop.rest<{ error: { details: { recoveryUrl: string } } }>(
    'POST',
    `/subscriptions/${id}/reactivate`,
    {},
  );
  return body.error.details.recoveryUrl.split('/').at(-1) ?? '';
};

export const operations: ModuleOperations = {
  requests: {
    'POST /subscriptions/{id}/payment-method/update': async (shop) => ({
      path: { id: (await createActiveSubscription(shop)).id },
      body: { successUrl: 'https://shop.test/thanks' },
    }),
  },
  provocations: {
    'POST /subscriptions/{id}/payment-method/update': {
      subscription_not_found: noId({ id: 'sub_none' }),
      invalid_subscription_status: canceled,
      provider_unsupported: { because: 'Every connection there is can store a method.' },
    },
  },
  unrouted: {
    paymentMethodUpdate: {
      because: reasons.cardPage,
      text: 'query ($token: String!) { paymentMethodUpdate(token: $token) { status } }',
      variables: async (shop) => ({ token: await openMethodPage(shop) }),
    },
    paymentMethodStore: {
      because: reasons.cardPage,
      text: 'mutation ($input: PaymentMethodStoreInput!) { paymentMethodStore(input: $input) { status } }',
      variables: async (shop) => ({ input: payment(await openMethodPage(shop)) }),
    },
    paymentMethodAuthenticate: {
      because: reasons.cardPage,
      text: 'mutation ($input: PaymentMethodAuthenticateInput!) { paymentMethodAuthenticate(input: $input) { status } }',
      variables: async (shop) => {
        const token = await openMethodPage(shop);
        const store =
          'mutation ($input: PaymentMethodStoreInput!) { paymentMethodStore(input: $input) { status } }';
        await shop.t.graphql(store, { input: payment(token, cards.authenticates) }, { key: null });
        return { input: { token, succeed: true } };
      },
    },
    recovery: {
      because: reasons.cardPage,
      text: 'query ($token: String!) { recovery(token: $token) { status } }',
      variables: async (shop) => ({ token: await openRecovery(shop) }),
    },
    recoveryPay: {
      because: reasons.cardPage,
      text: 'mutation ($input: RecoveryPayInput!) { recoveryPay(input: $input) { status } }',
      variables: async (shop) => ({ input: payment(await openRecovery(shop)) }),
    },
    recoveryChanged: {
      because: reasons.live,
      text: 'subscription ($token: String!) { recoveryChanged(token: $token) { status } }',
      variables: async (shop) => ({ token: await openRecovery(shop) }),
    },
    recoveryAuthenticate: {
      because: reasons.cardPage,
      text: 'mutation ($input: RecoveryAuthenticateInput!) { recoveryAuthenticate(input: $input) { status } }',
      variables: async (shop) => {
        const token = await openRecovery(shop);
        const recover = 'mutation ($input: RecoveryPayInput!) { recoveryPay(input: $input) { status } }';
        await shop.t.graphql(recover, { input: payment(token, cards.authenticates) }, { key: null });
        return { input: { token, succeed: true } };
      },
    },
  },
};
