import { Cross2Icon } from '@radix-ui/react-icons';
import { type ReactNode, useState } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Button, IconButton } from './button.tsx';
import styles from './dialog.module.css';
import { useKit } from './provider.tsx';
import { TextField } from './text-field.tsx';
import { useReturnedFocus } from './use-returned-focus.ts';

type DialogProps = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly size?: 'sm' | 'md' | 'lg';
  /** Buttons below the content; the last one is the main one. */
  readonly actions?: ReactNode;
  /** Says that it interrupts: for confirmations. */
  readonly role?: 'dialog' | 'alertdialog';
  readonly children?: ReactNode;
};

/** A modal surface over the page. Closes by `Escape`, its button or a click beside it. */
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
  useReturnedFocus(isOpen);
  return (
    <ModalOverlay
      className={styles.overlay ?? ''}
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable={role === 'dialog'}
    >
      <Modal className={styles.modal ?? ''} data-size={size}>
        <AriaDialog className={styles.dialog ?? ''} role={role}>
          <header className={styles.header}>
            <Heading slot="title" className={styles.title ?? ''}>
              {title}
            </Heading>
            <IconButton label={words.close} icon={<Cross2Icon />} size="sm" onPress={onClose} />
          </header>
          <div className={styles.body}>{children}</div>
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
  /** What will happen: amounts, dates, what is lost. */
  readonly children: ReactNode;
  /** The button says the outcome: "Refund $61.20". */
  readonly confirm: string;
  readonly onConfirm: () => void;
  readonly kind?: 'primary' | 'danger';
  readonly isPending?: boolean;
  /** For what cannot be undone: this name has to be typed. */
  readonly typedName?: string;
  readonly isDisabled?: boolean;
};

/** Asks before something happens, naming the consequence. */
export function ConfirmDialog({
  isOpen,
  onClose,
  title,
  children,
  confirm,
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
          <Button onPress={close}>{words.cancel}</Button>
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
            label={words.typeToConfirm(typedName)}
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
