import { useState } from 'react';
import type { Document } from '../../../../ui/documents.ts';
import { Button } from '../../../kit/button.tsx';
import { AskDialog } from '../../../shell/ask-dialog.tsx';
import { useWords } from '../../../words/words.ts';

/** Mutation that deletes a catalog object, its input, and a callback for success. */
export type Deletion<Input> = {
  readonly document: Document<unknown, { readonly input: Input }>;
  readonly input: Input;
  readonly onDone: () => void;
};

type DeleteButtonProps<Input> = Deletion<Input> & {
  readonly title: string;
  /** Consequences of the deletion, one sentence each. */
  readonly texts: readonly string[];
  readonly isDisabled?: boolean;
  /** Label of both buttons. Defaults to "Delete". */
  readonly label?: string;
};

/** Button that deletes a catalog object. The confirmation lists the consequences. */
export function DeleteButton<Input>({ isDisabled = false, label, ...dialog }: DeleteButtonProps<Input>) {
  const { verbs, rejections } = useWords('catalog');
  const verb = label ?? verbs.delete;
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button kind="quiet" onPress={() => setAsking(true)} isDisabled={isDisabled}>
        {verb}
      </Button>
      {isAsking && (
        <AskDialog {...dialog} confirm={verb} errors={rejections} onClose={() => setAsking(false)} />
      )}
    </>
  );
}
