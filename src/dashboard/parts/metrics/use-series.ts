import { useRef } from 'react';
import type { Document } from '../../../ui/documents.ts';
import { type Data, useData, useLive } from '../../data/hooks.ts';
import type { LiveKind } from '../../data/use-events.ts';
import { useRefetchOnEvents } from '../../data/use-refetch-on-events.ts';
import { MetricsChangedDocument, type MetricsChangedSubscriptionVariables } from './changed.graphql';

const none: readonly LiveKind[] = [];

type Live = MetricsChangedSubscriptionVariables & {
  /** Additional event types, or their prefixes, that change the series. */
  readonly kinds?: readonly LiveKind[];
};

/**
 * Loads the metrics for a date range. Reloads when the recurring revenue of the current interval changes, and after the given events.
 */
export function useSeries<Result, Variables extends Readonly<Record<string, unknown>>>(
  document: Document<Result, Variables>,
  variables: Variables,
  { interval, currency, kinds = none }: Live,
): Data<Result> {
  const answer = useData(document, variables);
  const { refetch } = answer;
  const last = useRef<string | null>(null);
  useLive(MetricsChangedDocument, { interval, currency }, ({ metricsChanged }) => {
    const now = JSON.stringify(metricsChanged);
    if (last.current !== null && last.current !== now) refetch();
    last.current = now;
  });
  useRefetchOnEvents({ kinds }, refetch);
  return answer;
}
