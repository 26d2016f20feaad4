import type { SumSource } from '../../../domain/metrics/sources.ts';
import type { App } from '../../../request/context.ts';
import type { Source } from '../day-sums/store.ts';
import { ledgerSource } from '../ledger-days/store.ts';
import { marginSource } from '../margin/store.ts';
import { revenueSource } from '../metrics/worker/store.ts';
import { outcomeSource } from '../outcome-days/store.ts';
import { usageSource } from '../usage-days/store.ts';

/** All sources with their sums, by name. */
const byName: Readonly<Record<SumSource, Source>> = {
  ledger: ledgerSource,
  margin: marginSource,
  outcomes: outcomeSource,
  revenue: revenueSource,
  usage: usageSource,
};

/** All sources of sums. */
export const sources: readonly Source[] = Object.values(byName);

/** True if the rows of a source are kept permanently, so that its sums can be recalculated. */
export const keepsRows = (
  { config }: Pick<App, 'config'>,
  { retention }: Pick<Source, 'retention'>,
): boolean => retention === undefined || config[retention] === 0;
