import { createCustomer, createPayer, createPayment, requested } from '../factories.ts';
import { createUntaxable, noId } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'GET /payments': async (shop) => {
      const { customerId } = await createPayer(shop);
      return { query: { customerId, limit: '2' } };
    },
    'POST /payments': async (shop) => {
      const { externalId: customerId } = await createCustomer(shop);
      const more = { customerId, successUrl: 'https://shop.test/thanks', metadata: { order: 'A-7' } };
      return { body: { amount: 18_450, currency: 'eur', description: 'Workshop in May', ...more } };
    },
    'GET /payments/{id}': async (shop) => ({ path: { id: (await createPayer(shop)).paymentId } }),
    'POST /payments/{id}/cancel': async (shop) => ({ path: { id: (await createPayment(shop)).id } }),
    'POST /payments/charge': async (shop) => {
      const { customerId } = await createPayer(shop);
      return {
        body: {
          customerId,
          amount: 2_500,
          currency: 'usd',
          description: 'An hour of support',
          metadata: { ticket: '12' },
        },
      };
    },
  },
  provocations: {
    'POST /payments': {
      customer_not_found: async () => ({ body: requested({ customerId: 'cus_none' }) }),
      payment_failed: async (shop) => ({ body: requested({ customerId: await createUntaxable(shop) }) }),
    },
    'GET /payments/{id}': { payment_not_found: noId({ id: 'pay_none' }) },
    'POST /payments/{id}/cancel': {
      payment_not_found: noId({ id: 'pay_none' }),
      payment_not_cancelable: async (shop) => ({ path: { id: (await createPayer(shop)).paymentId } }),
    },
    'POST /payments/charge': {
      customer_not_found: async () => ({ body: requested({ customerId: 'cus_none' }) }),
      no_payment_method: async (shop) => ({
        body: requested({ customerId: (await createCustomer(shop)).id }),
      }),
      payment_failed: { because: 'A decline leaves a failed payment; met in the tests of payments.' },
      provider_unsupported: {
        because: 'Every method that is stored was stored by a gateway that can charge it.',
      },
    },
  },
};
