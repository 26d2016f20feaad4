import type { ApiError } from '../data/api-error.ts';
import { Callout } from '../kit/callout.tsx';
import { Copy } from '../kit/copy.tsx';
import { useErrorText } from './error-text.ts';

type RejectionProps = {
  readonly error: ApiError | null;
  /** Messages by error code. For other codes, the API's message is shown. */
  readonly texts?: Readonly<Record<string, string>> | undefined;
};

/**
 * Error from a rejected action, shown next to the action's button. Field errors are omitted, because they are shown next to
 * the fields.
 */
export function Rejection({ error, texts = {} }: RejectionProps) {
  const textOf = useErrorText();
  if (error === null) return null;
  return (
    <div role="alert">
      <Callout tone="negative">
        {texts[error.code] ?? textOf(error)} {error.requestId !== null && <Copy value={error.requestId} />}
      </Callout>
    </div>
  );
}
