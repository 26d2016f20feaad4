import type { ReactNode } from 'react';
import type { PlainPageName } from '../address.ts';
import { environment } from '../data/place.ts';
import { useStore } from '../data/store.ts';
import { Code } from '../kit/code.tsx';
import { EmptyState } from '../kit/states.tsx';
import type { lists } from '../words/en/lists.ts';
import { useWords } from '../words/words.ts';
import { firstRequestCode } from './first-requests.ts';

type EmptyListProps = {
  /** The page of the list. */
  readonly name: PlainPageName;
  readonly title: string;
  /** One sentence: what would stand here. */
  readonly children?: ReactNode;
  /** One button. */
  readonly action?: ReactNode;
};

/** Stands in a list where nothing exists yet: a sentence, a button, and the request that makes the first row. */
export function EmptyList({ name, title, children, action }: EmptyListProps) {
  const words = useWords<typeof lists>('lists');
  const code = firstRequestCode(name, useStore(environment));
  return (
    <EmptyState
      title={title}
      {...(action && { action })}
      {...(code !== null && { code: <Code label={words.firstRequest} code={code} /> })}
    >
      {children}
    </EmptyState>
  );
}
