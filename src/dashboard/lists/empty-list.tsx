import type { ReactNode } from 'react';
import type { PlainPageName } from '../address.ts';
import { environment } from '../data/place.ts';
import { useStore } from '../data/store.ts';
import { Code } from '../kit/code.tsx';
import { EmptyState } from '../kit/states.tsx';
import { useWords } from '../words/words.ts';
import { firstRequestCode } from './first-requests.ts';

type EmptyListProps = {
  /** Page that shows the list. */
  readonly name: PlainPageName;
  readonly title: string;
  /** One sentence about the objects in the list. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
};

/**
 * Empty state for a list that has no objects: a sentence, a button, and the API request that creates the first object.
 */
export function EmptyList({ name, title, children, action }: EmptyListProps) {
  const words = useWords('lists');
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
