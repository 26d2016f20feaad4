// Numbers of a customer of which amounts of limits can be shares.
import type { LimitRow } from '../limits/limit.ts';
import type { ShareBase } from '../limits/shares.ts';
import { fallOf } from '../lots/falls.ts';
import { poolOfAsset } from '../pricing/pools.ts';
import { heldIncluded } from './included.ts';
import { unitScale } from './metered-terms.ts';
import type { Subscriber, Used, WindowSource } from './window-lines.ts';

/** Returns a feature with the terms of a customer. `null` if the subscription doesn't include the feature. */
export function featureOf(source: WindowSource, code: string | undefined, subject: Subscriber): Used | null {
  const feature = source.catalog.features.values().find((row) => row.code === code && row.deletedAt === null);
  const terms = feature === undefined ? null : source.termsOf(subject.subscription, subject.plan, feature);
  return feature === undefined || terms === null ? null : { ...subject, feature, terms };
}

/** Returns the number of which the amount of a limit is a share. `null` if the number is unknown. */
export function baseOf(
  source: WindowSource,
  { asset, filter }: LimitRow,
  of: ShareBase,
  subject: Subscriber,
): bigint | null {
  if (asset === null) {
    const used = featureOf(source, filter.features[0], subject);
    return used === null || used.terms.unlimited ? null : used.terms.includedAmount / unitScale(used.terms);
  }
  const pool = poolOfAsset(asset);
  if (of === 'included') return heldIncluded(source.catalog, subject.subscription, source.now)[pool] ?? null;
  const account = source.accountOf(subject.subscription.id);
  if (account === null) return null;
  const { granted, refilled } = fallOf(account, account, pool);
  return of === 'last_grant' ? granted : refilled;
}
