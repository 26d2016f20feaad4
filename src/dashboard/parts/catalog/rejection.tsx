import type { ApiError } from '../../data/api-error.ts';
import { Rejection as Shown } from '../../shell/rejection.tsx';
import { useWords } from '../../words/words.ts';

/** Error from a catalog command. Catalog commands have their own messages for some error codes. */
export function Rejection({ error }: { readonly error: ApiError | null }) {
  return <Shown error={error} texts={useWords('catalog').rejections} />;
}
