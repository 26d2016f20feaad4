import type { LimitTermsFragment } from './limits.graphql';

/** Returns the unit of a limit's amount, as in its current value. */
export const unitOf = ({
  measure,
  currency,
  asset,
}: Pick<LimitTermsFragment, 'measure' | 'currency' | 'asset'>): string =>
  currency ?? asset ?? (measure === 'level' ? 'units' : measure);
