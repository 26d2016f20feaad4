import { type CommandInput, type CustomerCommand, execute } from '../src/engine/execute.ts';
import { bootstrap } from '../src/modules/organization/provisioning/bootstrap.ts';
import { parseConfig } from '../src/platform/config.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { openDatabase } from '../src/platform/db/open.ts';
import { openLog } from '../src/platform/log.ts';
import { loadSecrets } from '../src/platform/secrets.ts';
import { vaultCard } from '../src/providers/sandbox.ts';
import { type App, type Context, systemContext } from '../src/request/context.ts';
import { createApp } from '../src/start.ts';
import { addCustomers, addPlan, card, cards } from '../test/support/billing-world.ts';
import { apiKey } from './children.ts';
import { createDatabase, onDatabase } from './database.ts';

const perBatch = 500;

/** Opens the app on a migrated database, without the API and the worker. `settings` are environment variables. */
export async function openWorld(
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<App> {
  const config = parseConfig({
    DATABASE_URL: databaseUrl,
    BOOTSTRAP_API_KEY: apiKey,
    LOG_LEVEL: 'error',
    ...settings,
  });
  const database = await openDatabase(config);
  await migrate(database);
  const secrets = await loadSecrets(database, config);
  const log = openLog('error');
  const app = await createApp({ config, database, secrets, log });
  await bootstrap(app);
  return app;
}

export async function closeWorld(app: App): Promise<void> {
  await app.pubsub.close();
  await app.database.close();
}

/** Returns the sandbox for the benchmark's API key. */
export async function sandboxOf(databaseUrl: string): Promise<string> {
  const { rows } = await onDatabase(databaseUrl, (client) =>
    client.query<{ id: string }>(`SELECT id FROM "Environment" WHERE mode = 'sandbox'`),
  );
  const [first] = rows;
  if (first === undefined || rows.length > 1)
    throw new Error('The benchmark database must have exactly one sandbox.');
  return first.id;
}

async function executeAll(ctx: Context, commands: readonly CustomerCommand[]): Promise<(string | null)[]> {
  const ids: (string | null)[] = [];
  for (let begin = 0; begin < commands.length; begin += perBatch) {
    for (const { outcome } of await execute(ctx, commands.slice(begin, begin + perBatch))) {
      if (outcome.kind !== 'ok')
        throw new Error(`A command of the benchmark wasn't executed: ${JSON.stringify(outcome)}`);
      ids.push(outcome.subscriptionId);
    }
  }
  return ids;
}

/** Creates customers with paid, active monthly subscriptions. Bypasses the API by calling the engine, with many subscriptions per transaction. */
export async function addSubscriptions(ctx: Context, prefix: string, count: number): Promise<void> {
  const { planId } = await addPlan(ctx, `monthly_${prefix}`, 'monthly', 1_900n);
  const customers = await addCustomers(ctx, prefix, count);
  const create: CommandInput = { kind: 'subscription.create', selection: { planId } };
  const subscriptions = await executeAll(
    ctx,
    customers.map((customerId) => ({ customerId, input: create })),
  );
  const method = vaultCard(card(cards.pays), ctx.wall.now());
  const pay = customers.map((customerId, index): CustomerCommand => {
    const subscriptionId = subscriptions[index] ?? '';
    return { customerId, input: { kind: 'checkout.pay', subscriptionId, method, abandoned: null } };
  });
  await executeAll(ctx, pay);
}

/** Creates a database with paid monthly subscriptions in the sandbox for the benchmark's API key, then closes the connections. */
export async function seededDatabase(subscriptions: number): Promise<string> {
  const url = await createDatabase();
  const app = await openWorld(url);
  try {
    const sandbox = await systemContext(app, await sandboxOf(url));
    await addSubscriptions(sandbox, 'c', subscriptions);
    // Disables emails. Otherwise, the worker would write receipts, which the baseline doesn't contain.
    await app.database.script('UPDATE "Organization" SET "customerEmails" = false');
    await app.database.script('VACUUM ANALYZE');
  } finally {
    await closeWorld(app);
  }
  return url;
}
