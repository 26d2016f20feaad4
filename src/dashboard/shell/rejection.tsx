import type { ApiError } from '../data/api-error.ts';
import { Callout } from '../kit/callout.tsx';
import { Copy } from '../kit/copy.tsx';
import { useErrorText } from './error-text.ts';

type RejectionProps = {
  readonly error: ApiError | null;
  /** Words for codes of errors; the service's own where there are none. */
  readonly texts?: Readonly<Record<string, string>> | undefined;
};

/** Why something was not done, beside the button that asked for it. Problems of fields stand at their fields, so they are left out here. */
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
