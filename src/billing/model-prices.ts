import type { App } from '../context.ts';
import { syncModelPrices } from '../modules/ai-models/sync.ts';

const dayMs = 86_400_000;

/**
 * Once a day of operational time, where the settings name a source, stores a job to read the prices of AI models (CON-32a); whichever process
 * comes first. Answers whether it did.
 */
export async function requestModelPrices({ config, database, jobs, wall }: App): Promise<boolean> {
  if (config.aiPricesUrl === undefined) return false;
  const now = wall.now();
  const next = new Date(now.getTime() + dayMs);
  return database.transaction(async ({ query }) => {
    const claimed = await query(
      `INSERT INTO "Setting" (name, value) VALUES ('ai_prices_due', $1)
       ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value WHERE "Setting".value <= $2 RETURNING name`,
      [next.toISOString(), now.toISOString()],
    );
    if (claimed.length === 0) return false;
    await jobs.send('ai-prices', {}, { within: query });
    return true;
  });
}

/** Works such a job. Throws when the source cannot be read or used, so that the job is tried again; the catalogue stays as it was. */
export async function takeModelPrices(app: App): Promise<void> {
  const { aiPricesUrl } = app.config;
  if (aiPricesUrl === undefined) return;
  app.log.info(await syncModelPrices(app, aiPricesUrl), 'The prices of AI models were read.');
}
