import { useData } from '../../data/hooks.ts';
import { Json } from '../../kit/json.tsx';
import { Loading } from '../../kit/states.tsx';
import { useWords } from '../../words/words.ts';
import { DataError } from '../data-error.tsx';
import { documentOf, type PageObject } from './page-object.ts';

/** Tree with the API fields of the page's object. */
export function ObjectJson({ object }: { readonly object: PageObject }) {
  const words = useWords('drawer');
  const { data, error, refetch } = useData(documentOf(object), { id: object.id });
  if (error !== null && data === null) return <DataError error={error} onRetry={refetch} />;
  if (data === null) return <Loading lines={6} />;
  return <Json label={words.object} value={data.node} />;
}
