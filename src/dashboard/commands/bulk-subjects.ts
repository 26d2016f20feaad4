import { useState } from 'react';
import { useData } from '../data/hooks.ts';
import { BulkSubjectsDocument, type BulkSubjectsQuery } from './bulk.graphql';
import type { AnyCommand, Subject } from './command.ts';

export type BulkItem = { readonly id: string; readonly subject: Subject };

type Found = NonNullable<BulkSubjectsQuery['nodes'][number]>;

function subjectOf(node: Found): Subject | null {
  if (node.__typename === 'Subscription') return { customer: node.customer, subscription: node };
  if (node.__typename !== 'Customer') return null;
  const { id, fullName, email, subscription } = node;
  return { customer: { id, fullName, email }, subscription };
}

/** Loads the selected rows and groups them by whether the command applies to them. Returns `null` until the rows are loaded. */
export function useBulkItems(command: AnyCommand, ids: readonly string[]) {
  const { data, error, refetch } = useData(BulkSubjectsDocument, { ids });
  const [read, setRead] = useState<readonly BulkItem[] | null>(null);
  if (read === null && data !== null)
    setRead(
      data.nodes.flatMap((node): BulkItem[] => {
        const subject = node === null ? null : subjectOf(node);
        return node === null || subject === null ? [] : [{ id: node.id, subject }];
      }),
    );
  return {
    items: read?.filter(({ subject }) => command.applies(subject)) ?? null,
    others: read?.filter(({ subject }) => !command.applies(subject)) ?? [],
    error,
    refetch,
  };
}
