import XIcon from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { IconButton } from './button.tsx';
import { useKit } from './provider.tsx';
import styles from './sheet.module.css';
import { SurfaceContext, useSurface } from './unsaved-work.ts';
import { useReturnedFocus } from './use-returned-focus.ts';

type SheetProps = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly status?: ReactNode;
  readonly subtitle?: ReactNode;
  /** Icon buttons next to the close button, such as "Previous", "Next" or "Open as page". */
  readonly tools?: ReactNode;
  /** Buttons at the bottom, which are always visible. */
  readonly actions?: ReactNode;
  readonly size?: 'md' | 'lg';
  readonly children?: ReactNode;
};

/**
 * Panel on the right side of the page, for an object of a list or a form. It fills the screen on phones. Asks before it closes with unsaved work. A
 * button with `slot="close"` closes the panel in the same way.
 */
export function Sheet({
  isOpen,
  onClose,
  title,
  status,
  subtitle,
  tools,
  actions,
  size = 'md',
  children,
}: SheetProps) {
  const { words } = useKit();
  const [surface, close] = useSurface(onClose);
  useReturnedFocus(isOpen);
  return (
    <ModalOverlay
      className={styles.overlay ?? ''}
      isOpen={isOpen}
      onOpenChange={(open) => !open && close()}
      isDismissable
    >
      <Modal className={styles.sheet ?? ''} data-size={size}>
        <AriaDialog className={styles.dialog ?? ''}>
          <header className={styles.header}>
            <div className={styles.titles}>
              <div className={styles.titleRow}>
                <Heading slot="title" className={styles.title ?? ''}>
                  {title}
                </Heading>
                {status}
              </div>
              {subtitle !== undefined && <div className={styles.subtitle}>{subtitle}</div>}
            </div>
            <div className={styles.tools}>
              {tools}
              <IconButton label={words.close} icon={<XIcon />} size="sm" slot="close" />
            </div>
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
