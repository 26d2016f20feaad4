import { useData } from '../../data/hooks.ts';
import { Json } from '../../kit/json.tsx';
import { Loading } from '../../kit/states.tsx';
import type { drawer } from '../../words/en/drawer.ts';
import { useWords } from '../../words/words.ts';
import { DataError } from '../data-error.tsx';
import { documentOf, type PageObject } from './page-object.ts';

/** The object of the page as the API has it: its values, as a tree. */
export function ObjectJson({ object }: { readonly object: PageObject }) {
  const words = useWords<typeof drawer>('drawer');
  const { data, error, refetch } = useData(documentOf(object), { id: object.id });
  if (error !== null && data === null) return <DataError error={error} onRetry={refetch} />;
  if (data === null) return <Loading lines={6} />;
  return <Json label={words.object} value={data.node} />;
}
