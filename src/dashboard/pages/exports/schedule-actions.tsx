import { useState } from 'react';
import { useAction } from '../../data/hooks.ts';
import { Stack } from '../../kit/layout.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { Menu } from '../../kit/menu.tsx';
import type { ScheduleRowFragment } from '../../lists/exports.graphql';
import { AskDialog } from '../../shell/ask-dialog.tsx';
import { Rejection } from '../../shell/rejection.tsx';
import { useWords } from '../../words/words.ts';
import { ScheduleChangeDocument, ScheduleDeleteDocument } from './schedules.graphql';

const ChangeDialog = lazyPart(() => import('./schedule-dialog.tsx').then((module) => module.ChangeDialog));

type Props = { readonly of: ScheduleRowFragment; readonly onChanged: () => void };

/** Menu for a schedule: change the frequency, pause, resume, or delete. */
export function ScheduleActions({ of, onChanged }: Props) {
  const words = useWords('exports');
  const [opened, setOpened] = useState<'change' | 'delete' | null>(null);
  const [change, { error }] = useAction(ScheduleChangeDocument);
  const close = () => setOpened(null);
  return (
    <Stack gap={2} align="end">
      <Menu
        items={[
          { id: 'change', label: words.change, onAction: () => setOpened('change') },
          {
            id: 'pause',
            label: of.isActive ? words.pause : words.resume,
            onAction: () => void change({ input: { id: of.id, isActive: !of.isActive } }),
          },
          { id: 'delete', label: words.delete, tone: 'danger', onAction: () => setOpened('delete') },
        ]}
      />
      <Rejection error={error} />
      {opened === 'change' && <ChangeDialog of={of} onClose={close} />}
      {opened === 'delete' && (
        <AskDialog
          document={ScheduleDeleteDocument}
          input={{ id: of.id }}
          title={words.deleteTitle({ kind: words.kinds[of.kind] })}
          texts={[words.deleteText]}
          confirm={words.delete}
          onDone={onChanged}
          onClose={close}
        />
      )}
    </Stack>
  );
}
