import type { ApiError } from '../../data/api-error.ts';
import { Rejection as Shown } from '../../shell/rejection.tsx';
import type { catalog } from '../../words/en/catalog.ts';
import { useWords } from '../../words/words.ts';

/** Why a command of the catalog was rejected, in the words of the catalog. */
export function Rejection({ error }: { readonly error: ApiError | null }) {
  return <Shown error={error} texts={useWords<typeof catalog>('catalog').rejections} />;
}
