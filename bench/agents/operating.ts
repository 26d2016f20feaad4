import { createHash } from 'node:crypto';
import {
  cards,
  createPlan,
  payCheckout,
  subscribe,
  subscribeWith,
} from '../../src/packages/cli/recipe-stage.ts';
import {
  type Agent,
  type Answer,
  check,
  ledgerCheck,
  nothing,
  paidTotals,
  type Start,
  type Task,
  type World,
} from './task.ts';

// Tasks about payments, usage records, migrations, and policies.

const newestTransaction = async ({ client }: World, subscriptionId: string): Promise<string> =>
  (await client.transactions.list({ subscriptionIds: [subscriptionId], limit: 1 })).data[0]?.id ?? '';

export const refundOnce: Task = {
  id: 'refund-once',
  textOf: ({ transaction }) =>
    `The payment ${String(transaction)} was a mistake. Refund it. The connection is unreliable: send the request twice, and make sure that the money is returned once.`,
  prepare: async (world) => {
    const plan = await createPlan(world);
    const { id, customerId } = await subscribe(world, plan);
    const other = await subscribe(world, plan);
    return {
      transaction: await newestTransaction(world, id),
      other: await newestTransaction(world, other.id),
      customerId,
    };
  },
  solve: async (agent, { transaction }) => {
    for (let sent = 0; sent < 2; sent++)
      await agent.call('transaction_refund', { id: transaction, idempotencyKey: 'refund-1' });
    return {};
  },
  grade: async (world, { transaction, other, customerId }) => {
    const statuses: string[] = [];
    for (const id of [transaction, other])
      statuses.push((await world.client.transactions.get(String(id))).status);
    const { data: notes } = await world.client.creditNotes.list({ customerId: String(customerId) });
    return [
      check('only the payment is refunded', statuses, ['refunded', 'succeeded']),
      check(
        'there is one credit note for the whole amount',
        notes.map(({ total }) => Math.abs(total)),
        [4_900],
      ),
      await ledgerCheck(world),
    ];
  },
  mistakes: {
    'does nothing': nothing,
    'refunds another payment': async (agent, { other }) => {
      await agent.call('transaction_refund', { id: other });
      return {};
    },
    'refunds both payments': async (agent, { transaction, other }) => {
      for (const id of [transaction, other]) await agent.call('transaction_refund', { id });
      return {};
    },
  },
};

type Row = { readonly id: string; readonly status: string };

/** Creates a recovery link for up to `most` past due subscriptions. */
async function recoveryLinks(agent: Agent, most: number): Promise<Answer> {
  const { data } = await agent.call('subscriptions', { status: 'past_due' });
  const links: Record<string, unknown> = {};
  for (const { id } of (data as readonly Row[]).slice(0, most))
    links[id] = (await agent.operate('subscription_recovery_link_create', { id }))['url'];
  return { links };
}

export const recoverPayments: Task = {
  id: 'recover-payments',
  textOf: () =>
    'Renewals failed. Create a recovery link for each past due subscription. Return {"links": {"<subscription ID>": "<URL>"}}.',
  prepare: async (world) => {
    const plan = await createPlan(world);
    const late: string[] = [];
    for (let count = 0; count < 2; count++) late.push((await subscribe(world, plan, cards.declinesLater)).id);
    const { id: paid } = await subscribe(world, plan);
    await world.advanceDays(32);
    return { late: late.toSorted(), paid };
  },
  solve: (agent) => recoveryLinks(agent, 100),
  grade: async (world, { late }, { links = {} }) => {
    const given = links as Readonly<Record<string, string>>;
    const found: unknown[] = [];
    for (const id of late as readonly string[]) {
      const token = String(given[id] ?? '')
        .split('/')
        .at(-1);
      const card = { number: cards.pays, expMonth: 12, expYear: 2099, cvc: '123' };
      await world.page
        .graphql('mutation ($input: RecoveryPayInput!) { recoveryPay(input: $input) { status } }', {
          input: { token, card },
        })
        .catch(() => null);
      const { status, customerId } = await world.client.subscriptions.get(id);
      found.push([status, await paidTotals(world, customerId)]);
    }
    const recovered = ['active', [4_900, 4_900]];
    return [
      check('the links belong to the past due subscriptions', Object.keys(given).toSorted(), late),
      check('each subscription is paid once', found, [recovered, recovered]),
      await ledgerCheck(world),
    ];
  },
  mistakes: {
    'does nothing': nothing,
    'handles only one subscription': (agent) => recoveryLinks(agent, 1),
  },
};

type Call = { readonly eventId: string; readonly customerId: string };

/** Returns the IDs of calls that aren't recorded, or that are recorded for another customer. */
async function differences(agent: Agent, { log }: Start): Promise<string[]> {
  const found: string[] = [];
  for (const { eventId, customerId } of log as readonly Call[]) {
    const { nodes } = await agent.operate('usage_events', { eventId });
    const [recorded] = nodes as readonly Call[];
    if (recorded?.customerId !== customerId) found.push(eventId);
  }
  return found;
}

