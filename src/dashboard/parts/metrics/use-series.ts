import { useRef } from 'react';
import type { Document } from '../../../ui/documents.ts';
import { type Data, useData, useLive } from '../../data/hooks.ts';
import { useRefetchOnEvents } from '../../data/use-refetch-on-events.ts';
import { MetricsChangedDocument, type MetricsChangedSubscriptionVariables } from './changed.graphql';

/** Events that change figures without changing recurring revenue. */
const none: readonly string[] = [];

type Live = MetricsChangedSubscriptionVariables & {
  /** Kinds of events, or their beginnings, that change the series too. */
  readonly kinds?: readonly string[];
};

/**
 * Figures of a range, asked for again when recurring revenue of the span that is open now is something else, and after events of some kinds.
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
