import { ConfirmDialog } from './dialog.tsx';
import { useKit } from './provider.tsx';
import { useQuestion } from './unsaved-work.ts';

/** Dialog that asks for confirmation before unsaved changes are discarded. */
export function DiscardDialog() {
  const { words } = useKit();
  const close = useQuestion();
  return (
    <ConfirmDialog
      isOpen={close !== null}
      onClose={() => close?.(false)}
      title={words.discardTitle}
      confirm={words.discard}
      dismiss={words.keepEditing}
      onConfirm={() => close?.(true)}
    >
      {words.discardText}
    </ConfirmDialog>
  );
}