export const reconcileUsage: Task = {
  id: 'reconcile-usage',
  textOf: ({ log }) =>
    `Compare the log of our gateway with the recorded usage. Return {"differences": [...]} with the event IDs of the calls that aren't recorded, or that are recorded for another customer. Log: ${JSON.stringify(log)}`,
  prepare: async (world) => {
    const own = await subscribeWith(world, {}, 'usage', { includedAmount: 1_000 });
    const other = await subscribe(world, { id: own.planId });
    const [missing, misplaced] = [new Set([2, 9]), 5];
    const log: Call[] = Array.from({ length: 12 }, (_one, index) => ({
      eventId: `call-${createHash('sha256').update(`${own.customerId} ${index}`).digest('hex').slice(0, 8)}`,
      customerId: own.customerId,
    }));
    for (const [index, { eventId, customerId }] of log.entries())
      if (!missing.has(index))
        await world.client.usage.track({
          customerId: index === misplaced ? other.customerId : customerId,
          featureCode: own.featureCode,
          eventId,
          value: 1,
        });
    return { log, planted: [...missing, misplaced].map((index) => log[index]?.eventId).toSorted() };
  },
  solve: async (agent, start) => ({ differences: await differences(agent, start) }),
  grade: async (_world, { planted }, { differences: found = [] }) => [
    check('the three differences', [...(found as string[])].toSorted(), planted),
  ],
  mistakes: {
    'does nothing': nothing,
    'reports all calls': async (_agent, { log }) => ({
      differences: (log as readonly Call[]).map(({ eventId }) => eventId),
    }),
    'finds only one difference': async (agent, start) => ({
      differences: (await differences(agent, start)).slice(0, 1),
    }),
  },
};

type Moved = { readonly externalId: string; readonly email: string };

async function move(agent: Agent, { rows, plan }: Start, terms: object): Promise<Answer> {
  for (const { externalId, email } of rows as readonly Moved[]) {
    await agent.call('customer_create', { externalId, email });
    await agent.call('subscription_create', { customerId: externalId, planCode: plan, ...terms });
  }
  return {};
}

export const moveSubscriptions: Task = {
  id: 'move-subscriptions',
  textOf: ({ csv, plan }) =>
    `Move these customers from another billing system to the plan ${String(plan)}. They have paid for the next 20 days there. Don't charge them before, and charge $49.00 then. CSV: ${String(csv)}`,
  prepare: async (world) => {
    const { code } = await createPlan(world);
    const rows: Moved[] = Array.from({ length: 12 }, (_one, index) => ({
      externalId: `old-${index + 1}`,
      email: `old-${index + 1}@example.com`,
    }));
    return {
      plan: code,
      rows,
      csv: `id,email\n${rows.map(({ externalId, email }) => `${externalId},${email}`).join('\n')}`,
    };
  },
  solve: (agent, start) => move(agent, start, { customTrialDays: 20 }),
  grade: async (world, { rows }) => {
    const { client } = world;
    const customers = (rows as readonly Moved[]).map(({ externalId }) => externalId);
    const totals = async (): Promise<number[][]> => {
      const found: number[][] = [];
      for (const id of customers) found.push(await paidTotals(world, id).catch(() => [-1]));
      return found;
    };
    // The payers confirm their cards, as after a migration.
    for (const customerId of customers) {
      const { data } = await client.subscriptions.list({ customerId });
      const [subscription] = data;
      const url =
        subscription === undefined ? null : (await client.subscriptions.get(subscription.id)).checkoutUrl;
      if (url != null) await payCheckout(world, url).catch(() => null);
    }
    await world.advanceDays(18);
    const before = await totals();
    await world.advanceDays(4);
    return [
      check(
        'no charge in the first 18 days',
        before,
        customers.map(() => []),
      ),
      check(
        '$49.00 for each after 20 days',
        await totals(),
        customers.map(() => [4_900]),
      ),
      await ledgerCheck(world),
    ];
  },
  mistakes: {
    'does nothing': nothing,
    'charges immediately': (agent, start) => move(agent, start, {}),
  },
};

export const workUnderPolicy: Task = {
  id: 'work-under-policy',
  textOf: ({ small, large }) =>
    `Refund the payments ${String(small)} and ${String(large)}. Your key may return up to $50.00 without an approval. If a call requires an approval, wait for it, and continue.`,
  prepare: async (world) => {
    const small = await subscribe(world, await createPlan(world, { price: { price: 4_000 } }));
    const large = await subscribe(world, await createPlan(world, { price: { price: 6_000 } }));
    await world.setPolicy({ maxAmountPerCall: 10_000, maxAmountPerDay: 20_000, approveAbove: 5_000 });
    return {
      small: await newestTransaction(world, small.id),
      large: await newestTransaction(world, large.id),
    };
  },
  solve: async (agent, { small, large }, world) => {
    await agent.call('transaction_refund', { id: small });
    const rejected = await agent.attempt('transaction_refund', { id: large });
    const { details } = (rejected['error'] ?? {}) as { readonly details?: { readonly approvalId?: string } };
    const approvalId = details?.approvalId ?? '';
    // A member decides, as on the dashboard.
    await world.approve(approvalId);
    await agent.call('transaction_refund', { id: large, approvalId });
    return {};
  },
  grade: async (world, { small, large }) => {
    const statuses: string[] = [];
    for (const id of [small, large]) statuses.push((await world.client.transactions.get(String(id))).status);
    const { data } = await world.client.approvals.list();
    return [
      check('both payments are refunded', statuses, ['refunded', 'refunded']),
      check(
        'one approval was used',
        data.map(({ status }) => status),
        ['used'],
      ),
      await ledgerCheck(world),
    ];
  },
  mistakes: {
    'does nothing': nothing,
    'ignores the approval': async (agent, { small, large }) => {
      for (const id of [small, large]) await agent.attempt('transaction_refund', { id });
      return {};
    },
  },
};
