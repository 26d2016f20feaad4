'use client';

import type { ReactNode } from 'react';
import { useEntitlement, useQuittance } from './provider.tsx';
import type { FeatureSnapshot } from './snapshot.ts';
import { filled } from './texts.ts';

/** Shows its children only if the customer can use a number of units of a feature. The server must check the access too. */
export function Entitled({
  feature,
  quantity = 1,
  fallback = null,
  children,
}: {
  /** Code of the feature. */
  readonly feature: string;
  /** Number of units that the action needs. Defaults to 1. */
  readonly quantity?: number;
  /** Content for customers without access. */
  readonly fallback?: ReactNode;
  readonly children?: ReactNode;
}) {
  const { allowed, available } = useEntitlement(feature);
  return <>{allowed && (available === null || available >= quantity) ? children : fallback}</>;
}

/** Shows the usage of a feature. Shows nothing if the feature has no units. */
export function UsageMeter({
  feature,
  label,
  className = 'quittance-usage',
  render,
}: {
  /** Code of the feature. */
  readonly feature: string;
  /** Label of the meter. Defaults to the name of the feature. */
  readonly label?: string;
  readonly className?: string;
  /** Replaces the elements. */
  readonly render?: (usage: FeatureSnapshot) => ReactNode;
}) {
  const { texts, locale } = useQuittance();
  const usage = useEntitlement(feature);
  if (render !== undefined) return <>{render(usage)}</>;
  const { name, used, included } = usage;
  if (used === null) return null;
  const format = new Intl.NumberFormat(locale);
  const shown = label ?? name;
  return (
    <div className={className}>
      <span className={`${className}-label`}>{shown}</span>
      {included === null ? null : (
        <progress
          className={`${className}-bar`}
          aria-label={shown}
          max={included || 1}
          value={Math.min(used, included || 1)}
        />
      )}
      <span className={`${className}-text`}>
        {included === null
          ? filled(texts.used, { used: format.format(used) })
          : filled(texts.usedOf, { used: format.format(used), included: format.format(included) })}
      </span>
    </div>
  );
}
