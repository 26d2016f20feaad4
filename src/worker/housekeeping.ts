import { closeExpiredPurchases } from '../modules/pages/pricing-tables/worker.ts';
import { reseal } from '../platform/reseal.ts';
import type { App } from '../request/context.ts';
import { removables, removeOld } from './retention.ts';
import { sealedColumns } from './sealed-columns.ts';

/** Re-encrypts values that were encrypted with older secrets, using the current `APP_SECRET`. Logs and returns the number of values. */
export async function resealOld(app: App): Promise<number> {
  const { resealed, unreadable } = await reseal(app.database, app.secrets, sealedColumns);
  if (resealed > 0)
    app.log.info({ resealed }, 'Stored secrets were encrypted again with the current APP_SECRET.');
  if (unreadable > 0)
    app.log.error(
      { unreadable },
      'Stored secrets cannot be opened: their secret is missing from APP_SECRET_PREVIOUS.',
    );
  return resealed;
}

/** Runs all housekeeping tasks one after another. */
export async function housekeep(app: App): Promise<void> {
  await resealOld(app);
  for (const kind of removables) await removeOld(app, kind);
  await closeExpiredPurchases(app);
}
