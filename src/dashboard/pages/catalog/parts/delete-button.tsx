import { type ReactNode, useState } from 'react';
import type { ActionState } from '../../../data/hooks.ts';
import { Button } from '../../../kit/button.tsx';
import { ConfirmDialog } from '../../../kit/dialog.tsx';
import { Stack } from '../../../kit/layout.tsx';
import { Text } from '../../../kit/text.tsx';
import { Rejection } from '../../../parts/catalog/rejection.tsx';
import type { catalog } from '../../../words/en/catalog.ts';
import { useWords } from '../../../words/words.ts';

type DeleteButtonProps = {
  readonly title: string;
  /** What happens to whom. */
  readonly text: ReactNode;
  readonly state: ActionState;
  readonly onConfirm: () => void;
  readonly isDisabled?: boolean;
};

/** Deletes a thing of the catalog after a question that says what follows. */
export function DeleteButton({ title, text, state, onConfirm, isDisabled = false }: DeleteButtonProps) {
  const { verbs } = useWords<typeof catalog>('catalog');
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button kind="quiet" onPress={() => setAsking(true)} isDisabled={isDisabled}>
        {verbs.delete}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={title}
        confirm={verbs.delete}
        isPending={state.isRunning}
        onConfirm={onConfirm}
      >
        <Stack gap={3}>
          <Text>{text}</Text>
          <Rejection error={state.error} />
        </Stack>
      </ConfirmDialog>
    </>
  );
}
