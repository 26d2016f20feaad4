import {
  createCustomer,
  createPlan,
  payCheckout,
  subscribe,
  track,
} from '../../src/packages/cli/recipe-stage.ts';
import { type Agent, check, ledgerCheck, nothing, paidTotals, type Task, type World } from './task.ts';

// Tasks about plans, usage, and credits.

/** Subscribes a new customer without a free trial, and pays. Returns the customer's ID. */
async function buy(world: World, planCode: string, billingInterval?: 'monthly' | 'yearly'): Promise<string> {
  const { id } = await createCustomer(world);
  const { checkoutUrl } = await world.client.subscriptions.create({
    customerId: id,
    planCode,
    skipTrial: true,
    ...(billingInterval === undefined ? {} : { billingInterval }),
  });
  await payCheckout(world, checkoutUrl);
  return id;
}

/** Runs a grader's steps. A rejected request fails the check instead of the run. */
async function graded<T>(steps: () => Promise<T>): Promise<T | string> {
  return steps().catch((error: unknown) => `failed: ${String(error)}`);
}

async function createPro(agent: Agent, scale: number, trialDays: number): Promise<void> {
  await agent.call('plan_create', { name: 'Pro', code: 'pro' });
  for (const [billingInterval, price] of [
    ['monthly', 29 * scale],
    ['yearly', 290 * scale],
  ])
    await agent.call('plan_price_add', { id: 'pro', billingInterval, price, trialDays });
}

export const sellPlan: Task = {
  id: 'sell-a-plan',
  textOf: () =>
    'Sell the plan "Pro" with the code pro for $29.00 a month or $290.00 a year, each with a free trial of 14 days.',
  prepare: async () => ({}),
  solve: async (agent) => {
    await createPro(agent, 100, 14);
    return {};
  },
  grade: async (world) => {
    const totals = await graded(async () => {
      const { prices } = await world.client.plans.get('pro');
      const trials = prices.map(({ trialDays }) => trialDays);
      const [monthly, yearly] = [await buy(world, 'pro', 'monthly'), await buy(world, 'pro', 'yearly')];
      await world.advanceDays(360);
      return [trials, await paidTotals(world, monthly), await paidTotals(world, yearly)];
    });
    const year = Array.from({ length: 12 }, () => 2_900);
    return [
      check('trials and invoices of a year', totals, [[14, 14], year, [29_000]]),
      await ledgerCheck(world),
    ];
  },
  mistakes: {
    'does nothing': nothing,
    'sends dollars instead of cents': async (agent) => {
      await createPro(agent, 1, 14);
      return {};
    },
    'omits the free trial': async (agent) => {
      await createPro(agent, 100, 0);
      return {};
    },
  },
};

const models = ['large', 'small'] as const;

async function createMetered(
  agent: Agent,
  rates: Readonly<Record<(typeof models)[number], string>>,
): Promise<void> {
  const { id: featureId } = await agent.call('feature_create', {
    name: 'Tokens',
    code: 'tokens',
    type: 'usage',
  });
  await agent.operate('feature_meter_set', {
    code: 'tokens',
    aggregation: 'sum',
    dimensions: [{ property: 'model' }],
  });
  await agent.call('plan_create', { name: 'AI', code: 'ai' });
  await agent.call('plan_price_add', { id: 'ai', billingInterval: 'monthly', price: 1_000 });
  await agent.call('plan_feature_add', {
    id: 'ai',
    featureId,
    includedAmount: 0,
    overage: { enabled: true },
  });
  await agent.operate('plan_feature_rate_set', {
    id: 'ai',
    featureId,
    rate: {
      cells: models.map((model) => ({
        when: { model: [model] },
        rate: { amount: rates[model], per: 1_000 },
      })),
    },
  });
}

