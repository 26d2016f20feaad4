import type { ApiError } from '../data/api-error.ts';
import { Callout } from '../kit/callout.tsx';
import { Copy } from '../kit/copy.tsx';
import { useErrorText } from './error-text.ts';

/** Why something was not done, beside the button that asked for it. Problems of fields stand at their fields, so they are left out here. */
export function Rejection({ error }: { readonly error: ApiError | null }) {
  const textOf = useErrorText();
  if (error === null) return null;
  return (
    <div role="alert">
      <Callout tone="negative">
        {textOf(error)} {error.requestId !== null && <Copy value={error.requestId} />}
      </Callout>
    </div>
  );
}
