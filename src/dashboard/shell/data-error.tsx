import type { ApiError } from '../data/api-error.ts';
import { ErrorState } from '../kit/error-state.tsx';
import type { shell } from '../words/en/shell.ts';
import { useWords } from '../words/words.ts';
import { useErrorText } from './error-text.ts';

type DataErrorProps = { readonly error: ApiError; readonly onRetry?: () => void };

/** Stands in place of data that could not be loaded: what happened, the request id, try again. */
export function DataError({ error, onRetry }: DataErrorProps) {
  const { errors } = useWords<typeof shell>('shell');
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
