import { useState } from 'react';
import type { Document } from '../../../../ui/documents.ts';
import { Button } from '../../../kit/button.tsx';
import { AskDialog } from '../../../shell/ask-dialog.tsx';
import type { catalog } from '../../../words/en/catalog.ts';
import { useWords } from '../../../words/words.ts';

/** The mutation that deletes a thing of the catalog, with its input, and what is called afterwards. */
export type Deletion<Input> = {
  readonly document: Document<unknown, { readonly input: Input }>;
  readonly input: Input;
  readonly onDone: () => void;
};

type DeleteButtonProps<Input> = Deletion<Input> & {
  readonly title: string;
  /** What happens to whom. */
  readonly texts: readonly string[];
  readonly isDisabled?: boolean;
};

/** Deletes a thing of the catalog after a question that says what follows. */
export function DeleteButton<Input>({ isDisabled = false, ...dialog }: DeleteButtonProps<Input>) {
  const { verbs, rejections } = useWords<typeof catalog>('catalog');
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button kind="quiet" onPress={() => setAsking(true)} isDisabled={isDisabled}>
        {verbs.delete}
      </Button>
      {isAsking && (
        <AskDialog {...dialog} confirm={verbs.delete} errors={rejections} onClose={() => setAsking(false)} />
      )}
    </>
  );
}
