import { createCustomer, createPayer } from '../factories.ts';
import { noId, reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'GET /customers': async (shop) => ({ query: { externalId: (await createCustomer(shop)).externalId } }),
    'POST /customers': async (shop) => {
      const externalId = shop.next('customer');
      const address = { line1: '1 Main St', city: 'Springfield', postalCode: '12345', country: 'US' };
      return {
        body: {
          email: `${externalId}@shop.test`,
          externalId,
          fullName: 'Ada',
          address,
          timezone: 'Europe/Berlin',
          metadata: { tier: 1 },
        },
      };
    },
    'POST /customers/batch': async (shop) => {
      const [externalId, other] = [shop.next('customer'), shop.next('customer')];
      const good = { email: `${externalId}@shop.test`, externalId };
      return {
        body: { customers: [good, { ...good, id: other, fullName: 'Two names', metadata: { a: 1 } }] },
      };
    },
    'GET /customers/{id}': async (shop) => ({ path: { id: (await createCustomer(shop)).id } }),
    'PATCH /customers/{id}': async (shop) => ({
      path: { id: (await createCustomer(shop)).id },
      body: { fullName: 'Grace' },
    }),
  },
  provocations: {
    'GET /customers/{id}': { customer_not_found: noId({ id: 'cus_none' }) },
    'PATCH /customers/{id}': {
      customer_not_found: noId({ id: 'cus_none' }, { fullName: 'Nobody' }),
      duplicate: async (shop) => {
        const [customer, other] = [await createCustomer(shop), await createCustomer(shop)];
        return { path: { id: customer.id }, body: { externalId: other.externalId } };
      },
    },
  },
  unrouted: {
    customerDelete: {
      because: 'Customers are deleted by people, on dashboards.',
      text: 'mutation ($input: CustomerDeleteInput!) { customerDelete(input: $input) { deletedId } }',
      variables: async (shop) => ({ input: { id: (await createCustomer(shop)).id } }),
    },
    customerPaymentMethodRemove: {
      because: reasons.more,
      text: 'mutation ($input: CustomerPaymentMethodRemoveInput!) { customerPaymentMethodRemove(input: $input) { id email } }',
      variables: async (shop) => {
        const { customerId } = await createPayer(shop);
        const { customer } = await shop.t.graphql<{ customer: { paymentMethods: { id: string }[] } }>(
          'query ($id: ID!) { customer(id: $id) { paymentMethods { id } } }',
          { id: customerId },
          { key: shop.key },
        );
        return { input: { customerId, paymentMethodId: customer.paymentMethods[0]?.id } };
      },
    },
  },
};
