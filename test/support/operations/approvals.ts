import { createConsumer, of } from '../consumers.ts';
import type { Shop } from '../factories.ts';
import { none, reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

/** Returns the ID of an approval for usage above a limit. */
async function requested(shop: Shop): Promise<string> {
  const consumer = await createConsumer(shop);
  await shop.rest('POST', '/limits', {
    scope: { customer: consumer.customerId },
    measure: 'calls',
    window: { kind: 'day' },
    amount: 0,
    action: 'approve',
  });
  const { body } = await shop.rest<{ error: { details: { approvalId: string } } }>(
    'POST',
    '/usage/events',
    of(consumer),
  );
  return body.error.details.approvalId;
}

export const operations: ModuleOperations = {
  requests: {
    'GET /approvals': async (shop) => {
      await requested(shop);
      return { query: { status: 'pending' } };
    },
    'GET /approvals/{id}': async (shop) => ({ path: { id: await requested(shop) } }),
  },
  unrouted: {
    approvalChanged: {
      because: reasons.live,
      text: 'subscription { approvalChanged { id status } }',
      variables: none,
    },
    approvalDecide: {
      because: reasons.members,
      text: 'mutation ($input: ApprovalDecideInput!) { approvalDecide(input: $input) { status } }',
      variables: async () => ({ input: { id: 'apr_none', decision: 'approve' } }),
    },
  },
};
