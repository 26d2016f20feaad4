import { useEffect, useState } from 'react';
import type { ApiError } from '../data/api-error.ts';
import { useData } from '../data/hooks.ts';
import { CommandPreviewDocument, type PreviewedFragment } from '../parts/billing/previewed.graphql';
import type { PreviewInput } from './command.ts';

/** Delay between the last change and the preview request, in milliseconds. */
const rest = 250;

/** Returns the value as of the last pause in typing, and whether the value is still current. */
function useRested<Value>(value: Value, key: string): { readonly value: Value; readonly isRested: boolean } {
  const [rested, setRested] = useState({ value, key });
  useEffect(() => {
    if (rested.key === key) return;
    const timer = setTimeout(() => setRested({ value, key }), rest);
    return () => clearTimeout(timer);
  }, [key, rested.key, value]);
  return { value: rested.value, isRested: rested.key === key };
}

/** Preview, and whether it matches the current form values. */
export type PreviewState = {
  readonly preview: PreviewedFragment | null;
  readonly error: ApiError | null;
  readonly isCurrent: boolean;
};

/** Requests a preview for the current form values. Sends no request while the input is `null`. */
export function usePreview(input: PreviewInput | null): PreviewState {
  const { value, isRested } = useRested(input, JSON.stringify(input));
  const isPaused = value === null || input === null;
  const command = value ?? { renewal: { id: '' } };
  const { data, error, isLoading, isStale } = useData(CommandPreviewDocument, { command }, { isPaused });
  return {
    preview: isPaused ? null : (data?.subscriptionPreview ?? null),
    error: isPaused ? null : error,
    isCurrent: isRested && !isPaused && !isLoading && !isStale && (data !== null || error !== null),
  };
}
