import { useState } from 'react';
import { isAllowed, useViewer } from '../data/viewer.ts';
import { Button } from '../kit/button.tsx';
import { lazyPart } from '../kit/lazy-part.tsx';
import { Text } from '../kit/text.tsx';
import { useWords } from '../words/words.ts';

/** Maximum number of rows in a bulk action. */
const maxBulk = 50;

/** Commands that can run for several rows. */
export type BulkCommandName = 'creditCreate' | 'offerApply' | 'portalLink' | 'cancel';

const mutations: Readonly<Record<BulkCommandName, string>> = {
  creditCreate: 'customerCreditCreate',
  offerApply: 'subscriptionOfferApply',
  portalLink: 'portalSessionCreate',
  cancel: 'subscriptionCancel',
};

const OpenBulk = lazyPart(() => import('./open-bulk.tsx').then((module) => module.OpenBulk));

type BulkActionsProps = {
  readonly commands: readonly BulkCommandName[];
  readonly selected: ReadonlySet<string>;
  /** Called after each run, to reload the rows. */
  readonly onRun: () => void;
};

/** Buttons for the selected rows. Each opens a dialog that runs its command for one row at a time. */
export function BulkActions({ commands, selected, onRun }: BulkActionsProps) {
  const { bulk: words } = useWords('lists');
  const { membership } = useViewer();
  const [open, setOpen] = useState<BulkCommandName | null>(null);
  if (selected.size > maxBulk) return <Text>{words.tooMany({ most: maxBulk })}</Text>;
  return (
    <>
      {commands
        .filter((name) => isAllowed(membership, mutations[name]))
        .map((name) => (
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
