import type { ApiError } from '../data/api-error.ts';
import { ErrorState } from '../kit/error-state.tsx';
import { useWords } from '../words/words.ts';
import { useErrorText } from './error-text.ts';

type DataErrorProps = { readonly error: ApiError; readonly onRetry?: () => void };

/** Shows the error, the request ID, and a retry button in place of data that couldn't be loaded. */
export function DataError({ error, onRetry }: DataErrorProps) {
  const { errors } = useWords('shell');
  const textOf = useErrorText();
  return (
    <ErrorState
      title={error.code === 'forbidden' ? errors.forbidden : errors.notLoaded}
      message={textOf(error)}
      requestId={error.requestId ?? undefined}
      {...(onRetry === undefined || error.code === 'forbidden' ? {} : { onRetry })}
    />
  );
}
