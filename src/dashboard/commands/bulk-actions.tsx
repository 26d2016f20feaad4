import { useState } from 'react';
import { Button } from '../kit/button.tsx';
import { lazyPart } from '../kit/lazy-part.tsx';
import { Text } from '../kit/text.tsx';
import type { lists } from '../words/en/lists.ts';
import { useWords } from '../words/words.ts';

/** Rows a bulk action takes at once. */
const mostBulk = 50;

/** What can be done with several rows. */
export type BulkCommandName = 'creditCreate' | 'offerApply' | 'portalLink' | 'cancel';

const OpenBulk = lazyPart(() => import('./open-bulk.tsx').then((module) => module.OpenBulk));

type BulkActionsProps = {
  readonly commands: readonly BulkCommandName[];
  readonly selected: ReadonlySet<string>;
  /** Reads the rows again. */
  readonly onRun: () => void;
};

/** The buttons for selected rows. Each opens a dialog that runs its command for one row after the other. */
export function BulkActions({ commands, selected, onRun }: BulkActionsProps) {
  const { bulk: words } = useWords<typeof lists>('lists');
  const [open, setOpen] = useState<BulkCommandName | null>(null);
  if (selected.size > mostBulk) return <Text>{words.tooMany(mostBulk)}</Text>;
  return (
    <>
      {commands.map((name) => (
        <Button key={name} size="sm" onPress={() => setOpen(name)}>
          {words[name]}
        </Button>
      ))}
      {open !== null && (
        <OpenBulk name={open} ids={[...selected]} onClose={() => setOpen(null)} onRun={onRun} />
      )}
    </>
  );
}
