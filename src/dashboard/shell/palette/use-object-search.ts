import { useEffect, useState } from 'react';
import type { ResultOf } from '../../../ui/documents.ts';
import { addressOf } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { openAddress } from '../../router-address.ts';
import { routes } from '../../routes.ts';
import { useWords } from '../../words/words.ts';
import type { PaletteEntry } from './entries.ts';
import { PaletteSearchDocument } from './search.graphql';

type Hit = ResultOf<typeof PaletteSearchDocument>['search'][number];

/** Delay after the last keystroke before the search starts, in milliseconds. */
const pauseMs = 120;

const shortest = 2;

/** Format of the service's IDs, such as `cus_1JP9…`. */
const idPattern = /^[a-z]{2,6}_[0-9A-Za-z]{16,}$/;

export const isId = (text: string): boolean => idPattern.test(text.trim());

/** Returns the typed text after a pause in typing. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

/** Returns the label and the detail of a search result. */
function namesOf(node: NonNullable<Hit['node']>): readonly [label: string, detail: string] {
  const row = node as Readonly<Record<string, unknown>>;
  const names = [
    'fullName',
    'invoiceNumber',
    'planName',
    'featureName',
    'promoCode',
    'subscriptionName',
    'description',
    'url',
    'email',
  ].flatMap((key) => (typeof row[key] === 'string' && row[key] !== '' ? [row[key]] : []));
  const [label = node.id, detail = node.id] = names;
  return [label, detail];
}

/** Searches for objects and returns the results that have a page. */
export function useThings(text: string): {
  readonly things: readonly PaletteEntry[];
  readonly isLoading: boolean;
} {
  const { kinds } = useWords('shell').palette;
  const rested = useRested(text.trim());
  const isPaused = rested.length < shortest;
  const { data, isLoading } = useData(PaletteSearchDocument, { text: rested.slice(0, 100) }, { isPaused });
  const things = (isPaused ? [] : (data?.search ?? [])).flatMap(({ kind, node }) => {
    if (node === null || !(kind in routes)) return [];
    const [label, detail] = namesOf(node);
    const open = (): void => openAddress(addressOf(kind as 'customer', { id: node.id }));
    return [{ id: node.id, label, detail: `${kinds[kind]} · ${detail}`, run: open }];
  });
  return { things, isLoading: !isPaused && isLoading };
}
