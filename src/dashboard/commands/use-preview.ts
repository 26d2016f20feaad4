import type { ApiError } from '../data/api-error.ts';
import { useData } from '../data/hooks.ts';
import { useRested } from '../data/use-rested.ts';
import { CommandPreviewDocument, type PreviewedFragment } from '../parts/billing/previewed.graphql';
import type { PreviewInput } from './command.ts';

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
