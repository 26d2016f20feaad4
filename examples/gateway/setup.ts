import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { NotFoundError, Quittance } from '@quittance/sdk';
import { customerId, featureCode, hashOf } from './app.ts';

// Usage: node setup.ts funds=500 research=50 support=20
// Adds US dollars to the balance of the company, and creates teams with monthly budgets in US dollars. The first run also creates the plan.

/** Prices of the models in US dollars per million tokens. */
const models = {
  'openai/gpt-5': { input: '1.25', cacheRead: '0.125', output: '10' },
  'openai/gpt-5-mini': { input: '0.25', cacheRead: '0.025', output: '2' },
};

const { QUITTANCE_URL = '', QUITTANCE_API_KEY = '' } = process.env;
const q = new Quittance({ baseUrl: QUITTANCE_URL, apiKey: QUITTANCE_API_KEY });

async function createPlan(): Promise<void> {
  for (const [model, prices] of Object.entries(models)) await q.aiModels.priceSet(model, { prices });
  const feature = await q.features.create({ code: featureCode, name: 'Tokens', type: 'usage' });
  const terms = { consumptionModel: 'balance', isFree: true } as const;
  const plan = await q.plans.create({ code: 'gateway', name: 'Gateway', ...terms });
  // A margin of 0 charges the prices of the models.
  await q.plans.featureAdd(plan.id, { featureId: feature.id, pricingMode: 'ai_model', margin: 0 });
  await q.customers.create({ externalId: customerId, email: 'it@example.com' });
  await q.subscriptions.create({ customerId, planId: plan.id });
}

async function addFunds(amount: number): Promise<void> {
  const [subscription] = (await q.subscriptions.list({ customerId })).data;
  // Balances are in 1/10,000 of a dollar.
  await q.subscriptions.balanceAdjust(subscription?.id ?? '', {
    amount: Math.round(amount * 10_000),
    reason: 'Funds for teams',
  });
}

/** Creates the budget of a team, and returns the key of the team. */
async function createTeam(name: string, amount: number): Promise<string> {
  const budget = `team:${name}`;
  await q.customers.budgetCreate(customerId, { key: budget, name });
  await q.limits.create({
    name: `Monthly budget of ${name}`,
    scope: { customer: customerId, budget },
    measure: 'value',
    currency: 'usd',
    window: { kind: 'month' },
    amount: Math.round(amount * 100),
    action: 'block',
  });
  const key = `sk-team-${randomBytes(24).toString('base64url')}`;
  // The file contains only hashes of keys.
  const teams = existsSync('teams.json') ? JSON.parse(readFileSync('teams.json', 'utf8')) : {};
  writeFileSync('teams.json', `${JSON.stringify({ ...teams, [hashOf(key)]: budget }, null, 2)}\n`);
  return key;
}

await q.customers.get(customerId).catch((error) => {
  if (error instanceof NotFoundError) return createPlan();
  throw error;
});
for (const argument of process.argv.slice(2)) {
  const [name = '', amount] = argument.split('=');
  if (!(Number(amount) > 0))
    throw new Error(`${argument} must have a name and an amount, such as research=50.`);
  if (name === 'funds') await addFunds(Number(amount));
  else console.log(`${name} ${await createTeam(name, Number(amount))}`);
}
