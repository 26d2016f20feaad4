import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { isSignInNeeded, resume } from '../../data/session.ts';
import { useStore } from '../../data/store.ts';
import { Heading, Text } from '../../kit/text.tsx';
import { useWords } from '../../words/words.ts';
import { AccountForm } from './account-form.tsx';
import styles from './entry.module.css';

/** Sign-in dialog over the page after the session has expired. It can't be dismissed. Rejected requests are retried afterwards. */
export default function SignInAgain() {
  const words = useWords('entry');
  const isOpen = useStore(isSignInNeeded);
  return (
    <ModalOverlay isOpen={isOpen} isKeyboardDismissDisabled className={styles.overlay ?? ''}>
      <Modal>
        <AriaDialog aria-label={words.signInAgain} className={styles.dialog ?? ''}>
          <Heading level={2}>{words.signInAgain}</Heading>
          <Text as="p">{words.signInAgainText}</Text>
          <AccountForm isNew={false} onDone={resume} />
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