export const meterTokens: Task = {
  id: 'meter-tokens',
  textOf: () =>
    'Sell the plan "AI" with the code ai for $10.00 a month. Charge tokens with the usage feature tokens. Events have the property model: large or small. A thousand tokens cost us $0.0120 with large and $0.0010 with small. Charge our cost plus 20%.',
  prepare: async () => ({}),
  solve: async (agent) => {
    await createMetered(agent, { large: '0.0144', small: '0.0012' });
    return {};
  },
  grade: async (world) => {
    const totals = await graded(async () => {
      const customerId = await buy(world, 'ai');
      for (const [model, value] of [
        ['large', 150_000],
        ['small', 500_000],
      ] as const)
        await world.client.usage.track({
          customerId,
          featureCode: 'tokens',
          value,
          eventId: model,
          properties: [{ property: 'model', value: model }],
        });
      await world.advanceDays(32);
      return paidTotals(world, customerId);
    });
    return [
      check('the invoices contain the price and $2.76 of usage', totals, [1_000, 1_276]),
      await ledgerCheck(world),
    ];
  },
  mistakes: {
    'does nothing': nothing,
    'charges the cost without the margin': async (agent) => {
      await createMetered(agent, { large: '0.0120', small: '0.0010' });
      return {};
    },
  },
};

const creditCosts = { text: 1, image: 10, video: 50 } as const;

async function createStudio(agent: Agent, terms: object, includedCredits = 100): Promise<void> {
  await agent.call('plan_create', { name: 'Studio', code: 'studio', consumptionModel: 'credits', ...terms });
  await agent.call('plan_price_add', {
    id: 'studio',
    billingInterval: 'monthly',
    price: 2_000,
    includedCredits,
  });
  for (const [code, creditsPerUnit] of Object.entries(creditCosts)) {
    const { id: featureId } = await agent.call('feature_create', { name: code, code, type: 'usage' });
    await agent.call('plan_feature_add', { id: 'studio', featureId, creditsPerUnit });
  }
}

export const gateByCredits: Task = {
  id: 'gate-by-credits',
  textOf: () =>
    'Sell the plan "Studio" with the code studio for $20.00 a month with 100 credits a month that expire at the end of the month. The usage features text, image, and video cost 1, 10, and 50 credits a unit. Without credits, no unit can be used.',
  prepare: async () => ({}),
  solve: async (agent) => {
    await createStudio(agent, { blockOnExhaustion: true });
    return {};
  },
  grade: async (world) => {
    const found = await graded(async () => {
      const customerId = await buy(world, 'studio');
      const can = async (featureCode: string, quantity: number): Promise<boolean> =>
        (await world.client.usage.check({ customerId, featureCode, quantity })).allowed;
      const full = [await can('video', 2), await can('video', 3)];
      await track(world, { customerId, featureCode: 'video' }, 2);
      const empty = await can('text', 1);
      await world.advanceDays(32);
      await track(world, { customerId, featureCode: 'image' }, 4);
      await world.advanceDays(31);
      return [full, empty, await can('text', 100), await can('text', 101)];
    });
    return [
      check('access with and without credits', found, [[true, false], false, true, false]),
      await ledgerCheck(world),
    ];
  },
  mistakes: {
    'does nothing': nothing,
    'includes ten times the credits': async (agent) => {
      await createStudio(agent, { blockOnExhaustion: true }, 1_000);
      return {};
    },
  },
};

export const raisePrice: Task = {
  id: 'raise-a-price',
  textOf: ({ plan }) =>
    `Raise the monthly price of the plan ${String(plan)} from $49.00 to $59.00 for new customers. Current customers keep their price.`,
  prepare: async (world) => {
    const { id, code } = await createPlan(world);
    const { customerId } = await subscribe(world, { id });
    return { plan: code, customerId };
  },
  solve: async (agent, { plan }) => {
    const { prices } = await agent.call('plan', { id: plan });
    const [old] = prices as readonly { readonly id: string }[];
    await agent.operate('plan_price_archive', { id: plan, priceId: old?.id });
    await agent.call('plan_price_add', { id: plan, billingInterval: 'monthly', price: 5_900 });
    return {};
  },
  grade: async (world, { plan, customerId }) => {
    const found = await graded(async () => {
      const fresh = await buy(world, String(plan));
      await world.advanceDays(32);
      return [await paidTotals(world, String(customerId)), await paidTotals(world, fresh)];
    });
    return [
      check('old and new invoices', found, [
        [4_900, 4_900],
        [5_900, 5_900],
      ]),
      await ledgerCheck(world),
    ];
  },
  mistakes: {
    'does nothing': nothing,
    'changes the price of current customers': async (agent, { plan }) => {
      const { prices } = await agent.call('plan', { id: plan });
      const [old] = prices as readonly { readonly id: string }[];
      await agent.operate('plan_price_update', { id: plan, priceId: old?.id, price: 5_900 });
      return {};
    },
  },
};
