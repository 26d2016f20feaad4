import XIcon from 'lucide-react/icons/x';
import { type ReactNode, useState } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Button, IconButton } from './button.tsx';
import styles from './dialog.module.css';
import { useKit } from './provider.tsx';
import { TextField } from './text-field.tsx';
import { SurfaceContext, useSurface } from './unsaved-work.ts';
import { useReturnedFocus } from './use-returned-focus.ts';

type DialogProps = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly size?: 'sm' | 'md' | 'lg';
  /** Buttons below the content, the primary button last. */
  readonly actions?: ReactNode;
  /** Accessible role. Use `alertdialog` for confirmations. */
  readonly role?: 'dialog' | 'alertdialog';
  readonly children?: ReactNode;
};

/**
 * Modal dialog over the page. Closes with `Escape`, a button with `slot="close"` or a click outside. Asks before it closes with unsaved work.
 */
export function Dialog({
  isOpen,
  onClose,
  title,
  size = 'md',
  actions,
  role = 'dialog',
  children,
}: DialogProps) {
  const { words } = useKit();
  const [surface, close] = useSurface(onClose);
  useReturnedFocus(isOpen);
  return (
    <ModalOverlay
      className={styles.overlay ?? ''}
      isOpen={isOpen}
      onOpenChange={(open) => !open && close()}
      isDismissable={role === 'dialog'}
    >
      <Modal className={styles.modal ?? ''} data-size={size}>
        <AriaDialog className={styles.dialog ?? ''} role={role}>
          <header className={styles.header}>
            <Heading slot="title" className={styles.title ?? ''}>
              {title}
            </Heading>
            <IconButton label={words.close} icon={<XIcon />} size="sm" slot="close" />
          </header>
          <div className={styles.body}>
            <SurfaceContext value={surface}>{children}</SurfaceContext>
          </div>
          {actions !== undefined && <footer className={styles.footer}>{actions}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

type ConfirmDialogProps = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  /** Consequences of the action, such as amounts, dates and lost benefits. */
  readonly children: ReactNode;
  /** Label of the confirm button, which names the result: "Refund $61.20". */
  readonly confirm: string;
  /** Label of the button that closes the dialog. Defaults to "Cancel". */
  readonly dismiss?: string;
  readonly onConfirm: () => void;
  readonly kind?: 'primary' | 'danger';
  readonly isPending?: boolean;
  /** Name that the user must type to confirm an irreversible action. */
  readonly typedName?: string;
  readonly isDisabled?: boolean;
};

export function ConfirmDialog({
  isOpen,
  onClose,
  title,
  children,
  confirm,
  dismiss,
  onConfirm,
  kind = 'danger',
  isPending = false,
  typedName,
  isDisabled = false,
}: ConfirmDialogProps) {
  const { words } = useKit();
  const [typed, setTyped] = useState('');
  const isReady = !isDisabled && (typedName === undefined || typed.trim() === typedName);
  const close = () => {
    setTyped('');
    onClose();
  };
  const send = () => {
    if (isReady && !isPending) onConfirm();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={title}
      size="sm"
      role="alertdialog"
      actions={
        <>
          <Button onPress={close}>{dismiss ?? words.cancel}</Button>
          <Button kind={kind} isDisabled={!isReady} isPending={isPending} onPress={send}>
            {confirm}
          </Button>
        </>
      }
    >
      <div className={styles.consequence}>{children}</div>
      {typedName !== undefined && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          <TextField
            label={words.typeToConfirm({ name: typedName })}
            value={typed}
            onChange={setTyped}
            autoComplete="off"
            autoFocus
          />
        </form>
      )}
    </Dialog>
  );
}
