import {
  createActiveSubscription,
  createCustomer,
  createDebit,
  createDispute,
  createPastDueSubscription,
  latestTransaction,
  mendMethods,
} from '../factories.ts';
import { noId, reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'GET /transactions': async (shop) => {
      const { customerId } = await createActiveSubscription(shop);
      const { body } = await shop.rest<{ email: string }>('GET', `/customers/${customerId}`);
      return { query: { status: 'succeeded', customerEmail: body.email, limit: '2' } };
    },
    'GET /transactions/{id}': async (shop) => ({
      path: { id: await latestTransaction(shop, (await createActiveSubscription(shop)).id) },
    }),
    'POST /transactions/{id}/refund': async (shop) => ({
      path: { id: await latestTransaction(shop, (await createActiveSubscription(shop)).id) },
    }),
    'POST /transactions/{id}/retry': async (shop) => {
      const { id, customerId } = await createPastDueSubscription(shop);
      await mendMethods(shop, customerId);
      return { path: { id: await latestTransaction(shop, id) } };
    },
  },
  provocations: {
    'GET /transactions/{id}': { transaction_not_found: noId({ id: 'txn_none' }) },
    'POST /transactions/{id}/refund': {
      transaction_not_found: noId({ id: 'txn_none' }),
      payment_failed: { because: 'The sandbox gateway declines no refund.' },
      provider_unsupported: { because: 'Every gateway there is can return money.' },
    },
    'POST /transactions/{id}/retry': {
      transaction_not_found: noId({ id: 'txn_none' }),
      no_outstanding_invoice: async (shop) => ({
        path: { id: await latestTransaction(shop, (await createActiveSubscription(shop)).id) },
      }),
      no_payment_method: {
        because: 'Anyone who is past due has stored a method at the checkout, and none can be taken away.',
      },
      charge_in_progress: {
        because: 'The sandbox gateway answers immediately; a charge stays open with a remote processor only.',
      },
      charge_failed: {
        because: 'A decline uses up a dunning slot, so it leaves a trace; met in the tests of transactions.',
      },
    },
  },
  unrouted: {
    transactionDisputeResolve: {
      because: 'Only the sandbox plays the bank of the payer.',
      text: 'mutation ($input: TransactionDisputeResolveInput!) { transactionDisputeResolve(input: $input) { status disputeOutcome } }',
      variables: async (shop) => ({ input: { id: (await createDispute(shop)).id, outcome: 'won' } }),
    },
    sandboxAttemptReport: {
      because: 'Only the sandbox plays the bank of the payer.',
      text: 'mutation ($input: SandboxAttemptReportInput!) { sandboxAttemptReport(input: $input) { status stage declineCode } }',
      variables: async (shop) => ({
        input: { id: (await createDebit(shop)).id, stage: 'declined', code: 'R01' },
      }),
    },
    disputes: {
      because: reasons.more,
      text: '{ disputes(first: 5) { edges { node { id disputeDueBy disputeReason grossAmount } } pageInfo { endCursor } } }',
      variables: async (shop) => {
        await createDispute(shop);
        return {};
      },
    },
    refunds: {
      because: reasons.more,
      text: 'query ($ids: [ID!]) { refunds(filter: { customerIds: $ids, statuses: [succeeded] }, first: 5) { edges { node { id amount status customer { id } transaction { id } } } } }',
      variables: async (shop) => ({ ids: [(await createCustomer(shop)).id] }),
    },
    transactionChanged: {
      because: reasons.live,
      text: 'subscription ($id: ID!) { transactionChanged(customerId: $id, statuses: [succeeded]) { id status } }',
      variables: async (shop) => ({ id: (await createActiveSubscription(shop)).customerId }),
    },
  },
};
