import type { ApiError } from '../../data/api-error.ts';
import { Callout } from '../../kit/callout.tsx';
import { Text } from '../../kit/text.tsx';
import type { catalog } from '../../words/en/catalog.ts';
import { useWords } from '../../words/words.ts';

/** Why a command was rejected, beside its button. Problems of single fields stand at the fields. */
export function Rejection({ error }: { readonly error: ApiError | null }) {
  const { rejections } = useWords<typeof catalog>('catalog');
  if (error === null) return null;
  const known: Readonly<Record<string, string>> = rejections.byCode;
  return (
    <div role="alert">
      <Callout tone="negative" title={known[error.code] ?? (error.message || rejections.fallback)}>
        {error.requestId !== null && (
          <Text size="xs" color="muted">
            {rejections.request(error.requestId)}
          </Text>
        )}
      </Callout>
    </div>
  );
}
